/// The conditions of a join, each where it is asked first: of the rows of one part, for putting a part's rows to those
/// before, or of what is put together.
struct JoinConditions {
    private let join: RowJoin
    private let entity: EntitySchema
    /// What each part's rows must fulfil by themselves, on their own fields.
    private(set) var filters: [RowCondition]
    /// How each part but the first is found.
    private(set) var steps: [Step] = []
    /// What is left to be asked of whole rows, since it may have no answer.
    private(set) var last: [RowCondition] = []

    /// How the rows of a part are found.
    struct Step {
        /// The fields of parts before, and those of the part that equal them.
        var equalities: [(before: Int, own: Int)] = []
        /// What else a row of the part must fulfil to belong to those before.
        var match: [RowCondition] = []
        /// What the row must fulfil once the part is added.
        var filter: [RowCondition] = []
    }

    init(_ join: RowJoin, _ query: RowQuery) {
        self.join = join
        entity = query.entity
        filters = join.parts.map { _ in .constant(true) }
        steps = join.parts.map { _ in Step() }
        for (index, part) in join.parts.enumerated() {
            for condition in part.condition.operands {
                place(condition, in: index, isMatch: true)
            }
        }
        for condition in query.condition.operands { place(condition, in: nil, isMatch: false) }
    }

    /// Puts a condition where it is asked first: for joining a part, or of the rows.
    private mutating func place(_ condition: RowCondition, in part: Int?, isMatch: Bool) {
        let columns = RowPredicate(condition, of: entity).columns
        let parts = Set(columns.map(join.part(of:)))
        let latest = max(parts.max() ?? 0, part ?? 0)
        if condition.canFail {
            // What keeps it from rows may be asked earlier by itself.
            for operand in condition.operands.dropLast() {
                place(operand, in: part, isMatch: isMatch)
            }
            if isMatch { steps[latest].match.append(condition) } else { last.append(condition) }
            return
        }
        let isInner = !join.parts[latest].isOptional
        guard isMatch || isInner else { return steps[latest].filter.append(condition) }
        if parts.isSubset(of: [latest]) {
            let offset = join.parts[latest].offset
            filters[latest] = .conjunction(filters[latest], condition.placed { $0 - offset })
        } else if case .compareFields(let left, .equal, to: let right) = condition,
            entity.fields[left].type == entity.fields[right].type,
            parts.count == 2, parts.contains(latest)
        {
            let own = join.part(of: left) == latest ? left : right
            steps[latest].equalities.append((own == left ? right : left, own))
        } else {
            steps[latest].match.append(condition)
        }
    }
}
