import Foundation

/// The offsets of a time zone from UTC, read from the bytes of a constant.
///
/// A request carries the rules that its program knows, so parts of dates in the zone are the same on every engine,
/// whatever rules a server has. The bytes are the number of periods of one offset, the first microsecond of each, their
/// offsets, and the local times to which they lead, each in eight bytes; then the zone's name.
package struct ZoneRules {
    private let bytes: UnsafeRawBufferPointer
    /// The number of periods of one offset, at least one.
    package let count: Int

    /// Creates rules from the bytes of a constant, which are borrowed; nil where they are none.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        let count = bytes.loadUnaligned(as: Int64.self)
        guard count > 0, count <= (bytes.count - 8) / 24 else { return nil }
        self.bytes = bytes
        self.count = Int(count)
    }

    private func word(_ index: Int) -> Int64 {
        bytes.loadUnaligned(fromByteOffset: 8 + index * 8, as: Int64.self)
    }

    /// The first moment of a period, in microseconds since 1970.
    package func start(_ period: Int) -> Int64 { word(period) }

    /// The offset of a period in microseconds, positive to the east of Greenwich.
    package func offset(_ period: Int) -> Int64 { word(count + period) }

    /// The latest local time to which a period, or one before it, leads; the greatest integer for the last one.
    package func end(_ period: Int) -> Int64 { word(2 * count + period) }

    /// The name of the zone.
    package var name: String { String(decoding: bytes[(8 + count * 24)...], as: UTF8.self) }

    /// Returns the date whose parts in UTC are those that a clock of the zone shows at a date.
    func localTime(_ date: Int64) -> Int64 {
        date &+ offset(max(firstPeriod { start($0) > date } - 1, 0))
    }

    /// Returns the first moment at which a clock of the zone shows a local time, or a later one where that is skipped.
    func firstMoment(_ local: Int64) -> Int64 {
        let period = min(firstPeriod { end($0) > local }, count - 1)
        return max(start(period), local &- offset(period))
    }

    /// Returns the first period of which something is true that is true of all after it as well.
    private func firstPeriod(_ isTrue: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RowFunctionCall {
    /// Computes a function of a date in microseconds and the rules of a zone; nil where the bytes are no rules.
    package func value(of date: Int64, inZone rules: UnsafeRawBufferPointer) -> Int64? {
        guard let rules = ZoneRules(rules) else { return nil }
        return function == .localTime ? rules.localTime(date) : rules.firstMoment(date)
    }
}

extension RowExpression {
    /// The name of the zone whose rules a constant holds; nil for what holds none.
    var zoneName: String? {
        guard case .constant(.data(let bytes), _) = self else { return nil }
        return bytes.withUnsafeBytes { ZoneRules($0)?.name }
    }
}
