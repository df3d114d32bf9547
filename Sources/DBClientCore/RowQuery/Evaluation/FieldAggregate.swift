/// A function over the slots of one field, absent values left out.
public struct FieldAggregate {
    private let function: AggregateFunction
    private var count = 0
    private var integers: Int128 = 0
    private var reals = RealSum()
    private var isReal = false
    private var decimals: DecimalSum?
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
            switch slot.kind {
            case .real:
                isReal = true
                reals.add(slot.real)
            case .data:
                if decimals == nil { decimals = DecimalSum() }
                decimals?.add(slot.bytes)
            default: integers += Int128(slot.integer)
            }
        }
    }

    /// Returns whether a sum, zero of none, or an average, null of none, compares with a constant.
    ///
    /// A sum of integers or decimals is compared as it is, also where no `Int64` and no `Decimal` is it.
    func holds(_ comparison: Comparison, _ value: StorageValue) -> Bool {
        if function == .average, count == 0 { return comparison.holdsForNil }
        let order: Int
        switch value {
        case .integer(let integer):
            let other = Int128(integer)
            order = integers < other ? -1 : integers == other ? 0 : 1
        case .real(let real):
            let own = function == .average ? average : isReal ? reals.value : Double(integers)
            // Opposite infinities come to no number.
            if own.isNaN { return comparison.holdsForNil }
            order = own < real ? -1 : own == real ? 0 : 1
        case .data(let decimal):
            guard let sum = (decimals ?? DecimalSum()).form else { return false }
            order = sum == decimal ? 0 : sum.lexicographicallyPrecedes(decimal) ? -1 : 1
        default: return false
        }
        return comparison.holds(for: order)
    }

    /// The average; not a number where something added was no decimal.
    private var average: Double {
        if let decimals { return decimals.divided(by: count) ?? .nan }
        return isReal ? reals.divided(by: count) : Double(integers) / Double(count)
    }

    /// Returns the function of what was added.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Int64`, or one of decimals that of
    ///   `Decimal`.
    public func result(_ entity: EntitySchema, _ column: Int) throws -> StorageValue {
        guard count > 0 else { return .null }
        switch function {
        case .minimum, .maximum: return best.map { StorageValue($0) } ?? .null
        case .sum where decimals?.isDamaged == true, .average where decimals?.isDamaged == true:
            throw DBClientError.damagedDecimal(entity, entity.fields[column])
        case .average: return .real(average)
        case .sum:
            if isReal { return .real(reals.value) }
            let sum =
                if let decimals { decimals.value } else {
                    Int64(exactly: integers).map { StorageValue.integer($0) }
                }
            guard let sum else {
                throw DBClientError.sumOutOfRange(entity, entity.fields[column])
            }
            return sum
        }
    }
}

extension FieldAggregate {
    /// Returns the sum of what was added divided by another one; nil where either is of nothing, or the other is zero.
    func divided(by other: FieldAggregate) -> Double? {
        guard let sum = real, let divisor = other.real, divisor != 0 else { return nil }
        return sum / divisor
    }

    /// The sum as a double; nil of nothing.
    private var real: Double? {
        if count == 0 { return nil }
        if let decimals { return decimals.divided(by: 1) }
        return isReal ? reals.value : Double(integers)
    }
}

extension StorageValue {
    /// Returns zero as a sum of values of a type.
    static func zero(of type: FieldType) -> StorageValue {
        switch type {
        case .decimal: DecimalSum().value ?? .null
        case .double, .float: .real(0)
        default: .integer(0)
        }
    }
}
