import DBClientCore

/// A range of encoded keys: from `lower`, included, to `upper`, excluded.
struct KeyRange: Equatable {
    var lower: [UInt8]
    /// The end, excluded; nil where the range has none.
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
}

extension [KeyRange] {
    /// Returns the ranges of an index's keys, of which a long one is shortened: ascending, and no key in two
    /// of them.
    ///
    /// A bound that is longer than what a shortened key keeps ends there, so that its range is wider; and ranges
    /// that differed after that are one.
    func fitted() -> (ranges: [KeyRange], areWidened: Bool) {
        guard contains(where: \.isLong) else { return (self, false) }
        var ranges: [KeyRange] = []
        for range in map(\.fitted).sorted(by: { $0.lower.lexicographicallyPrecedes($1.lower) }) {
            if let last = ranges.last, last.meets(range) {
                ranges[ranges.count - 1].upper = last.upper(with: range)
            } else {
                ranges.append(range)
            }
        }
        return (ranges, contains { $0.isLong && !$0.isOneKey })
    }
}

extension KeyRange {
    /// Whether an index's keys keep too little for the range.
    fileprivate var isLong: Bool {
        if isOneKey { return lower.count > IndexStore.keyLimit }
        return max(lower.count, upper?.count ?? 0) > IndexStore.keptPrefix
    }

    fileprivate var fitted: KeyRange {
        guard isLong else { return self }
        if isOneKey {
            var key = KeyWriter()
            defer { key.deallocate() }
            lower.withUnsafeBytes { key.append($0) }
            IndexStore.shorten(&key)
            return KeyRange(lower: Array(key.bytes), upper: nil, isOneKey: true)
        }
        var fitted = self
        fitted.lower = Array(lower.prefix(IndexStore.keptPrefix))
        if let upper, upper.count > IndexStore.keptPrefix {
            fitted.upper = Self.successor(of: Array(upper.prefix(IndexStore.keptPrefix)))
        }
        return fitted
    }

    /// Whether a range that begins no earlier has keys of this one or those right after.
    fileprivate func meets(_ next: KeyRange) -> Bool {
        if isOneKey { return lower == next.lower }
        guard let upper else { return true }
        return !upper.lexicographicallyPrecedes(next.lower)
    }

    /// Returns the greater of two upper bounds.
    fileprivate func upper(with next: KeyRange) -> [UInt8]? {
        guard let upper, let other = next.upper else { return nil }
        return upper.lexicographicallyPrecedes(other) ? other : upper
    }
}
