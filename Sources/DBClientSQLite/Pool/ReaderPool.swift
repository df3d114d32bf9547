import DBClientCore
import DBClientSQL
import Foundation

/// A pool of read connections, each leased to one caller at a time and used on the caller's own thread.
///
/// The last connection returned is leased first, its pages still cached. Callers that wait are served in the
/// order of asking. Connections above the number of processors are closed when they are returned.
final class SQLiteReaderPool: Sendable {
    /// What a caller that waited gets.
    private enum Grant {
        case reader(SQLTransaction)
        /// The caller opens a connection itself.
        case permit
        case closed
    }

    /// A caller that waits; its grant is set and read under the lock.
    private final class Waiter: @unchecked Sendable {
        let arrived = MonotonicSemaphore()
        var grant: Grant?
    }

    /// A connection that is leased to a caller.
    private struct Lent {
        let reader: SQLTransaction
        let since: CoarseInstant
    }

    private struct State {
        var idle: [SQLTransaction] = []
        var lent: [Lent] = []
        /// Whether callers that come wait, so that those before them come to their ends.
        var isHeldBack = false
        /// How many connections there are, leased ones included.
        var count = 0
        var isClosed = false
        var waiting: [Waiter] = []

        /// Passes a grant to the caller that has waited longest; returns false when none waits.
        mutating func pass(_ grant: Grant) -> Bool {
            if waiting.isEmpty { return false }
            if case .reader(let reader) = grant { lend(reader) }
            let waiter = waiting.removeFirst()
            waiter.grant = grant
            waiter.arrived.signal()
            return true
        }

        /// Returns what a caller gets without waiting; nil when it has to wait.
        @inline(__always)
        mutating func grant(_ maximumCount: Int) -> Grant? {
            if isClosed { return .closed }
            if waiting.isEmpty, !isHeldBack, let idle = idle.popLast() {
                lend(idle)
                return .reader(idle)
            }
            guard count < maximumCount, !isHeldBack else { return nil }
            count += 1
            return .permit
        }

        mutating func lend(_ reader: SQLTransaction) {
            lent.append(Lent(reader: reader, since: .now))
        }

        mutating func takeBack(_ reader: SQLTransaction) {
            guard let index = lent.lastIndex(where: { $0.reader === reader }) else { return }
            lent.swapAt(index, lent.count - 1)
            lent.removeLast()
        }
    }

    private let state = UnfairMutex(State())
    /// The connections that are leased for snapshots across calls.
    let lentSnapshots = SQLiteLentSnapshots()
    private let maximumCount: Int
    private let keptCount: Int
    /// How long a caller waits for a connection, in nanoseconds.
    private let timeout: UInt64
    /// Whether a connection can still read: not once the key of its file has changed.
    ///
    /// Nil for a file without a key.
    private let isCurrent: (@Sendable (SQLTransaction) -> Bool)?
    private let open: @Sendable () throws -> SQLTransaction

    init(
        maximumCount: Int,
        keptCount: Int,
        timeout: Duration,
        isCurrent: (@Sendable (SQLTransaction) -> Bool)? = nil,
        open: @escaping @Sendable () throws -> SQLTransaction
    ) {
        self.maximumCount = max(maximumCount, 1)
        self.keptCount = keptCount
        self.timeout = UInt64(clamping: timeout.nanoseconds)
        self.isCurrent = isCurrent
        self.open = open
    }

    /// Leases a connection, opened if none is idle.
    ///
    /// - Throws: `.closed`; `.busy` when none comes back in time.
    func take() throws -> SQLTransaction {
        let (grant, waiter) = state.withLock { state -> (Grant?, Waiter?) in
            if let grant = state.grant(maximumCount) { return (grant, nil) }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return (nil, waiter)
        }
        guard let reader = try reader(of: grant ?? waiter.flatMap(wait)) else {
            throw DBClientError(
                .busy,
                "Every reader is in use.",
                hint: "End transactions sooner."
            )
        }
        return reader
    }

    /// Leases a connection unless the caller would have to wait for one.
    ///
    /// - Throws: `.closed`.
    func takeIfFree() throws -> SQLTransaction? {
        try reader(of: state.withLock { $0.grant(maximumCount) })
    }

    @inline(__always)
    private func reader(of grant: Grant?) throws -> SQLTransaction? {
        switch grant {
        case .reader(let reader): try current(reader)
        case .permit: try openNew()
        case .closed: throw Self.closed
        case nil: nil
        }
    }

    /// Returns a leased connection, or a new one in its place.
    @inline(__always)
    private func current(_ reader: SQLTransaction) throws -> SQLTransaction {
        guard let isCurrent, !isCurrent(reader) else { return reader }
        state.withLock { $0.takeBack(reader) }
        reader.close()
        return try openNew()
    }

    /// Waits for a grant; nil when none comes in time.
    private func wait(_ waiter: Waiter) -> Grant? {
        _ = waiter.arrived.wait(nanoseconds: timeout)
        return state.withLock { state in
            // What came just too late is not to be lost.
            if waiter.grant == nil { state.waiting.removeAll { $0 === waiter } }
            return waiter.grant
        }
    }

    /// Throws `.closed` when the pool is.
    func checkOpen() throws {
        if state.withLock({ $0.isClosed }) { throw Self.closed }
    }

    private static var closed: DBClientError {
        DBClientError(.closed, "The client was closed.")
    }

    private func openNew() throws -> SQLTransaction {
        do {
            let reader = try open()
            state.withLock { $0.lend(reader) }
            return reader
        } catch {
            state.withLock { if !$0.pass(.permit) { $0.count -= 1 } }
            throw error
        }
    }

    /// Returns a connection to the pool, or passes it to a caller that waits.
    func give(_ reader: SQLTransaction) {
        // It is the parent's.
        if Fork.isChild { return }
        let isCurrent = isCurrent?(reader) ?? true
        let isKept = state.withLock { state in
            state.takeBack(reader)
            if !isCurrent {
                if !state.pass(.permit) { state.count -= 1 }
                return false
            }
            if !state.isHeldBack, state.pass(.reader(reader)) { return true }
            if state.isClosed || state.idle.count >= keptCount {
                state.count -= 1
                return false
            }
            state.idle.append(reader)
            return true
        }
        if !isKept { reader.close() }
    }

    /// How many connections are leased, and for how long the oldest lease has lasted.
    var use: (count: Int, oldest: Duration?) {
        state.withLock { state in
            (state.lent.count, state.lent.map(\.since).min().map { CoarseInstant.now - $0 })
        }
    }

    /// How many callers wait for a connection.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs a body that has to find a moment without readers, and keeps callers that come from beginning to read until
    /// it has ended.
    ///
    /// Snapshots that are held across calls are asked for back.
    ///
    /// - Parameter body: Gets how many milliseconds those that read already are worth waiting for: none where one has
    ///   read for so long that it will hardly end in that time.
    /// - Returns: What the body returns.
    func makingWay<Value>(_ body: (_ patience: Int32) -> Value) -> Value {
        state.withLock { $0.isHeldBack = true }
        defer { state.withLock { Self.letCome(&$0, maximumCount) } }
        if lentSnapshots.recall() { waitForSnapshots() }
        let waits = !hasLongRead
        if !waits { state.withLock { Self.letCome(&$0, maximumCount) } }
        return body(waits ? Self.patience : 0)
    }

    /// Whether a connection was leased so long ago that it will hardly be returned soon.
    private var hasLongRead: Bool {
        let now = CoarseInstant.now
        let limit = Duration.milliseconds(Int64(Self.patience))
        return state.withLock { $0.lent.contains { now - $0.since >= limit } }
    }

    /// Waits for the snapshots that were asked back: most are not being read and are returned at once.
    private func waitForSnapshots() {
        let end = CoarseInstant.now + .milliseconds(50)
        while hasLongRead, CoarseInstant.now < end { usleep(500) }
    }

    /// Long enough for reads that overlap to come to their ends, in milliseconds.
    private static var patience: Int32 { 250 }

    private static func letCome(_ state: inout State, _ maximumCount: Int) {
        state.isHeldBack = false
        while !state.waiting.isEmpty {
            if let idle = state.idle.popLast() {
                _ = state.pass(.reader(idle))
            } else if state.count < maximumCount {
                state.count += 1
                _ = state.pass(.permit)
            } else {
                return
            }
        }
    }

    /// Closes the idle connections, which have a former key of the file.
    func closeIdle() {
        let idle = state.withLock { state in
            state.count -= state.idle.count
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { reader.close() }
    }

    /// Closes the idle connections now and the leased ones when they are returned.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            while state.pass(.closed) {}
            state.count -= state.idle.count
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { reader.close() }
    }
}
