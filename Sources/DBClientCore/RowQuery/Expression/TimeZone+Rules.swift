import Foundation

extension TimeZone {
    /// The rules of the zone, as `ZoneRules` reads them, up to the beginning of 2100.
    ///
    /// From then on the offset is the one of that New Year, so that the last day of the year 9999, which stands for no end,
    /// is of that year in a zone of the south as well. The first and the last two days that are kept have no offset, so
    /// that every date has a local time that is kept too.
    var rules: [UInt8] {
        Self.known.withLock { known in
            if let rules = known[identifier] { return rules }
            let rules = makeRules()
            known[identifier] = rules
            return rules
        }
    }

    /// The rules of the zones that were asked for: what makes them asks Foundation for some hundred changes.
    private static let known = UnfairMutex<[String: [UInt8]]>([:])

    private func makeRules() -> [UInt8] {
        let edge: Int64 = 2 * 86_400_000_000
        let first: Int64 = -210_866_803_200_000_000
        var starts = [first]
        var offsets: [Int64] = [0]
        func add(_ start: Int64, _ offset: Int64) {
            // Foundation also tells changes of a name alone.
            if offset == offsets[offsets.count - 1] { return }
            starts.append(start)
            offsets.append(offset)
        }
        func offset(at date: Date) -> Int64 { Int64(secondsFromGMT(for: date)) * 1_000_000 }
        var date = Date(timeIntervalSince1970: Double((first + edge) / 1_000_000))
        add(first + edge, offset(at: date))
        let end = Date(timeIntervalSince1970: 4_102_444_800)
        while let next = nextDaylightSavingTimeTransition(after: date), next > date, next < end {
            date = next
            add(Int64(next.timeIntervalSince1970.rounded()) * 1_000_000, offset(at: next))
        }
        add(.max - edge, 0)
        var bytes: [UInt8] = []
        func put(_ word: Int64) { withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) } }
        put(Int64(starts.count))
        for start in starts { put(start) }
        for offset in offsets { put(offset) }
        // Where clocks are put back, a period may lead to an earlier local time than the one before it.
        var latest = Int64.min
        for (next, offset) in zip(starts.dropFirst(), offsets) {
            latest = max(latest, next + offset)
            put(latest)
        }
        put(.max)
        bytes.append(contentsOf: identifier.utf8)
        return bytes
    }
}
