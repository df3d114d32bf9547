/// A sum of doubles, of which only the whole can leave their range.
///
/// Large values are added up scaled down, apart from the others: so the sum does not depend on the order
/// in which it passes the ends of the range. A sum that no double holds is infinite, and opposite
/// infinities come to NaN.
public struct RealSum: Sendable {
    /// From here on a value is large: 2^64 smaller ones stay in the range.
    private static let limit = 0x1p960
    private static let scale = 0x1p-64

    private var small = 0.0
    private var large = 0.0

    /// Creates the sum of nothing: zero.
    public init() {}

    /// Adds a value.
    @inline(__always)
    public mutating func add(_ value: Double) {
        if value.magnitude < Self.limit { small += value } else { large += value * Self.scale }
    }

    /// The sum.
    public var value: Double { divided(by: 1) }

    /// Returns the average of so many values, which may be in the range where their sum is not.
    public func divided(by count: Int) -> Double {
        if large == 0 { return small / Double(count) }
        // The processor gives what is no number a sign.
        if large.isNaN { return .nan }
        return (large + small * Self.scale) / Double(count) / Self.scale
    }
}
