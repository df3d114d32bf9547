import CLibPQ
import DBClientCore
import Foundation
import Synchronization

/// A connection that waits for the server's notifications, with a thread of its own.
///
/// The server notifies nobody of what happened before they listened or while they were away. So the
/// journal is read after each beginning, from where it was read to before. A notification says only that
/// there is something to read.
final class JournalListener: @unchecked Sendable {
    private let parameters: ConnectionParameters
    private let configuration: PostgreSQLConfiguration
    private weak let store: PostgreSQLStore?
    private let bell: Bell
    /// Has the client's own connections make room for this one, where the server has none left.
    private let makeRoom: @Sendable () -> Void
    /// Used by the thread alone.
    private var position: JournalPosition?
    /// Those who wait for the look that is under way or comes next; used by the thread alone.
    private var asking: [CheckedContinuation<Void, Never>] = []
    /// Those who came since; nil when no look comes any more.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

    /// A look that long after the last one tells whether the connection still lives.
    private static let idleTime: Int32 = 30_000
    /// Between two looks: commits that come close to each other are one piece of news.
    private static let pause: Int32 = 10
    /// How often everything observed is read again while no connection can be made.
    private static let absence = Duration.seconds(5)
    /// Between two looks where the server cannot call.
    private static let pollingTime: Int32 = 250

    init(
        _ parameters: ConnectionParameters,
        _ configuration: PostgreSQLConfiguration,
        _ store: PostgreSQLStore,
        makeRoom: @escaping @Sendable () -> Void = {}
    ) {
        self.makeRoom = makeRoom
        self.parameters = parameters
        self.configuration = configuration
        self.store = store
        bell = Bell()
    }

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "DBClientPostgreSQL.journal"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Ends the thread, which is not waited for.
    func stop() {
        bell.ring()
    }

    /// Returns after a look that begins after the call, or a failure of one, which counts as a commit.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isAwaited = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting != nil
            }
            if isAwaited { bell.knock() } else { continuation.resume() }
        }
    }

    private func run() {
        defer {
            asking += waiting.withLock { $0.take() } ?? []
            answer()
        }
        var delay: Int32 = 20
        var nextRefetch = Deadline(after: Self.absence)
        while !bell.hasRung {
            do {
                let connection = try PostgreSQLConnection(parameters, configuration)
                defer { connection.close() }
                // Behind a pooler the next statement may run elsewhere, and a standby cannot listen.
                let canListen =
                    connection.keepsStatements && !connection.isStandby
                if canListen { try connection.execute("LISTEN \(Journal.channel)") }
                delay = 20
                while !bell.hasRung {
                    try look(connection)
                    nextRefetch = Deadline(after: Self.absence)
                    if bell.wait(Self.pause) { break }
                    let time = canListen ? Self.idleTime : Self.pollingTime
                    try connection.link.waitForNotification(time, or: bell)
                }
            } catch {
                // Whatever it is: until the server is back nobody can tell more, and then all is read.
                takeWaiting()
                if (error as? DBClientError)?.code == .busy { makeRoom() }
                if !asking.isEmpty || nextRefetch.hasPassed {
                    nextRefetch = Deadline(after: Self.absence)
                    store?.noteWrite()
                    store?.hub.noteForeignCommit()
                }
                answer()
                if bell.wait(delay) { break }
                delay = min(delay * 2, 1_000)
            }
        }
    }

    private func takeWaiting() {
        bell.hush()
        asking += waiting.withLock { waiting in
            defer { waiting = waiting.map { _ in [] } }
            return waiting ?? []
        }
    }

    private func answer() {
        for continuation in asking { continuation.resume() }
        asking = []
    }

    private func look(_ connection: PostgreSQLConnection) throws {
        takeWaiting()
        let own = store?.untouched.transactions ?? []
        let news = try connection.news(
            since: position,
            andOf: store?.doubtful ?? [],
            telling: own
        )
        position = news.position
        store?.untouched.areAskedFor = position != nil
        let written = store?.untouched.take(news.written, of: own, before: position?.oldest ?? .max)
        // A standby's snapshot does not tell which transactions run on the primary.
        let entities =
            connection.isStandby
            ? nil : news.entities.flatMap { entities in written.map(entities.union) }
        if entities?.isEmpty != true {
            store?.noteWrite()
            store?.hub.noteForeignCommit(entities: entities)
        }
        answer()
    }
}

/// Something that wakes a thread out of waiting for a socket.
final class Bell: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let rung = Atomic(false)

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Rings for good.
    func ring() {
        rung.store(true, ordering: .releasing)
        _ = write(writing, [1], 1)
    }

    /// Ends one wait, or the next one.
    func knock() {
        _ = write(writing, [1], 1)
    }

    /// Forgets who has knocked until now.
    func hush() {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 256)
        if poll(&descriptor, 1, 0) == 1 { _ = read(reading, &bytes, bytes.count) }
    }

    var hasRung: Bool { rung.load(ordering: .acquiring) }

    /// Waits some milliseconds and returns whether the bell has rung.
    func wait(_ milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
        return hasRung
    }

    /// Waits until a socket can be read, the bell rings or the time is over.
    func wait(_ milliseconds: Int32, orFor socket: Int32) {
        var descriptors = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, milliseconds)
    }
}

extension Link {
    /// Waits until the server notifies of something, the bell rings or the time is over.
    func waitForNotification(_ milliseconds: Int32, or bell: Bell) throws {
        // What came along with the last answer is there already.
        if takeNotifications() { return }
        bell.wait(milliseconds, orFor: PQsocket(handle))
        try consume()
        _ = takeNotifications()
    }

    private func takeNotifications() -> Bool {
        var isAny = false
        while let notification = PQnotifies(handle) {
            PQfreemem(notification)
            isAny = true
        }
        return isAny
    }
}
