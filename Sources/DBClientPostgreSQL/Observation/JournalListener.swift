import DBClientCore
import Foundation
import Synchronization

/// A connection that looks into the journal for foreign commits, with a thread of its own.
///
/// Clients of this library notify after they have written; other programs do not, and the server does not
/// deliver notifications from before a session listened or while it was disconnected. So the journal is read
/// after each start, from the last position on, and from time to time. A notification says only that there
/// is something to read.
final class JournalListener: @unchecked Sendable {
    private let parameters: ConnectionParameters
    private let configuration: PostgreSQLConfiguration
    private weak let store: PostgreSQLStore?
    private let wakeup: WakeupPipe
    /// The client's connections, which make room for this one where the server has none left.
    private weak let pool: ConnectionPool?
    /// When old rows were removed last, in nanoseconds of uptime; used by the thread alone.
    private var trimmed: UInt64 = 0
    /// Callers that wait for the current read of the journal or the next one; used by the thread alone.
    private var asking: [CheckedContinuation<Void, Never>] = []
    /// What materialised views were last refreshed by; used by the thread alone.
    private var refreshes: [Int64: String] = [:]
    /// When the views were last read again of which no server tells; used by the thread alone.
    private var nextReading = Deadline(after: .zero)
    /// Callers that came since; nil once the listener has stopped.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

    /// Between two looks, in milliseconds: commits that come close to each other are one piece of news.
    private static let pause: Int32 = 2
    /// After that long without a call, whether a program has written that does not call.
    private static let pollingTime: Int32 = 50
    /// The same on a standby, where each look has everything read again, and for whether there is a journal
    /// where the server cannot call.
    private static let longPollingTime: Int32 = 250
    /// The same while there is no journal.
    ///
    /// A client that installs one notifies, but a restore does not. The read also checks that the connection is alive.
    private static let idleTime: Int32 = 5_000
    /// How often materialised views are asked for whether they were refreshed, in milliseconds.
    private static let refreshTime: Int32 = 250
    /// How often views are read again of whose rows no server tells when they change, in milliseconds.
    private static let untoldTime: Int32 = 2_000
    /// How often everything observed is read again while no connection can be made.
    private static let absence = Duration.seconds(5)

    init(_ pool: ConnectionPool, _ store: PostgreSQLStore) {
        self.pool = pool
        parameters = pool.parameters
        configuration = pool.configuration
        self.store = store
        wakeup = WakeupPipe()
    }

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "DBClientPostgreSQL.journal"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Ends the thread, which is not waited for.
    func stop() {
        wakeup.close()
    }

    /// Returns after a look that begins after the call, or a failure of one, which counts as a commit.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isAwaited = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting != nil
            }
            if isAwaited { wakeup.signal() } else { continuation.resume() }
        }
    }

    private func run() {
        defer {
            asking += waiting.withLock { $0.take() } ?? []
            answer()
        }
        var delay: Int32 = 20
        var nextRefetch = Deadline(after: Self.absence)
        while !wakeup.isClosed {
            do {
                let connection = try PostgreSQLConnection(parameters, configuration)
                defer { connection.close() }
                // Behind a pooler the next statement may run elsewhere, and a standby cannot listen.
                let canListen =
                    connection.keepsStatements && !connection.isStandby
                    && !connection.lacks(.notifications)
                if canListen {
                    try connection.using(.notifications) {
                        try connection.execute("LISTEN \(Journal.channel)")
                    }
                }
                delay = 20
                var wasCalled = true
                while !wakeup.isClosed {
                    let hasNews = try look(connection)
                    nextRefetch = Deadline(after: Self.absence)
                    // Clients of before rely on being called, and programs that know nothing of it do not call.
                    if hasNews, !wasCalled, canListen { try Journal.notify(through: connection) }
                    trim(connection)
                    if wakeup.wait(Self.pause) { break }
                    wasCalled = try connection.link.waitForNotification(
                        time(connection, canListen),
                        or: wakeup
                    )
                }
            } catch {
                // Whatever failed: nothing more is known until the server is back, and then everything is refetched.
                takeWaiting()
                if (error as? DBClientError)?.code == .busy { pool?.makeRoom() }
                if !asking.isEmpty || nextRefetch.hasPassed {
                    nextRefetch = Deadline(after: Self.absence)
                    if let error = error as? DBClientError { pool?.warn(.observation, error) }
                    store?.noteWrite()
                    store?.hub.noteForeignCommit()
                }
                answer()
                if wakeup.wait(delay) { break }
                delay = min(delay * 2, 1_000)
            }
        }
    }

    /// How long to wait for a call.
    private func time(_ connection: PostgreSQLConnection, _ canListen: Bool) -> Int32 {
        let views = connection.names.silentViews.values
        var time = timeBetweenReads(connection, canListen)
        if views.contains(where: \.hasUntold) { time = min(time, Self.untoldTime) }
        if views.contains(where: { !$0.refreshed.isEmpty }) { time = min(time, Self.refreshTime) }
        return time
    }

    private func timeBetweenReads(_ connection: PostgreSQLConnection, _ canListen: Bool) -> Int32 {
        if store?.journal.isAbsent == true {
            return canListen ? Self.idleTime : Self.longPollingTime
        }
        return connection.isStandby ? Self.longPollingTime : Self.pollingTime
    }

    private func trim(_ connection: PostgreSQLConnection) {
        let now = DispatchTime.now().uptimeNanoseconds
        guard store?.journal.isAbsent == false, !connection.isStandby,
            now - trimmed > JournalNotifier.trimmingTime
        else { return }
        trimmed = now
        Journal.trim(through: connection)
    }

    private func takeWaiting() {
        wakeup.drain()
        asking += waiting.withLock { waiting in
            defer { waiting = waiting.map { _ in [] } }
            return waiting ?? []
        }
    }

    private func answer() {
        for continuation in asking { continuation.resume() }
        asking = []
    }

    /// Returns whether there were foreign commits since the last look.
    private func look(_ connection: PostgreSQLConnection) throws -> Bool {
        takeWaiting()
        let found = try store?.journal.look(through: connection) { store?.noteWrite() }
        try lookAtViews(connection)
        answer()
        return found?.hasNews ?? false
    }

    /// Tells the observers of views that may have changed of which no journal tells.
    private func lookAtViews(_ connection: PostgreSQLConnection) throws {
        let new = connection.names.takeNewViews()
        let silent = connection.names.silentViews
        var changed = new
        let refreshed = silent.values.reduce(into: Set<Int64>()) { $0.formUnion($1.refreshed) }
        if !refreshed.isEmpty {
            let current = try connection.refreshes(of: refreshed)
            for (name, view) in silent
            where view.refreshed.contains(where: { current[$0] != refreshes[$0] }) {
                changed.insert(name)
            }
            refreshes = current
        }
        let untold = silent.filter(\.value.hasUntold)
        if !untold.isEmpty, nextReading.hasPassed {
            nextReading = Deadline(after: .milliseconds(Int64(Self.untoldTime)))
            changed.formUnion(untold.keys)
        }
        if changed.isEmpty { return }
        store?.noteWrite()
        store?.hub.noteForeignCommit(entities: changed)
    }
}
