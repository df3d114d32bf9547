/// An exact sum from which what was added can be taken away again, for as long as it is kept.
///
/// What it comes to depends on the values that are in it alone, not on those that were: it is bit by bit what
/// ``FieldAggregate`` makes of the same values.
struct RemovableSum: Sendable {
    /// How many values are in it, absent ones left out.
    private(set) var count = 0
    private var integers: Int128 = 0
    private var reals = RealSum()
    private var realCount = 0
    /// The values that are in no sum of finite ones, since taking them away would not undo adding them.
    private var infinities = (negative: 0, positive: 0, noNumber: 0)
    private var decimals: DecimalSum?

    /// Adds a value; an absent one counts for nothing.
    mutating func add(_ slot: Slot) { take(slot, 1) }

    /// Takes a value away that was added, or that will be before the sum is asked for.
    mutating func remove(_ slot: Slot) { take(slot, -1) }

    private mutating func take(_ slot: Slot, _ weight: Int) {
        switch slot.kind {
        case .null: return
        case .real:
            realCount += weight
            let real = slot.real
            if real.isFinite {
                reals.add(weight > 0 ? real : -real)
            } else if real.isNaN {
                infinities.noNumber += weight
            } else if real < 0 {
                infinities.negative += weight
            } else {
                infinities.positive += weight
            }
        case .data:
            if decimals == nil { decimals = DecimalSum() }
            if weight > 0 { decimals?.add(slot.bytes) } else { decimals?.remove(slot.bytes) }
        default: integers += Int128(weight) * Int128(slot.integer)
        }
        count += weight
    }

    /// The sum of what is infinite or no number; nil where everything is finite.
    private var special: Double? {
        switch infinities {
        case (0, 0, 0): nil
        case (_, 0, 0): -.infinity
        case (0, _, 0): .infinity
        default: .nan
        }
    }

    /// Returns the sum, or the average, of what is in it; null of nothing.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Int64`, or one of decimals that of `Decimal`.
    func result(
        _ function: AggregateFunction,
        _ entity: EntitySchema,
        _ field: @autoclosure () -> FieldSchema
    ) throws -> StorageValue {
        if count == 0 { return .null }
        if let decimals {
            if decimals.isDamaged {
                throw DBClientError.damagedDecimal(entity, field())
            }
            if function == .average { return .real(decimals.divided(by: count) ?? .nan) }
            if let sum = decimals.value { return sum }
        } else if realCount != 0 {
            if let special {
                return .real(function == .average ? special / Double(count) : special)
            }
            return .real(function == .average ? reals.divided(by: count) : reals.value)
        } else {
            if function == .average { return .real(Double(integers) / Double(count)) }
            if let sum = Int64(exactly: integers) { return .integer(sum) }
        }
        throw DBClientError.sumOutOfRange(entity, field())
    }
}
