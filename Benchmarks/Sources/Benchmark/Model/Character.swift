import Foundation

/// The eight-field model that every contestant keeps, indexed on `publisherId` and `name`.
struct Character: Equatable, Sendable {
    /// The primary key.
    var id: Int
    /// About 12 bytes, nearly unique.
    var name: String
    /// About 16 bytes.
    var realName: String
    /// One of 50, or nil for one row in fifty.
    var publisherId: Int?
    /// From 0 to 10,000.
    var power: Double
    /// Whole microseconds, the precision that every contestant keeps.
    var createdAt: Date
    /// True for every other row.
    var isActive: Bool
    /// About 60 bytes, or nil for one row in ten.
    var bio: String?
}

extension Character {
    /// The stored form of `createdAt` in every contestant: microseconds since 1970.
    var createdMicroseconds: Int64 {
        Int64((createdAt.timeIntervalSince1970 * 1_000_000).rounded())
    }
}

extension Date {
    /// Creates a date from the stored form of `createdAt`.
    @inline(__always)
    init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
