import Synchronization

/// One listener to the commits that write rows of an entity: what it has not got yet is kept for it.
///
/// A listener that falls behind gets several commits as one: kept are at most so many rows as the rows
/// that were written are different, not as often as they were written.
final class FeedReader: CommitReader, Sendable {
    private struct State {
        /// What was committed, one element for each commit.
        var pending: [FeedUnit] = []
        var pendingRows = 0
        /// How many rows are kept before commits are merged.
        var mergeLimit = FeedReader.smallestMergeLimit
        var failure: DBClientError?
        var isEnded = false
        /// Commits up to this number were before the listener's time.
        var since: UInt64 = .max
        var waiter: CheckedContinuation<FeedUnit?, any Error>?
    }

    let entityNames: Set<[UInt8]>
    private let name: [UInt8]
    private let entity: EntitySchema
    private let keys: OrderKeyEncoder
    private let hub: ChangeHub
    private let engine: any Engine
    /// Kept open while it is observed.
    private let client: any DBClient
    private let state = Mutex(State())

    private static let smallestMergeLimit = 16_384

    init(_ entity: EntitySchema, _ hub: ChangeHub, engine: any Engine, client: any DBClient) {
        self.entity = entity
        name = entity.nameBytes
        entityNames = [name]
        keys = OrderKeyEncoder(RowQuery(entity))
        self.hub = hub
        self.engine = engine
        self.client = client
    }

    /// Begins to listen; what is committed from now on comes.
    func begin() {
        hub.changeWatches { $0.changing(entityNames) { $0.feeds += 1 } }
        hub.join(self) { number in state.withLock { $0.since = number } }
    }

    /// Ends listening.
    func cancel() {
        guard finish(nil) else { return }
        hub.changeWatches { $0.changing(entityNames) { $0.feeds -= 1 } }
        hub.perform { $0.remove(self) }
    }

    func end(readersOf engine: (any Engine)?, _ error: DBClientError) {
        guard engine == nil || engine === self.engine, finish(error) else { return }
        hub.changeWatches { $0.changing(entityNames) { $0.feeds -= 1 } }
        hub.perform { $0.remove(self) }
    }

    private func finish(_ error: DBClientError?) -> Bool {
        let (isFirst, waiter) = state.withLock {
            state -> (Bool, CheckedContinuation<FeedUnit?, any Error>?) in
            if state.isEnded { return (false, nil) }
            let waiter = state.waiter
            state = State(failure: waiter == nil ? error : nil, isEnded: true)
            return (true, waiter)
        }
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: nil) }
        return isFirst
    }

    func receive(_ commit: CapturedCommit) {
        if state.withLock({ commit.number <= $0.since }) { return }
        for unit in commit.units {
            let logs = unit.logs.filter { $0.name == name }
            let hasShape = logs.allSatisfy { entity.hasRows(of: $0.entity) }
            let unseen = unit.unseen.contains(name) || !hasShape
            let told = FeedUnit(logs: hasShape ? logs : [], hasUnseen: unseen, keys)
            if !told.isEmpty { put(told) }
        }
    }

    private func put(_ unit: FeedUnit) {
        let waiter = state.withLock { state -> CheckedContinuation<FeedUnit?, any Error>? in
            if state.isEnded { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.pending.append(unit)
            state.pendingRows += unit.rowCount
            if state.pendingRows > state.mergeLimit || state.pending.count > 1_024 {
                let merged = FeedUnit(merging: state.pending, keys)
                state.pending = merged.isEmpty ? [] : [merged]
                state.pendingRows = merged.rowCount
                state.mergeLimit = max(Self.smallestMergeLimit, 2 * merged.rowCount)
            }
            return nil
        }
        waiter?.resume(returning: unit)
    }

    /// Returns the next commit, waiting for it; nil when listening was cancelled.
    func next() async throws -> FeedUnit? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<FeedUnit?, any Error>? in
                    if let failure = state.failure {
                        state.failure = nil
                        return .failure(failure)
                    }
                    if state.isEnded || Task.isCancelled { return .success(nil) }
                    if !state.pending.isEmpty {
                        let unit = state.pending.removeFirst()
                        state.pendingRows -= unit.rowCount
                        return .success(unit)
                    }
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }
}

/// What one commit, or several as one, did to the rows of an entity: each row once.
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
    /// What the rows lie in.
    private let logs: [RowLog]

    var rowCount: Int { rows.count }
    var isEmpty: Bool { rows.isEmpty && !hasUnseen }

    /// Makes the net effect of what was written in order.
    init(logs: [RowLog], hasUnseen: Bool, _ keys: OrderKeyEncoder) {
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

    /// Makes one of several, in rows of its own, so that what lies between can be let go.
    init(merging units: [FeedUnit], _ keys: OrderKeyEncoder) {
        hasUnseen = units.contains { $0.hasUnseen }
        let net = Self.net(units.flatMap(\.rows))
        guard let entity = units.lazy.flatMap(\.logs).first?.entity else {
            (rows, logs) = ([], [])
            return
        }
        let log = RowLog(entity, name: entity.nameBytes, limit: .max)
        for row in net {
            log.append(
                before: row.before.map { log.copy($0, row: 0) } ?? -1,
                after: row.after.map { log.copy($0, row: 0) } ?? -1
            )
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

extension EntitySchema {
    /// Whether rows of another schema of this entity are read like its own.
    func hasRows(of other: EntitySchema) -> Bool {
        other === self || other.fields == fields && other.primaryKey == primaryKey
    }
}
