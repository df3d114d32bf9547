import DBClientCore
import Dispatch
import Synchronization

/// How far the journal of a store was read for its observers, by whichever connection looked last.
///
/// The listener looks when it is notified and from time to time, and so does each connection on which a commit
/// that is observed has just succeeded. Commits of other clients that a look finds are announced before its
/// position counts, so a commit that another look does not find again was announced.
final class JournalReader: Sendable {
    private struct State {
        /// The number of clients that have observers; without any, the journal is not read.
        var watchers = 0
        var position: JournalPosition?
        /// Whether the last look found no journal.
        var isAbsent = false
    }

    private let state = Mutex(State())
    private let hub: ChangeHub
    private let installed = Atomic(false)
    /// When a client may next be asked to look for a journal, in nanoseconds of uptime.
    private let nextSearch = Atomic<UInt64>(0)
    /// How often a client that writes looks for a journal that another one may have installed, in nanoseconds.
    private static let searchTime: UInt64 = 2_000_000_000
    /// The numbers of transactions of ours whose commit was not answered and may still take place; the
    /// last few.
    private let doubtful = Mutex<[UInt64]>([])
    private static let doubtfulLimit = 256

    init(_ hub: ChangeHub) {
        self.hub = hub
    }

    /// Whether any client observes a store that has, or may have, a journal.
    var isAwaited: Bool { state.withLock { $0.watchers > 0 && !$0.isAbsent } }

    /// Whether the last look found no journal.
    var isAbsent: Bool { state.withLock { $0.isAbsent } }

    /// Whether there was a journal at some time.
    var isInstalled: Bool { installed.load(ordering: .relaxed) }

    func noteInstallation() {
        installed.store(true, ordering: .relaxed)
    }

    /// Notes that a client looks for a journal now.
    func noteSearch() {
        nextSearch.store(
            DispatchTime.now().uptimeNanoseconds + Self.searchTime,
            ordering: .relaxed
        )
    }

    /// Whether the caller must search for a journal, since the last search is too old; true for one caller.
    func mustSearch() -> Bool {
        if isInstalled { return false }
        let now = DispatchTime.now().uptimeNanoseconds
        let next = nextSearch.load(ordering: .relaxed)
        guard now >= next else { return false }
        return nextSearch.compareExchange(
            expected: next,
            desired: now + Self.searchTime,
            ordering: .relaxed
        ).exchanged
    }

    func beginWatching() {
        state.withLock { state in
            if state.watchers == 0 { state = State() }
            state.watchers += 1
        }
    }

    func endWatching() {
        state.withLock { $0.watchers -= 1 }
    }

    /// Notes that a transaction may be committed after its end was announced.
    func noteDoubt(of transaction: UInt64) {
        doubtful.withLock { numbers in
            if numbers.count == Self.doubtfulLimit { numbers.removeFirst() }
            numbers.append(transaction)
        }
    }

    /// Tells the observers of the foreign commits up to now.
    ///
    /// - Parameters:
    ///   - connection: The connection to look through.
    ///   - own: The number of a transaction of ours.
    ///   - willTell: Called before the commits of other clients are announced.
    /// - Returns: Whether there were any, and the entities that the transaction wrote.
    /// - Throws: What the server says, or that it does not answer.
    func look(
        through connection: PostgreSQLConnection,
        telling own: UInt64? = nil,
        _ willTell: () -> Void
    ) throws -> (hasNews: Bool, written: Set<String>) {
        let last = state.withLock { $0.position }
        let news = try connection.news(
            since: last,
            andOf: doubtful.withLock { $0 },
            telling: own
        )
        // A standby's snapshot does not show which transactions run on the primary.
        let entities = connection.isStandby && news.position != nil ? nil : news.entities
        let hasNews = entities?.isEmpty != true
        if hasNews {
            willTell()
            hub.noteForeignCommit(entities: entities)
        }
        state.withLock { state in
            state.isAbsent = news.position == nil
            guard let position = news.position else {
                state.position = nil
                return
            }
            if let known = state.position, !position.isAfter(known) { return }
            state.position = position
        }
        if news.position != nil { noteInstallation() }
        return (hasNews, news.written)
    }
}
