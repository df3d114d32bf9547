import Synchronization

/// One listener to the commits that write rows of an entity: what it has not got yet is kept for it.
///
/// A listener that falls behind gets several commits as one: kept are at most so many rows as the rows
/// that were written are different, not as often as they were written.
final class FeedSubscriber: CommitSubscriber, Sendable {
    private struct State {
        /// The changes that were committed, one element for each commit.
        var pending: [FeedUnit] = []
        var pendingRows = 0
        /// How many rows are kept before commits are merged.
        var mergeLimit = FeedSubscriber.smallestMergeLimit
        /// Whether what came first is being merged, and is not pending meanwhile.
        var isMerging = false
        var failure: DBClientError?
        var isEnded = false
        /// Commits up to this number were before the listener's time.
        var since: UInt64 = .max
        var waiter: CheckedContinuation<FeedUnit?, any Error>?

        /// Takes what is to be told next, if it is there.
        mutating func takeFirst() -> FeedUnit? {
            guard !isMerging, !pending.isEmpty else { return nil }
            let unit = pending.removeFirst()
            pendingRows -= unit.rowCount
            return unit
        }
    }

    let entityNames: Set<EntityName>
    let selector: RowSelector? = nil
    private let name: EntityName
    private let entity: EntitySchema
    private let keys: OrderKeyEncoder
    private let hub: ChangeHub
    let engine: any Engine
    /// Kept open while it is observed.
    private let client: any DBClient
    private let state = Mutex(State())

    private static let smallestMergeLimit = 16_384

    init(_ entity: EntitySchema, _ hub: ChangeHub, engine: any Engine, client: any DBClient) {
        self.entity = entity
        name = entity.exactName
        entityNames = [name]
        keys = OrderKeyEncoder(RowQuery(entity))
        self.hub = hub
        self.engine = engine
        self.client = client
    }

    /// Begins to listen; what is committed from now on comes.
    ///
    /// The iterator that ``CommitFeed/begin()`` returns is over a subscriber that has begun.
    func begin() {
        hub.changeWatches { $0.changing([entity]) { $0.feeds += 1 } }
        hub.join(after: { number in state.withLock { $0.since = number } }, { $0.attach(self) })
    }

    /// Stops listening, and ends the sequence without an error.
    func cancel() {
        guard finish(nil) else { return }
        hub.changeWatches { $0.changing([entity]) { $0.feeds -= 1 } }
        hub.perform { $0.remove(self) }
    }

    func end(subscribersOf engine: (any Engine)?, _ error: DBClientError) {
        guard engine == nil || engine === self.engine, finish(error) else { return }
        hub.changeWatches { $0.changing([entity]) { $0.feeds -= 1 } }
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
        let (waiter, mustMerge) = state.withLock {
            state -> (CheckedContinuation<FeedUnit?, any Error>?, Bool) in
            if state.isEnded { return (nil, false) }
            if !state.isMerging, let waiter = state.waiter {
                state.waiter = nil
                return (waiter, false)
            }
            state.pending.append(unit)
            state.pendingRows += unit.rowCount
            let isMuch = state.pendingRows > state.mergeLimit || state.pending.count > 1_024
            guard isMuch, !state.isMerging else { return (nil, false) }
            state.isMerging = true
            return (nil, true)
        }
        waiter?.resume(returning: unit)
        // Not here, where a writer may be.
        if mustMerge { hub.perform { _ in self.merge() } }
    }

    /// Makes one of what is pending.
    private func merge() {
        let units = state.withLock { state in
            defer { (state.pending, state.pendingRows) = ([], 0) }
            return state.pending
        }
        let merged = FeedUnit(merging: units, keys)
        let (waiter, unit) = state.withLock {
            state -> (CheckedContinuation<FeedUnit?, any Error>?, FeedUnit?) in
            if state.isEnded { return (nil, nil) }
            state.isMerging = false
            state.mergeLimit = max(Self.smallestMergeLimit, 2 * merged.rowCount)
            if !merged.isEmpty {
                state.pending.insert(merged, at: 0)
                state.pendingRows += merged.rowCount
            }
            guard let waiter = state.waiter, let unit = state.takeFirst() else { return (nil, nil) }
            state.waiter = nil
            return (waiter, unit)
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
                    if let unit = state.takeFirst() { return .success(unit) }
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
