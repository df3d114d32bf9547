/// Groups of a join that are counted alone: by what the first of two models has, over how many rows of the second belong
/// to each of its rows.
///
/// The rows of the second are counted by the fields that must be equal, which an engine may do from an index, and no
/// joined row is put together. Each row of the first then counts for as many joined rows as there are.
struct JoinCounts {
    /// What a term adds up for a row of the first model.
    private enum Weight {
        /// The joined rows.
        case rows
        /// Those of them to which a row of the second belongs.
        case matched
        /// Those to which none does.
        case unmatched
    }

    private let grouping: RowGrouping
    private let plan: JoinPlan
    private let weights: [(term: RowGrouping.Term, weight: Weight)]

    /// Creates the counts of a grouping; nil for one that needs the joined rows, and where counts may take more memory
    /// than the rows of a join.
    init?(_ grouping: RowGrouping, _ reader: any EngineReader) throws {
        let query = grouping.query
        guard let join = query.join, join.parts.count == 2, query.walk == nil, query.limit == nil,
            query.offset == 0, !query.condition.reachesRelatedRows,
            grouping.keys.allSatisfy({ $0.isOf(join.parts[0], in: query.entity) })
        else { return nil }
        var weights: [(term: RowGrouping.Term, weight: Weight)] = []
        for term in grouping.allTerms {
            guard let weight = Self.weight(of: term, join.parts[1]) else { return nil }
            weights.append((term, weight))
        }
        guard let count = try reader.rowCount(of: join.parts[1].entity),
            count < JoinMemory.standardBudget / Self.bytesOfCount
        else { return nil }
        let plan = JoinPlan(join, query, reader)
        guard plan.isOfEqualFieldsAlone else { return nil }
        self.grouping = grouping
        self.plan = plan
        self.weights = weights
    }

    /// What a count takes with its value, about.
    private static let bytesOfCount = 128

    /// Returns what a term adds up; nil for one that is over fields.
    private static func weight(of term: RowGrouping.Term, _ part: RowJoin.Part) -> Weight? {
        if term == .count { return .rows }
        guard let condition = term.countedCondition else { return nil }
        return part.isAbsence(condition).map { $0 ? .unmatched : .matched }
    }

    /// Visits the groups as an engine does.
    func forEach(_ visit: (UnsafeBufferPointer<Slot>) throws -> Void) throws {
        let first = plan.join.parts[0]
        let counts = try SecondRows(plan)
        let keys = grouping.keys.count
        let before = plan.steps[1].equalities.map { RowGrouping.Key($0.before) }
        let number = RowGrouping.Key(.constant(.integer(0), .integer(bits: 64, signed: true)))
        // The keys and the numbers of a row as the rows of an entity of their own.
        let entity = EntitySchema(
            holding: grouping.keys + weights.map { _ in number },
            of: plan.query.entity
        )
        func summed(_ term: RowGrouping.Term) -> RowGrouping.Term {
            let place = weights.firstIndex { $0.term == term } ?? 0
            return .function(.sum, column: keys + place)
        }
        var grouper = RowGrouper(
            RowGrouping(
                RowQuery(entity),
                by: grouping.keys.indices.map { RowGrouping.Key($0) },
                terms: grouping.terms.map(summed),
                where: grouping.condition.mapped(summed)
            ),
            over: Array(entity.fields.indices),
            in: plan.reader
        )
        let isLeft = plan.join.parts[1].isOptional
        var slots: [Slot] = []
        try plan.reader.select(
            grouping.keys + before,
            of: RowQuery(first.entity, where: plan.filters[0])
        ) { batch in
            slots.removeAll(keepingCapacity: true)
            var added = 0
            for row in 0..<batch.count {
                let start = batch.slots + row * batch.columnCount
                let found = counts.count(of: start + keys)
                if found == 0 && !isLeft { continue }
                slots.append(contentsOf: UnsafeBufferPointer(start: start, count: keys))
                for (_, weight) in weights {
                    switch weight {
                    case .rows: slots.append(.integer(max(found, 1)))
                    case .matched: slots.append(.integer(found))
                    case .unmatched: slots.append(.integer(found == 0 ? 1 : 0))
                    }
                }
                added += 1
            }
            let width = keys + weights.count
            // A row of no fields needs an address all the same.
            if width == 0 { slots.append(.null) }
            try slots.withUnsafeBufferPointer { slots in
                guard let start = slots.baseAddress, added > 0 else { return }
                try grouper.add(
                    RowBatch(slots: start, columnCount: width, count: added, entity: entity)
                )
            }
            return true
        }
        try grouper.forEach(visit)
    }
}

/// How many rows of the second model have each value of the fields that must be equal.
private final class SecondRows {
    private let table: GroupTable
    private var counts: [Int64] = []

    init(_ plan: JoinPlan) throws {
        let part = plan.join.parts[1]
        let columns = plan.steps[1].equalities.map { $0.own - part.offset }
        table = GroupTable(part.entity, Array(columns.indices))
        let grouping = RowGrouping(
            RowQuery(part.entity, where: plan.filters[1]),
            by: columns.map { RowGrouping.Key($0) },
            terms: [.count]
        )
        try plan.reader.group(grouping) { group in
            guard let start = group.baseAddress, table.find(start) == counts.count else { return }
            counts.append(group[columns.count].integer)
        }
    }

    /// Returns the number of rows with some values.
    func count(of values: UnsafePointer<Slot>) -> Int64 {
        table.position(of: values).map { counts[$0] } ?? 0
    }
}

extension RowGrouping.Key {
    /// Whether the key is a field of a part, or is computed from those and has a value for each row.
    fileprivate func isOf(_ part: RowJoin.Part, in entity: EntitySchema) -> Bool {
        guard path.isEmpty, window == nil else { return false }
        guard let expression else { return part.columns ~= column }
        var columns = Set<Int>()
        expression.insertColumns(into: &columns, of: entity)
        return !expression.canFail && columns.allSatisfy { part.columns ~= $0 }
    }
}

extension RowJoin.Part {
    /// Returns whether a condition says that no row of the part belongs to those before, or, false, that one does; nil
    /// for one that says neither.
    fileprivate func isAbsence(_ condition: RowCondition) -> Bool? {
        switch condition {
        case .isNil(let column)
        where columns ~= column && !entity.fields[column - offset].isOptional:
            true
        case .not(let operand): isAbsence(operand).map { !$0 }
        default: nil
        }
    }
}
