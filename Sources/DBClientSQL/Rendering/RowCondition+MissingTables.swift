import DBClientCore

extension RowCondition {
    /// Returns the condition with what it says of rows of missing tables put as it is: there are none.
    func withoutMissing(_ isMissing: (EntitySchema) throws -> Bool) rethrows -> RowCondition {
        switch self {
        case .not(let operand): return .not(try operand.withoutMissing(isMissing))
        case .all(let operands):
            return .all(try operands.map { try $0.withoutMissing(isMissing) })
        case .any(let operands):
            return .any(try operands.map { try $0.withoutMissing(isMissing) })
        case .guarded(let guarding, let guarded):
            return .guarded(
                try guarding.withoutMissing(isMissing),
                try guarded.withoutMissing(isMissing)
            )
        case .related(var rows):
            let reached = [rows.entity] + (rows.total?.path.map(\.entity) ?? [])
            if try reached.contains(where: isMissing) { return .constant(rows.holdsForNone) }
            rows.condition = try rows.condition.withoutMissing(isMissing)
            try rows.slice?.orderings.removeAll { ordering in
                try ordering.path.contains { try isMissing($0.entity) }
            }
            return .related(rows)
        default: return self
        }
    }
}
