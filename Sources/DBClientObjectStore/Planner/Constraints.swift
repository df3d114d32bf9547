import DBClientCore

/// The constraints of a condition by column.
struct Constraints {
    private(set) var columns: [Int: ColumnConstraint] = [:]
    /// Columns that together are one of some keys, none of whose values is null: the first such conjunct.
    private(set) var keys: (columns: [Int], keys: [[StorageValue]])?
    /// How many conjuncts the condition has.
    private(set) var conjunctCount = 0

    init(_ condition: RowCondition) {
        switch condition {
        case .constant(true): break
        case .all(let operands): for operand in operands { add(operand) }
        default: add(condition)
        }
    }

    private mutating func add(_ condition: RowCondition) {
        conjunctCount += 1
        switch condition {
        case .all(let operands):
            conjunctCount -= 1
            for operand in operands { add(operand) }
        case .guarded(let guarding, _): add(guarding)
        case .compare(let column, let comparison, let value, .binary):
            add(comparison, value, to: column)
        case .field(let column, .isIn(let values)) where columns[column]?.values == nil:
            limit(column, to: values)
        case .areIn(let columns, let keys) where self.keys == nil: self.keys = (columns, keys)
        case .isNil(let column) where columns[column]?.values == nil:
            limit(column, to: [.null])
        case .field(let column, .matches(let pattern))
        where pattern.kind == .prefix && !pattern.ignoresCase && columns[column]?.prefix == nil:
            columns[column, default: ColumnConstraint()].prefix = pattern.text
            columns[column]?.expressed += 1
        default: break
        }
    }

    private mutating func limit(_ column: Int, to values: [StorageValue]) {
        columns[column, default: ColumnConstraint()].values = values
        columns[column]?.expressed += 1
    }

    private mutating func add(_ comparison: Comparison, _ value: StorageValue, to column: Int) {
        var constraint = columns[column] ?? ColumnConstraint()
        switch comparison {
        case .equal where constraint.values == nil: constraint.values = [value]
        case .greater where constraint.lower == nil: constraint.lower = (value, false)
        case .greaterOrEqual where constraint.lower == nil: constraint.lower = (value, true)
        case .less where constraint.upper == nil: constraint.upper = (value, false)
        case .lessOrEqual where constraint.upper == nil: constraint.upper = (value, true)
        default: return
        }
        constraint.expressed += 1
        columns[column] = constraint
    }
}
