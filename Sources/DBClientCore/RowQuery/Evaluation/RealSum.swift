/// An exact sum of doubles, rounded once: whatever their order, it is the double nearest to their sum.
///
/// The sum so far is kept as a double and what that lacks, which most sums never leave; what two doubles
/// cannot hold goes into a fixed-point number that holds every sum of doubles. A sum that no double holds is
/// infinite, and opposite infinities come to NaN.
public struct RealSum: Sendable {
    /// The sum without what is in the limbs, rounded.
    private var high = 0.0
    /// What the rounding left out, exactly.
    private var low = 0.0
    /// The sum of the values that are infinite or no number; zero of none.
    private var special = 0.0
    /// The rest of the sum in units of the least double; empty until two doubles do not suffice.
    private var limbs = RealLimbs()

    /// Creates the sum of nothing: zero.
    public init() {}

    /// Adds a value to the sum.
    @inline(__always)
    public mutating func add(_ value: Double) {
        let (high, error) = Self.sum(self.high, value)
        let (low, rest) = Self.sum(self.low, error)
        // False as well where something is infinite or no number.
        guard rest == 0 else { return addApart(value) }
        self.high = high
        self.low = low
    }

    /// Returns a sum and what it lacks, both exact as long as nothing leaves the range (Knuth's two-sum).
    @inline(__always)
    private static func sum(_ left: Double, _ right: Double) -> (Double, Double) {
        let sum = left + right
        let added = sum - left
        return (sum, (left - (sum - added)) + (right - added))
    }

    /// Adds a value for which two doubles do not suffice.
    @inline(never)
    private mutating func addApart(_ value: Double) {
        guard value.isFinite else {
            special += value
            return
        }
        limbs.add(high)
        limbs.add(low)
        high = value
        low = 0
    }

    /// The sum as the nearest double.
    public var value: Double {
        // The processor gives what is no number a sign.
        if special != 0 { return special.isNaN ? .nan : special }
        return limbs.isEmpty ? high + low : whole.rounded(scaledBy: 0)
    }

    /// Returns the average of a number of values, the sum divided by their number, which may be in the range
    /// where the sum is not.
    public func divided(by count: Int) -> Double {
        let sum = value
        if sum.isFinite || special != 0 { return sum / Double(count) }
        return whole.rounded(scaledBy: -64) / Double(count) * 0x1p64
    }

    private var whole: RealLimbs {
        var whole = limbs
        whole.add(high)
        whole.add(low)
        return whole
    }
}

/// A fixed-point number with room for the sum of 2^64 doubles of any size.
private struct RealLimbs: Sendable {
    /// The bits from the lowest of the least double to the highest of the greatest, and 64 more.
    private static let count = (1_074 + 1_024 + 64 + 31) / 32
    private static let mask: Int64 = 0xFFFF_FFFF

    /// 32 bits a limb, the lowest first, the carries left for later; empty while the number is zero.
    private var limbs: [Int64] = []
    /// The additions since carries were last taken, of which a limb has room for 2^31.
    private var additions = 0

    var isEmpty: Bool { limbs.isEmpty }

    /// Adds a finite double to the limbs.
    mutating func add(_ value: Double) {
        if value == 0 { return }
        if limbs.isEmpty { limbs = Array(repeating: 0, count: Self.count) }
        let exponent = Int(value.exponentBitPattern)
        let significand = value.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
        // The place of the significand's lowest bit.
        let place = max(exponent, 1) - 1
        var bits = UInt128(significand) << (place & 31)
        var index = place >> 5
        while bits != 0 {
            let part = Int64(truncatingIfNeeded: bits) & Self.mask
            limbs[index] += value < 0 ? -part : part
            bits >>= 32
            index += 1
        }
        additions += 1
        if additions == 1 << 30 { _ = carry() }
    }

    /// Brings all limbs but the highest into their range, and returns whether the number is negative.
    private mutating func carry() -> Bool {
        var carried: Int64 = 0
        for index in limbs.indices.dropLast() {
            carried += limbs[index]
            limbs[index] = carried & Self.mask
            carried >>= 32
        }
        limbs[Self.count - 1] += carried
        additions = 0
        return limbs[Self.count - 1] < 0
    }

    /// Returns the double nearest to the number times a power of two, which must not lead to where doubles have
    /// fewer digits.
    func rounded(scaledBy power: Int) -> Double {
        var number = self
        if number.isEmpty { return 0 }
        let isNegative = number.carry()
        if isNegative {
            for index in number.limbs.indices { number.limbs[index].negate() }
            _ = number.carry()
        }
        guard let top = number.limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        let magnitude = number.magnitude(below: top, power)
        return isNegative ? -magnitude : magnitude
    }

    private func magnitude(below top: Int, _ power: Int) -> Double {
        // The highest 96 bits: at least 65 that count.
        var bits: UInt128 = 0
        for index in [top, top - 1, top - 2] {
            bits = bits << 32 | (index >= 0 ? UInt128(limbs[index]) : 0)
        }
        let width = 128 - bits.leadingZeroBitCount
        // The place of the highest bit.
        let place = (top - 2) * 32 + width - 1
        // A number of 53 bits or fewer is a double as it is, with its bits for a pattern.
        if place < 53 { return Double(bitPattern: UInt64(bits >> ((2 - top) * 32))) }
        let cut = width - 53
        var significand = UInt64(bits >> cut)
        let rest = bits & ((1 << cut) - 1)
        let half: UInt128 = 1 << (cut - 1)
        let isMore = rest > half || top > 2 && limbs[..<(top - 2)].contains { $0 != 0 }
        if rest >= half, isMore || significand & 1 == 1 { significand += 1 }
        let exponent = place - 52 + power
        // A carry out of the significand adds to the exponent.
        let pattern = (UInt64(exponent) << 52) + significand
        return Double(bitPattern: min(pattern, Double.infinity.bitPattern))
    }
}
