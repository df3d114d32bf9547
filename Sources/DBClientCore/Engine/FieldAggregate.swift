/// A function over the slots of one field, absent values left out.
public struct FieldAggregate {
    private let function: AggregateFunction
    private var count = 0
    private var integers: Int128 = 0
    private var reals = RealSum()
    private var isReal = false
    private var best: Slot?

    /// Creates a function of nothing yet.
    public init(_ function: AggregateFunction) {
        self.function = function
    }

    /// Adds a value whose bytes outlive the aggregate.
    public mutating func add(_ slot: Slot) {
        guard !slot.isNull else { return }
        count += 1
        switch function {
        case .minimum:
            if let best, Slot.compare(best, slot) <= 0 { return }
            best = slot
        case .maximum:
            if let best, Slot.compare(best, slot) >= 0 { return }
            best = slot
        case .sum, .average:
            if slot.kind == .real {
                isReal = true
                reals.add(slot.real)
            } else {
                integers += Int128(slot.integer)
            }
        }
    }

    /// Returns whether a sum, zero of none, or an average, null of none, compares with a constant.
    ///
    /// A sum of integers is compared as it is, also beyond the range of `Int64`.
    func holds(_ comparison: Comparison, _ value: StorageValue) -> Bool {
        if function == .average, count == 0 { return comparison == .notEqual }
        let order: Int
        switch value {
        case .integer(let integer):
            let other = Int128(integer)
            order = integers < other ? -1 : integers == other ? 0 : 1
        case .real(let real):
            let own = function == .average ? average : isReal ? reals.value : Double(integers)
            // Opposite infinities come to no number.
            if own.isNaN { return comparison == .notEqual }
            order = own < real ? -1 : own == real ? 0 : 1
        default: return false
        }
        return comparison.holds(for: order)
    }

    private var average: Double {
        isReal ? reals.divided(by: count) : Double(integers) / Double(count)
    }

    /// Returns the function of what was added.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Int64`.
    public func result(_ entity: EntitySchema, _ column: Int) throws -> StorageValue {
        guard count > 0 else { return .null }
        switch function {
        case .minimum, .maximum: return best.map { StorageValue($0) } ?? .null
        case .average:
            return .real(average)
        case .sum:
            if isReal { return .real(reals.value) }
            guard let sum = Int64(exactly: integers) else {
                throw DBClientError.sumOutOfRange(entity, entity.fields[column])
            }
            return .integer(sum)
        }
    }
}
