import DBClientCore

extension RowCondition {
    /// How many conditions are inside one another.
    var nesting: Int {
        switch self {
        case .not(let operand): 1 + operand.nesting
        case .all(let operands), .any(let operands):
            1 + operands.reduce(0) { max($0, $1.nesting) }
        case .related(let rows): 1 + rows.condition.nesting
        case .computed(let left, _, let right): 1 + max(left.nesting, right.nesting)
        case .guarded(let guarding, let guarded): 1 + max(guarding.nesting, guarded.nesting)
        default: 1
        }
    }

    /// The same condition with the most nested operand of each first.
    ///
    /// A parser that reads from the left keeps the text before an open parenthesis on its stack, and
    /// SQLite's has room for a hundred entries; with the deepest operand first there is no such text.
    var deepestFirst: RowCondition {
        switch self {
        case .not(let operand): .not(operand.deepestFirst)
        case .all(let operands): .all(Self.deepestFirst(operands))
        case .any(let operands): .any(Self.deepestFirst(operands))
        case .guarded(let guarding, let guarded):
            .guarded(guarding.deepestFirst, guarded.deepestFirst)
        case .related(var rows):
            {
                rows.condition = rows.condition.deepestFirst
                return .related(rows)
            }()
        default: self
        }
    }

    private static func deepestFirst(_ operands: [RowCondition]) -> [RowCondition] {
        var operands = operands.map(\.deepestFirst)
        let depths = operands.map(\.nesting)
        if let deepest = depths.indices.max(by: { depths[$0] < depths[$1] }) {
            operands.swapAt(0, deepest)
        }
        return operands
    }
}
