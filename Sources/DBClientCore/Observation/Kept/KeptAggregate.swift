/// A function over a field of a query's rows that rows which come and go change: confined to the hub once it is read.
///
/// Sums and averages are exact, so that they are bit by bit what a fresh reading finds. Of an extreme the value alone is
/// kept, which is nothing to read where the field is indexed; it is read again when a row that has it goes.
final class KeptAggregate: KeptState, @unchecked Sendable {
    private let function: AggregateFunction
    private let column: Int
    private let entity: EntitySchema
    private var sum = RemovableSum()
    private var extreme = StorageValue.null
    private(set) var hasChanged = true

    /// Reads the function of a query's rows.
    init(
        _ function: AggregateFunction,
        _ column: Int,
        of query: RowQuery,
        in reader: any EngineReader
    ) throws {
        self.function = function
        self.column = column
        entity = query.entity
        switch function {
        case .minimum, .maximum:
            extreme = try reader.aggregate(function, column: column, through: [], of: query)
        case .sum, .average:
            try reader.select([column], of: query) { batch in
                for row in 0..<batch.count { sum.add(batch[row, 0]) }
                return true
            }
        }
    }

    func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool {
        let old = before?[0, column] ?? .null
        let new = after?[0, column] ?? .null
        if Slot.compare(old, new) == 0 { return true }
        hasChanged = true
        switch function {
        case .sum, .average:
            sum.remove(old)
            sum.add(new)
            return true
        case .minimum, .maximum:
            if !old.isNull, !isKept(besides: old, new) { return false }
            if !new.isNull, extreme.isNull || order(of: new) <= 0 { extreme = StorageValue(new) }
            return true
        }
    }

    /// Returns whether the extreme is known without a value that a row had, of which the row now has another.
    private func isKept(besides old: Slot, _ new: Slot) -> Bool {
        if extreme.isNull { return false }
        // What is beyond the extreme was written by the same commit and is still to come.
        if order(of: old) > 0 { return true }
        return order(of: old) == 0 && !new.isNull && order(of: new) <= 0
    }

    /// Returns whether a value is beyond the extreme, which is negative, is equal, or is not.
    private func order(of slot: Slot) -> Int {
        let order = extreme.withSlot { Slot.compare(slot, $0) }
        return function == .minimum ? order : -order
    }

    /// Returns the value as it is now.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Int64`, or one of decimals that of `Decimal`.
    func value() throws -> StorageValue {
        hasChanged = false
        switch function {
        case .minimum, .maximum: return extreme
        case .sum, .average: return try sum.result(function, entity, entity.fields[column])
        }
    }
}
