import Synchronization

/// One observer of a value that is computed anew when a commit may have changed it: confined to the
/// hub, but for what it hands over.
final class ValueReader<Value: Sendable>: CommitReader, @unchecked Sendable {
    let entityNames: Set<[UInt8]>
    let selector: RowSelector?
    let mailbox: ValueMailbox<Value>
    private let name: [UInt8]
    private let predicate: RowPredicate
    private let entity: EntitySchema
    private let entities: [EntitySchema]
    private let isOfOwnRows: Bool
    private let bounds: RowBounds?
    private let hub: ChangeHub
    private let engine: any Engine
    private let compute: @Sendable () async throws -> Value
    private var isComputing = false
    /// Whether a commit came while the value was computed.
    private var isOutdated = false
    /// Whether the value was computed once.
    private var hasValue = false
    private var isEnded = false

    init(
        _ query: RowQuery,
        _ source: (hub: ChangeHub, engine: any Engine),
        isSame: @escaping @Sendable (Value, Value) -> Bool,
        compute: @escaping @Sendable () async throws -> Value
    ) {
        entity = query.entity
        name = entity.nameBytes
        entities = Array(query.dependencies)
        entityNames = Set(entities.map(\.nameBytes))
        isOfOwnRows = query.isOfOwnRows
        selector = isOfOwnRows ? RowSelector(query) : nil
        bounds = isOfOwnRows ? RowBounds(query) : nil
        predicate = RowPredicate(query.condition, of: entity)
        (hub, engine) = source
        mailbox = ValueMailbox(isSame)
        self.compute = compute
    }

    func begin() {
        hub.changeWatches { $0.changing(entities) { $0.add(within: bounds) } }
        update()
    }

    func finish() {
        if isEnded { return }
        isEnded = true
        hub.changeWatches { $0.changing(entities) { $0.remove(within: bounds) } }
    }

    func receive(_ commit: CapturedCommit) {
        if isEnded || isOutdated || !commit.units.contains(where: concerns) { return }
        if isComputing { isOutdated = true } else { update() }
    }

    func end(readersOf engine: (any Engine)?, _ error: DBClientError) {
        if engine == nil || engine === self.engine { mailbox.end(error) }
    }

    /// Whether a unit touched a row that counts.
    private func concerns(_ unit: CapturedUnit) -> Bool {
        // What goes through relationships is not decided by one row.
        if !isOfOwnRows {
            return entityNames.contains(where: unit.unseen.contains)
                || unit.logs.contains { entityNames.contains($0.name) }
        }
        if unit.unseen.contains(name) { return true }
        return unit.logs.contains { log in
            guard log.name == name else { return false }
            if log.entity !== entity, log.entity.fields != entity.fields { return true }
            return log.entries.contains { entry in
                guard log.matches(entry.before, predicate) || log.matches(entry.after, predicate)
                else { return false }
                guard let before = log.row(entry.before), let after = log.row(entry.after) else {
                    return true
                }
                return !before.isSame(after)
            }
        }
    }

    private func update() {
        isComputing = true
        isOutdated = false
        Task.detached { [self] in
            do {
                mailbox.put(try await compute())
                hub.perform { _ in self.endUpdate() }
            } catch {
                let error = DBClientError.wrapping(error)
                hub.perform { _ in self.take(error) }
            }
        }
    }

    private func endUpdate() {
        hasValue = true
        isComputing = false
        if isOutdated && !isEnded { update() }
    }

    private func take(_ error: DBClientError) {
        guard hasValue, error.mayPass else { return mailbox.end(error) }
        Task.detached { [hub] in
            try? await Task.sleep(for: .retryInterval)
            hub.perform { _ in
                if !self.isEnded { self.update() }
            }
        }
    }
}

/// The newest value for one observer, and what it last got.
final class ValueMailbox<Value: Sendable>: Sendable {
    private struct State {
        var delivered: Value?
        var waiting: Value?
        var failure: DBClientError?
        var isEnded = false
        var reader: CheckedContinuation<Value?, any Error>?
    }

    private let state = Mutex(State())
    private let isSame: @Sendable (Value, Value) -> Bool

    init(_ isSame: @escaping @Sendable (Value, Value) -> Bool) {
        self.isSame = isSame
    }

    /// Hands a value over unless the observer has it.
    func put(_ value: Value) {
        let reader = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
            if state.isEnded { return nil }
            if let delivered = state.delivered, isSame(delivered, value) {
                state.waiting = nil
                return nil
            }
            guard let reader = state.reader else {
                state.waiting = value
                return nil
            }
            state.reader = nil
            state.delivered = value
            return reader
        }
        reader?.resume(returning: value)
    }

    /// Returns the next value, waiting for it; nil when the observation was cancelled.
    func next() async throws -> Value? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Value?, any Error>? in
                    if let failure = state.failure {
                        state.failure = nil
                        return .failure(failure)
                    }
                    if state.isEnded || Task.isCancelled { return .success(nil) }
                    if let value = state.waiting {
                        state.waiting = nil
                        state.delivered = value
                        return .success(value)
                    }
                    state.reader = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            end(nil)
        }
    }

    /// Ends the observation, with an error if there is one.
    func end(_ error: DBClientError?) {
        let reader = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
            if state.isEnded { return nil }
            let reader = state.reader
            state = State(failure: reader == nil ? error : nil, isEnded: true)
            return reader
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
    }
}
