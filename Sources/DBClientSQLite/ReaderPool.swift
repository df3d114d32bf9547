import DBClientCore
import DBClientSQL
import Dispatch

/// Connections for reading, lent to one caller at a time and used on the caller's own thread.
///
/// The last one given back is the first one lent again, its pages still cached. What is above the
/// number of processors is closed when it comes back.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLTransaction] = []
        /// How many connections there are, lent ones included.
        var count = 0
        var isClosed = false
        var waiting: [DispatchSemaphore] = []
    }

    private let state = UnfairMutex(State())
    private let maximumCount: Int
    private let keptCount: Int
    /// Nanoseconds.
    private let timeout: Int
    private let open: @Sendable () throws -> SQLTransaction

    init(
        maximumCount: Int,
        keptCount: Int,
        timeout: Duration,
        open: @escaping @Sendable () throws -> SQLTransaction
    ) {
        self.maximumCount = max(maximumCount, 1)
        self.keptCount = keptCount
        self.timeout = timeout.nanoseconds
        self.open = open
    }

    /// Lends a connection, opened if none is idle.
    func take() throws -> SQLTransaction {
        var deadline: DispatchTime?
        while true {
            let (idle, waiter) = try state.withLock {
                state -> (SQLTransaction?, DispatchSemaphore?) in
                if state.isClosed { throw DBClientError(.closed, "The client was closed.") }
                if let idle = state.idle.popLast() { return (idle, nil) }
                if state.count < maximumCount {
                    state.count += 1
                    return (nil, nil)
                }
                let waiter = DispatchSemaphore(value: 0)
                state.waiting.append(waiter)
                return (nil, waiter)
            }
            if let idle { return idle }
            guard let waiter else { return try openNew() }
            let end = deadline ?? .now() + .nanoseconds(timeout)
            deadline = end
            if waiter.wait(timeout: end) == .timedOut {
                state.withLock { state in state.waiting.removeAll { $0 === waiter } }
                throw DBClientError(
                    .busy,
                    "Every reader is in use.",
                    hint: "End transactions sooner."
                )
            }
        }
    }

    /// Throws `.closed` when the pool is.
    func checkOpen() throws {
        if state.withLock({ $0.isClosed }) {
            throw DBClientError(.closed, "The client was closed.")
        }
    }

    private func openNew() throws -> SQLTransaction {
        do {
            return try open()
        } catch {
            state.withLock { $0.count -= 1 }
            throw error
        }
    }

    /// Takes a connection back.
    func give(_ reader: SQLTransaction) {
        let (isKept, waiter) = state.withLock { state -> (Bool, DispatchSemaphore?) in
            let waiter = state.waiting.popLast()
            if state.isClosed || (state.idle.count >= keptCount && waiter == nil) {
                state.count -= 1
                return (false, waiter)
            }
            state.idle.append(reader)
            return (true, waiter)
        }
        if !isKept { reader.close() }
        waiter?.signal()
    }

    /// Closes the idle connections now and the lent ones when they come back.
    func close() {
        let (idle, waiting) = state.withLock { state -> ([SQLTransaction], [DispatchSemaphore]) in
            state.isClosed = true
            state.count -= state.idle.count
            defer {
                state.idle = []
                state.waiting = []
            }
            return (state.idle, state.waiting)
        }
        for reader in idle { reader.close() }
        for waiter in waiting { waiter.signal() }
    }
}

extension Duration {
    /// The whole nanoseconds, as far as they fit.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let product = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = product.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard product.overflow || sum.overflow else { return Int(sum.partialValue) }
        return seconds < 0 ? .min : .max
    }
}
