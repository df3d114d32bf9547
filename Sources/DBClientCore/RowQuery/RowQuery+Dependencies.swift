// What an observer of a query asks: whose rows count, and which rows of the query's entity a change
// elsewhere concerns.
extension RowQuery {
    /// The entities whose rows decide what the query gives: its own; those that its condition reaches;
    /// and those whose values are loaded with a value, to any depth, with the links between them.
    public var dependencies: Set<EntitySchema> {
        var found = rowDependencies
        for step in entity.steps(above: [], seen: [entity]) { found.insert(step.entity) }
        return found
    }

    /// The entities whose rows decide which rows the query gives, and where they stand.
    var rowDependencies: Set<EntitySchema> {
        var found: Set<EntitySchema> = join.map { Set($0.parts.map(\.entity)) } ?? [entity]
        if let walk {
            found = Set(walk.steps.map(\.entity)).union([walk.entity])
            found.formUnion(RowQuery(walk.entity, where: walk.passing).dependencies)
        }
        return found.union(placingEntities)
    }

    /// Whether each row of the query's entity tells by its own fields whether the query gives it, and where.
    var isDecidedByOwnRows: Bool {
        join == nil && walk == nil && placingSteps.isEmpty && !condition.canFail && !isRanked
    }

    /// Whether the rows are sorted by their scores in a search, for which figures of all rows are read.
    package var isRanked: Bool {
        orderings.contains { $0.expression?.isRank ?? false }
    }

    /// Whether rows of the query's entity tell all of what the query gives, each by its own fields: it goes
    /// through no relationship, not even to the entity itself, its values hold no others, and its condition has an
    /// answer for every row.
    ///
    /// Its sort is by fields.
    var isOfOwnRows: Bool {
        isDecidedByOwnRows && entity.steps(above: [], seen: [entity]).isEmpty && !isSortedByComputed
    }

    /// Whether a key of the sort is computed.
    var isSortedByComputed: Bool { orderings.contains { $0.expression != nil } }

    /// Returns the condition of the rows of the query's entity that a change of another entity's rows
    /// may concern, or nil when none can be.
    ///
    /// Give the rows as they were and as they are: a row that is gone tells by its own columns whose
    /// it was. Where an entity holds values of its own kind, the rows found are held by others in turn:
    /// ask again with them until none are new.
    ///
    /// - Parameters:
    ///   - other: The entity that was changed, one of ``dependencies``.
    ///   - rows: Whole rows of it.
    /// - Returns: A condition that other entities' rows may decide in turn.
    public func condition(
        ofRowsThatDependOn other: EntitySchema,
        _ rows: RowBatch
    ) -> RowCondition? {
        if condition.hasSlices { return .constant(true) }
        var conditions: [RowCondition] = []
        for step in steps(seen: [entity]) where step.entity === other {
            conditions.append(step.condition(rows))
        }
        guard let first = conditions.first else { return nil }
        return conditions.dropFirst().reduce(first) { .disjunction($0, $1) }
    }

    /// Returns the condition of the rows of the query's entity of which rows of another decide whether
    /// they are found and where they stand, or nil when none can be or when that may be any row.
    ///
    /// - Parameters:
    ///   - rows: Whole rows as they were and as they are.
    ///   - name: The bytes of their entity's name, one that the condition or the sort reaches.
    /// - Returns: A condition that other entities' rows may decide in turn.
    func condition(ofRowsPlacedBy rows: RowBatch, of name: EntityName) -> RowCondition? {
        if condition.hasSlices { return nil }
        let conditions = placingSteps.filter { $0.entity.exactName == name }
            .map { $0.condition(rows) }
        guard let first = conditions.first else { return nil }
        return conditions.dropFirst().reduce(first) { .disjunction($0, $1) }
    }

    /// Whether rows that the condition or the sort reaches decide which rows there are, and where.
    var isPlacedByOthers: Bool { !placingSteps.isEmpty }

    /// The entities that the condition and the sort reach.
    var placingEntities: Set<EntitySchema> { Set(placingSteps.map(\.entity)) }

    private var placingSteps: [RelatedStep] {
        condition.steps(above: []) + orderings.flatMap { $0.path.steps(above: []) }
    }

    private func steps(seen: Set<EntitySchema>) -> [RelatedStep] {
        entity.steps(above: [], seen: seen) + placingSteps
    }
}

extension [RelatedRows] {
    /// Returns each hop of the path, together with the hops that lead to it.
    fileprivate func steps(above: [RelatedRows]) -> [RelatedStep] {
        indices.map { RelatedStep(above: above + self[..<$0], last: self[$0]) }
    }
}

/// A way from a query's entity to another.
private struct RelatedStep {
    /// The hops before the last, outermost first.
    let above: [RelatedRows]
    let last: RelatedRows

    var entity: EntitySchema { last.entity }

    func condition(_ rows: RowBatch) -> RowCondition {
        var keys = Set<[StorageValue]>()
        for row in 0..<rows.count {
            let key = last.columns.map { StorageValue(rows[row, $0]) }
            if !key.contains(.null) { keys.insert(key) }
        }
        var condition = RowCondition.keys(last.matching, in: Array(keys))
        for hop in above.reversed() {
            var copy = hop
            copy.count = nil
            copy.total = nil
            copy.condition = condition
            condition = .related(copy)
        }
        return condition
    }
}

extension RowCondition {
    fileprivate func steps(above: [RelatedRows]) -> [RelatedStep] {
        switch self {
        case .not(let operand): operand.steps(above: above)
        case .all(let operands), .any(let operands):
            operands.flatMap { $0.steps(above: above) }
        case .guarded(let guarding, let guarded):
            guarding.steps(above: above) + guarded.steps(above: above)
        case .related(let rows):
            [RelatedStep(above: above, last: rows)]
                + rows.condition.steps(above: above + [rows])
                + (rows.total?.path ?? []).steps(above: above + [rows])
                + (rows.slice?.orderings ?? []).flatMap { $0.path.steps(above: above + [rows]) }
        default: []
        }
    }
}

extension EntitySchema {
    /// The ways to what is loaded with the entity's values.
    ///
    /// A model that contains its own kind, directly or through others, is followed once.
    fileprivate func steps(above: [RelatedRows], seen: Set<EntitySchema>) -> [RelatedStep] {
        var steps: [RelatedStep] = []
        for relationship in relationships {
            var above = above
            var matching = relationship.columns
            if let link = relationship.link {
                let links = RelatedRows(link.entity, link.owner, matching: primaryKey)
                steps.append(RelatedStep(above: above, last: links))
                above.append(links)
                matching = link.target
            }
            guard !relationship.isByReference, let target = relationship.target else { continue }
            let hop = RelatedRows(target, target.primaryKey, matching: matching)
            steps.append(RelatedStep(above: above, last: hop))
            if !seen.contains(target) {
                steps += target.steps(above: above + [hop], seen: seen.union([target]))
            }
        }
        return steps
    }
}
