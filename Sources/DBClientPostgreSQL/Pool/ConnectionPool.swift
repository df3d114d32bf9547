import DBClientCore
import DBClientSQL
import Dispatch
import Foundation
import Synchronization

/// A pool of connections, each leased to one caller at a time in the order in which callers asked.
///
/// A thread gets the connection again that it had last: the server's process of a connection then stays on that
/// thread's processor. Any other thread gets the last one returned; those at the bottom of the stack grow old and
/// are closed.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [Session] = []
        /// Open connections and permits to open one.
        var count = 0
        /// How many there may be: fewer than configured after the server has refused one.
        var allowance: Int
        /// When one more is tried than the server gave.
        var nextTrial = Deadline(afterNanoseconds: 0)
        var waiting: [Waiter] = []
        /// Whether a look at the callers that wait too long is scheduled.
        var isExpiring = false
        var isClosed = false
        /// Whether the first connection was to a server that only follows another one.
        var beganOnStandby: Bool?
        var drained: [DispatchSemaphore] = []
        var threads: [ConnectionThread] = []
        #if os(Linux)
        var reactor: Reactor?
        #endif
        /// What commits survive, by the last connection to a server that is written to.
        var durability: PostgreSQLDurability?

        /// Takes the connection that a thread used last, or else the one that was used last.
        mutating func takeIdle(for thread: UInt) -> Session? {
            guard let index = idle.lastIndex(where: { $0.lastThread == thread }) else {
                return idle.popLast()
            }
            return idle.remove(at: index)
        }
    }

    let configuration: PostgreSQLConfiguration
    private let initialParameters: ConnectionParameters
    /// Whether a caller that gets no connection in time takes one of another pool.
    let hasSubstitute: Bool
    private let version = SQLSchemaVersion()
    private let state: UnfairMutex<State>
    // Only ever cancelled after it was set up.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    init(
        _ parameters: ConnectionParameters,
        _ configuration: PostgreSQLConfiguration,
        hasSubstitute: Bool = false
    ) {
        initialParameters = parameters
        state = UnfairMutex(State(allowance: configuration.maximumConnections))
        self.hasSubstitute = hasSubstitute
        self.configuration = configuration
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        let interval = max(1, min(configuration.idleTimeout.nanoseconds, 30_000_000_000) / 2)
        timer.schedule(
            deadline: .now() + .nanoseconds(interval),
            repeating: .nanoseconds(interval)
        )
        timer.setEventHandler { [weak self] in self?.tend() }
        timer.activate()
    }

    deinit {
        timer.cancel()
        // Threads wait for work until they are stopped.
        for thread in state.withLock({ $0.threads }) { thread.stop() }
        stopReactor()
    }

    /// What the pool holds at this moment.
    var figures: PostgreSQLPoolFigures {
        state.withLock {
            PostgreSQLPoolFigures(
                inUse: $0.count - $0.idle.count,
                idle: $0.idle.count,
                waiting: $0.waiting.count,
                allowed: $0.allowance
            )
        }
    }

    /// The parameters for libpq; once there was a connection, also which store it found.
    var parameters: ConnectionParameters {
        var parameters = initialParameters
        parameters.beganOnStandby = state.withLock { $0.beganOnStandby }
        return parameters
    }

    /// What commits survive; nil as long as no connection to a server that is written to was made.
    var durability: PostgreSQLDurability? { state.withLock { $0.durability } }

    /// How often one more connection is tried than the server gave.
    private static let trialInterval = Duration.seconds(2)

    /// Opens a connection on a permit; when that fails the permit goes to the next caller.
    ///
    /// Where the server has none left, the pool goes on with those that it has got: the caller waits for one of
    /// them, or for the server to have one.
    func open() throws -> Session {
        let deadline = Deadline(after: configuration.poolTimeout)
        while true {
            do {
                return try openAtOnce()
            } catch let error as DBClientError where error.code == .busy && !hasSubstitute {
                if deadline.hasPassed { throw error }
                // The permit is gone; another one is as good as a connection that is returned.
                guard case .session(let session)? = try awaitGrant(until: deadline, else: error)
                else {
                    continue
                }
                if session.isLendable { return session }
                session.close()
            }
        }
    }

    /// Waits for a connection of the pool's or a permit to open one, for which there is a pause where the pool
    /// has none.
    private func awaitGrant(until deadline: Deadline, else refusal: DBClientError) throws -> Grant?
    {
        let arrived = MonotonicSemaphore()
        let result = Mutex<Swift.Result<Grant, DBClientError>?>(nil)
        let waiter = Waiter { grant in
            result.withLock { $0 = grant }
            arrived.signal()
        }
        let hasOwn = try state.withLock { state -> Bool? in
            if state.isClosed { throw DBClientError(.closed, "The client was closed.") }
            if let session = state.takeIdle(for: currentThread()) {
                result.withLock { $0 = .success(.session(session)) }
                return nil
            }
            if state.count > 0 { state.waiting.insert(waiter, at: 0) }
            return state.count > 0
        }
        if hasOwn == false {
            usleep(100_000)
            state.withLock { $0.count += 1 }
            return .permit
        }
        if hasOwn == true, !arrived.wait(nanoseconds: deadline.nanoseconds) {
            if withdraw(waiter) { throw refusal }
            arrived.wait()
        }
        return try result.withLock { try $0?.get() }
    }

    /// Opens a connection on a permit, or releases the permit.
    private func openAtOnce() throws -> Session {
        do {
            let session = try Session(parameters, configuration, version)
            let connection = session.connection
            state.withLock { state in
                let isStandby = connection.store.isStandby
                if state.beganOnStandby == nil { state.beganOnStandby = isStandby }
                if !isStandby { state.durability = connection.durability }
                if state.allowance < configuration.maximumConnections { state.allowance += 1 }
            }
            return session
        } catch let error as DBClientError where error.code == .busy && !hasSubstitute {
            forgoPermit(after: error)
            throw error
        } catch {
            giveUp()
            throw error
        }
    }

    /// Makes the connections that are always there.
    func warm() throws {
        // A connection that is too old at once is not replaced over and over.
        for _ in 0..<configuration.minimumConnections {
            let mayOpen = state.withLock { state in
                if state.isClosed || state.count >= configuration.minimumConnections {
                    return false
                }
                state.count += 1
                return true
            }
            if !mayOpen { return }
            give(try openAtOnce())
        }
    }

    /// Returns a grant at once, or nil when the waiter, if there is one, has to wait for its own.
    ///
    /// Whether its connection lives is looked at by `session(_:)`.
    func request(_ waiter: Waiter?) throws -> Grant? {
        var firstDeadline: Deadline?
        let grant = try state.withLock { state -> Grant? in
            if state.isClosed { throw DBClientError(.closed, "The client was closed.") }
            if state.waiting.isEmpty, let session = state.takeIdle(for: currentThread()) {
                return .session(session)
            }
            if state.count < state.allowance {
                state.count += 1
                return .permit
            }
            if state.allowance < configuration.maximumConnections, state.nextTrial.hasPassed {
                state.nextTrial = Deadline(after: Self.trialInterval)
                state.allowance = state.count + 1
                state.count += 1
                return .permit
            }
            guard let waiter else { return nil }
            state.waiting.append(waiter)
            if let deadline = waiter.deadline, !state.isExpiring {
                state.isExpiring = true
                firstDeadline = deadline
            }
            return nil
        }
        if let firstDeadline { expire(at: firstDeadline) }
        return grant
    }

    /// Refuses the callers that have waited too long: one look for all of them, at the first one's deadline.
    private func expire(at deadline: Deadline) {
        DispatchQueue.global().asyncAfter(deadline: deadline.dispatchTime) { [weak self] in
            guard let self else { return }
            let (expired, next) = state.withLock { state -> ([Waiter], Deadline?) in
                var expired: [Waiter] = []
                state.waiting.removeAll { waiter in
                    guard waiter.deadline?.hasPassed == true else { return false }
                    expired.append(waiter)
                    return true
                }
                // They all wait for the same time.
                let next = state.waiting.lazy.compactMap(\.deadline).first
                state.isExpiring = next != nil
                return (expired, next)
            }
            for waiter in expired { waiter.grant(refusal) }
            if let next { expire(at: next) }
        }
    }

    /// What a caller gets that has waited too long.
    private var refusal: Swift.Result<Grant, DBClientError> {
        hasSubstitute ? .success(.none) : .failure(Self.exhausted)
    }

    /// Forgets a caller that waits no longer.
    ///
    /// - Returns: Whether it still waited; otherwise it has got its grant.
    func withdraw(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else {
                return false
            }
            state.waiting.remove(at: index)
            return true
        }
    }

    /// Returns a connection to the pool, or passes it to a caller that waits.
    func give(_ session: Session) {
        guard session.endUse() else { return discard(session) }
        let (waiter, isKept) = state.withLock { state -> (Waiter?, Bool) in
            if state.isClosed || state.count > state.allowance { return (nil, false) }
            if !state.waiting.isEmpty { return (state.waiting.removeFirst(), true) }
            state.idle.append(session)
            return (nil, true)
        }
        if let waiter { return waiter.grant(.success(.session(session))) }
        if !isKept { discard(session) }
    }

    /// Closes a connection; its place goes to the next caller.
    func discard(_ session: Session) {
        session.close()
        giveUp()
    }

    /// Gives a permit up that the server refuses, and goes on with the connections that there are.
    private func forgoPermit(after error: DBClientError) {
        let (former, allowance, drained) = state.withLock { state in
            let former = state.allowance
            state.count -= 1
            state.allowance = max(1, state.count)
            state.nextTrial = Deadline(after: Self.trialInterval)
            return (former, state.allowance, state.count == 0 ? state.drained : [])
        }
        for semaphore in drained { semaphore.signal() }
        if allowance < former { warn(.calls, error, allowed: allowance) }
    }

    /// Makes room for a connection beside the pool's, for which the server has none: one less is kept for a
    /// while.
    func makeRoom() {
        let session = state.withLock { state -> Session? in
            guard state.count > 1 else { return nil }
            state.allowance = max(1, min(state.allowance, state.count) - 1)
            state.nextTrial = Deadline(after: Self.trialInterval)
            return state.count > state.allowance ? state.idle.popLast() : nil
        }
        if let session { discard(session) }
    }

    /// Gives a permit back that was not used.
    func giveUp() {
        let (waiter, drained) = state.withLock { state -> (Waiter?, [DispatchSemaphore]) in
            if !state.waiting.isEmpty, state.count <= state.allowance {
                return (state.waiting.removeFirst(), [])
            }
            state.count -= 1
            return (nil, state.count == 0 ? state.drained : [])
        }
        waiter?.grant(.success(.permit))
        for semaphore in drained { semaphore.signal() }
    }

    /// Leases an idle thread, or starts one.
    func takeThread() -> ConnectionThread {
        state.withLock { $0.threads.popLast() } ?? ConnectionThread(named: "DBClientPostgreSQL")
    }

    /// Returns a thread, which is kept for the next caller.
    func give(_ thread: ConnectionThread) {
        let isKept = state.withLock { state in
            if state.isClosed { return false }
            state.threads.append(thread)
            return true
        }
        if !isKept { thread.stop() }
    }

    #if os(Linux)
    /// Waits for the answers to suspended calls; nil when the process has no room for it.
    var reactor: Reactor? {
        state.withLock { state in
            if state.reactor == nil, !state.isClosed { state.reactor = Reactor() }
            return state.reactor
        }
    }
    #endif

    private func stopReactor() {
        #if os(Linux)
        state.withLock { state -> Reactor? in
            defer { state.reactor = nil }
            return state.reactor
        }?.stop()
        #endif
    }

    /// Refuses later callers, closes what is idle and waits for what is in use.
    func close() {
        timer.cancel()
        let drained = DispatchSemaphore(value: 0)
        let (idle, waiting, threads, isBusy) = state.withLock { state in
            state.isClosed = true
            defer {
                state.count -= state.idle.count
                state.idle = []
                state.waiting = []
                state.threads = []
            }
            let isBusy = state.count > state.idle.count
            if isBusy { state.drained.append(drained) }
            return (state.idle, state.waiting, state.threads, isBusy)
        }
        for waiter in waiting {
            waiter.grant(.failure(DBClientError(.closed, "The client was closed.")))
        }
        for session in idle { session.close() }
        for thread in threads { thread.stop() }
        if isBusy { drained.wait() }
        stopReactor()
    }

    /// Closes what is dead or was idle for too long, and opens what is missing.
    private func tend() {
        let limit = UInt64(clamping: configuration.idleTimeout.nanoseconds)
        let now = DispatchTime.now().uptimeNanoseconds
        let closed = state.withLock { state -> [Session] in
            var spare = state.count - configuration.minimumConnections
            var closed: [Session] = []
            state.idle.removeAll { session in
                let isSpare = spare > 0 && now - min(now, session.lastUse) > limit
                guard isSpare || !session.isUsable else { return false }
                spare -= 1
                closed.append(session)
                return true
            }
            return closed
        }
        for session in closed { discard(session) }
        try? warm()
    }
}
