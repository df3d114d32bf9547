import DBClientCore

/// A range of encoded keys: from `lower`, included, to `upper`, excluded.
struct KeyRange: Equatable {
    var lower: [UInt8]
    /// Nil for no end.
    var upper: [UInt8]?
    /// Whether the range is one whole key.
    var isOneKey = false

    static let all = KeyRange(lower: [], upper: nil)

    /// The keys that begin with bytes.
    static func prefix(_ bytes: [UInt8]) -> KeyRange {
        KeyRange(lower: bytes, upper: successor(of: bytes))
    }

    /// Returns the least bytes over every one that begins with `bytes`, or nil when there is none.
    static func successor(of bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        while let last = bytes.popLast() {
            if last < 0xFF { return bytes + [last + 1] }
        }
        return nil
    }

    /// Widens a bound that is longer than what a shortened key keeps.
    func fitted(to length: Int) -> KeyRange {
        if isOneKey { return self }
        var fitted = self
        if lower.count > length { fitted.lower = Array(lower.prefix(length)) }
        if let upper, upper.count > length {
            fitted.upper = Self.successor(of: Array(upper.prefix(length)))
        }
        return fitted
    }
}
