/// The changes of one commit, or of several as one, to the rows of an entity: each row once.
final class FeedUnit: @unchecked Sendable {
    /// A row that was written: the copies before and after, of which one may be missing.
    struct Row {
        let key: OrderKey
        let before: RowBatch?
        let after: RowBatch?
    }

    /// The rows in the order of their primary keys.
    let rows: [Row]
    /// Whether there were changes of which the rows are not known.
    let hasUnseen: Bool
    /// The logs that own the memory of the rows.
    private let logs: [RowLog]

    var rowCount: Int { rows.count }
    var isEmpty: Bool { rows.isEmpty && !hasUnseen }

    /// Makes the net effect of what was written in order.
    init(logs: [RowLog], hasUnseen: Bool, _ keys: OrderKeyEncoder) {
        // They own the memory of their rows.
        defer { withExtendedLifetime(logs) {} }
        var written: [Row] = []
        for log in logs {
            for entry in log.entries {
                let (before, after) = (log.row(entry.before), log.row(entry.after))
                guard let row = after ?? before else { continue }
                written.append(Row(key: keys.key(of: row), before: before, after: after))
            }
        }
        rows = Self.net(written)
        self.logs = logs
        self.hasUnseen = hasUnseen
    }

    /// Makes one of several, in rows of its own, so that the states between can be released.
    init(merging units: [FeedUnit], _ keys: OrderKeyEncoder) {
        // They own the memory of their rows.
        defer { withExtendedLifetime(units) {} }
        hasUnseen = units.contains { $0.hasUnseen }
        let net = Self.net(units.flatMap(\.rows))
        guard let entity = units.lazy.flatMap(\.logs).first?.entity else {
            (rows, logs) = ([], [])
            return
        }
        let log = RowLog(entity)
        for row in net {
            log.append(before: row.before, after: row.after)
        }
        rows = zip(net, log.entries).map { row, entry in
            Row(key: row.key, before: log.row(entry.before), after: log.row(entry.after))
        }
        logs = [log]
    }

    /// Keeps of each row what was first before and what is last after, unless they are the same.
    private static func net(_ written: [Row]) -> [Row] {
        let sorted = written.indices.sorted {
            let order = written[$0].key.compare(written[$1].key)
            return order < 0 || order == 0 && $0 < $1
        }
        var rows: [Row] = []
        rows.reserveCapacity(written.count)
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, written[sorted[end]].key == written[sorted[start]].key {
                end += 1
            }
            let (first, last) = (written[sorted[start]], written[sorted[end - 1]])
            start = end
            if first.before == nil && last.after == nil { continue }
            if let before = first.before, let after = last.after, before.isSame(after) { continue }
            rows.append(Row(key: first.key, before: first.before, after: last.after))
        }
        return rows
    }
}
