import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// What a bad network and a bad day do to the client.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(5)))
struct FaultTests {
    @Test("A commit whose answer is lost is unknown, and can be asked about")
    func lostAnswerOfACommit() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port)
            defer { proxy.close() }
            try await direct.insert(Counter(0))
            let client = try await Server.client(port: proxy.port, schema: schema)
            let rounds = Server.isLong ? 100 : 5
            for id in 1...2 * rounds {
                let isLate = id.isMultiple(of: 2)
                let mode = isLate ? Proxy.Mode.cutAfter("COMMIT") : .cutBefore("COMMIT")
                let outcome = isLate ? CommitOutcome.committed : .rolledBack
                proxy.set(.pass)
                _ = try await client.count(Counter.all)
                proxy.set(mode)
                let error = await #expect(throws: DBClientError.self) {
                    try await client.insert(Counter(id))
                }
                proxy.set(.pass)
                #expect(error?.code == .commitOutcomeUnknown)
                let lost = try #require(error)
                // The server needs a moment to notice that the connection is gone.
                var found = CommitOutcome.inProgress
                let end = ContinuousClock.now + .seconds(5)
                while found == .inProgress, ContinuousClock.now < end {
                    try await Task.sleep(for: .milliseconds(5))
                    found = try await client.commitOutcome(of: lost)
                }
                #expect(found == outcome)
                let isThere = try await direct.exists(Counter.self, key: id)
                #expect(isThere == (outcome == .committed))
            }
            print(
                "mid-commit: \(2 * rounds) commits cut off, each reported as unknown and its outcome found"
            )
            try client.close()
        }
    }

    @Test("A bulk load that is cut off leaves nothing, and the client goes on")
    func cutInsideCopy() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port)
            defer { proxy.close() }
            try await direct.insert(Counter(0))
            let client = try await Server.client(port: proxy.port, schema: schema)
            _ = try await client.count(Counter.all)
            var cuts = 0
            for bytes in Server.isLong
                ? Array(stride(from: 5_000, to: 400_000, by: 5_000)) : [30_000, 200_000]
            {
                cuts += 1
                proxy.set(.cutAfterBytes(bytes))
                // The unit is repeated on a new connection, which is cut off as well.
                let found = await code {
                    try await client.insert((1...20_000).map { Counter($0) })
                }
                proxy.set(.pass)
                #expect(found == .connectionLost || found == nil)
                let count = try await direct.count(Counter.all)
                #expect(count == (found == nil ? 20_001 : 1))
                try await direct.delete(Counter.where { $0.id > 0 })
            }
            try await client.insert((1...1_000).map { Counter($0) })
            #expect(try await direct.count(Counter.all) == 1_001)
            print("mid-COPY: \(cuts) bulk loads of 20,000 rows cut off, none left a part behind")
            try client.close()
        }
    }

    @Test("A server that does not answer is given up at the deadline")
    func frozenServer() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port)
            defer { proxy.close() }
            try await direct.insert(Counter(1))
            var configuration = PostgreSQLConfiguration()
            configuration.statementTimeout = .milliseconds(500)
            configuration.connectTimeout = .seconds(2)
            let client = try await Server.client(port: proxy.port, schema: schema, configuration)
            _ = try await client.count(Counter.all)
            proxy.set(.stall)
            let clock = ContinuousClock()
            let elapsed = await clock.measure {
                #expect(await code { _ = try await client.find(Counter.self, key: 1) } == .timeout)
            }
            // The server's own limit and a second more.
            #expect(elapsed > .milliseconds(1_400) && elapsed < .milliseconds(1_900))
            proxy.set(.pass)
            proxy.cutAll()
            #expect(try await client.find(Counter.self, key: 1) == Counter(1))
            proxy.set(.trickle(50_000))
            let trickled = await clock.measure {
                #expect(await code { _ = try await client.find(Counter.self, key: 1) } == .timeout)
            }
            #expect(trickled < .milliseconds(1_900))
            print(
                "slow server: a limit of 0.5 s, given up after \(elapsed) frozen, \(trickled) trickling"
            )
            proxy.set(.pass)
            proxy.cutAll()
            try client.close()
        }
    }

    @Test(
        "A server that falls silent while a session begins is given up as one that cannot be reached"
    )
    func silentBeginning() async throws {
        try await Server.withClient { _, schema in
            let proxy = try Proxy(to: Server.port)
            defer { proxy.close() }
            var configuration = PostgreSQLConfiguration()
            configuration.connectTimeout = .seconds(2)
            proxy.set(.stallAt("server_encoding"))
            let elapsed = await ContinuousClock().measure {
                let found = await code {
                    _ = try await Server.client(port: proxy.port, schema: schema, configuration)
                }
                #expect(found == .timeout)
            }
            #expect(elapsed > .milliseconds(1_900) && elapsed < .seconds(4))
            print("silent beginning: a limit of 2 s to connect, given up after \(elapsed)")
        }
    }

    @Test("A connection that was lost before its COMMIT is a loss, and no unknown outcome")
    func lostBeforeCommit() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let attempts = Atomic(0)
            /// Ends its own connection in each of so many attempts, and goes on as if it had not.
            func write(losing count: Int) async throws {
                attempts.store(0, ordering: .relaxed)
                try await client.write { transaction in
                    let attempt = attempts.add(1, ordering: .relaxed).newValue
                    try transaction.update(Counter(1, attempt))
                    guard attempt <= count else { return }
                    _ = try? transaction.rows("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(await code { try await write(losing: 100) } == .connectionLost)
            #expect(attempts.load(ordering: .relaxed) == 3)
            #expect(try await client.find(Counter.self, key: 1) == Counter(1))
            try await write(losing: 1)
            #expect(try await client.find(Counter.self, key: 1) == Counter(1, 2))
        }
    }

    @Test(
        "Statements that the server has forgotten are prepared again, and under names of one's own"
    )
    func forgottenStatements() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, _ in
            try await client.insert([Counter(1), Counter(2)])
            for _ in 0..<3 {
                #expect(try await client.find(Counter.self, key: 1) == Counter(1))
                _ = try await client.execute("DEALLOCATE ALL")
                #expect(try await client.find(Counter.self, key: 1) == Counter(1))
                try await client.write { transaction in
                    let found = try transaction.find(Counter.self, key: 2)
                    try transaction.execute("DEALLOCATE ALL")
                    try transaction.update(found ?? Counter(2, 9))
                }
                #expect(try await client.find(Counter.self, key: 2) == Counter(2))
            }
            let query: SQL = "SELECT name FROM pg_prepared_statements"
            let names = try await client.rows(query).compactMap { $0["name", as: String.self] }
            #expect(!names.isEmpty)
            let other = try await SQLDBClient.postgreSQL(try #require(Server.url))
            _ = try await other.write { try $0.find(Counter.self, key: 1) }
            let others = try await other.rows(query).compactMap { $0["name", as: String.self] }
            #expect(Set(names).isDisjoint(with: others))
            try other.close()
            // Somebody else's statements of the names that are wanted next, as behind a pooler.
            let name = try #require(names.first)
            let last = try #require(
                names.compactMap { $0.split(separator: "_").last }.compactMap { Int($0) }.max()
            )
            for next in last + 1...last + 3 {
                let taken = "\(name.split(separator: "_")[0])_\(next)"
                try await client.execute("PREPARE \(identifier: taken) AS SELECT 7 AS other")
            }
            #expect(try await client.count(Counter.where { $0.value == 0 }) == 2)
            #expect(try await client.max(\.id, of: Counter.all) == 2)
        }
    }

    @Test("A slow statement is ended by the server")
    func slowStatement() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.statementTimeout = .milliseconds(200)
        try await Server.withClient(configuration) { client, _ in
            let elapsed = await ContinuousClock().measure {
                #expect(await code { _ = try await client.rows("SELECT pg_sleep(5)") } == .timeout)
            }
            print("slow statement: a limit of 0.2 s, ended after \(elapsed)")
            let rows = try await client.rows("SELECT 1 AS one")
            #expect(rows.first?["one", as: Int.self] == 1)
        }
    }

    @Test("Cancelling a task ends its statement on the server")
    func cancellation() async throws {
        try await Server.withClient { client, _ in
            let mark = Int.random(in: 1_000_000..<2_000_000)
            let clock = ContinuousClock()
            for isWrite in [false, true] {
                let task = Task {
                    let sleep: SQL = "SELECT pg_sleep(20), \(raw: String(mark))"
                    if isWrite {
                        try await client.write { _ = try $0.rows(sleep) }
                    } else {
                        _ = try await client.rows(sleep)
                    }
                }
                try await Task.sleep(for: .milliseconds(300))
                let elapsed = await clock.measure {
                    task.cancel()
                    #expect(await code { try await task.value } == .cancelled)
                }
                #expect(elapsed < .seconds(2))
                let running = try await client.rows(
                    """
                    SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active'
                    AND pid <> pg_backend_pid() AND query LIKE \("%\(mark)%")
                    """
                )
                #expect(running.first?["n", as: Int.self] == 0)
                print("cancelled: a statement of 20 s, gone from the server after \(elapsed)")
            }
        }
    }

    @Test("A caller that finds every connection in use waits its turn and no longer")
    func exhaustedPool() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 2
        configuration.poolTimeout = .milliseconds(300)
        try await Server.withClient(configuration) { client, _ in
            let holders = (0..<2).map { _ in
                Task { _ = try await client.rows("SELECT pg_sleep(2)") }
            }
            try await pool(of: client) { $0.inUse == 2 }
            let waiter = Task {
                await code { _ = try await client.rows("SELECT 1") }
            }
            try await pool(of: client) { $0.waiting == 1 }
            let refused = await ContinuousClock().measure {
                #expect(await code { try client.readBlocking { _ in } } == .busy)
            }
            #expect(await waiter.value == .busy)
            print(
                "pool exhausted: 2 of 2 connections held, a limit of 0.3 s, refused after \(refused)"
            )
            for holder in holders { try await holder.value }
            try await pool(of: client) { $0.inUse == 0 && $0.idle == 2 && $0.waiting == 0 }
        }
    }

    @Test("A caller that waits for a connection can be cancelled")
    func cancelledWaiter() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 2
        try await Server.withClient(configuration) { client, _ in
            let holders = (0..<2).map { _ in
                Task { _ = try await client.rows("SELECT pg_sleep(1)") }
            }
            try await pool(of: client) { $0.inUse == 2 }
            let cancelled = Task { await code { _ = try await client.rows("SELECT 1") } }
            try await pool(of: client) { $0.waiting == 1 }
            cancelled.cancel()
            #expect(await cancelled.value == .cancelled)
            for holder in holders { try await holder.value }
        }
    }

    /// Waits until a pool's figures are as they should become.
    private func pool(
        of client: SQLDBClient,
        are fulfilled: (PostgreSQLPoolFigures) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let figures = try #require(client.postgreSQLPool)
            if fulfilled(figures) { return }
            try #require(ContinuousClock.now < deadline, "The pool is \(figures).")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("Sixteen writers of one row lose nothing")
    func serialisationStorm() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let rounds = Server.isLong ? 500 : 25
            let clock = ContinuousClock()
            let elapsed = try await clock.measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            for _ in 0..<rounds {
                                try await client.write { transaction in
                                    let counter = try transaction.find(Counter.self, key: 1)
                                    let value = (counter?.value ?? 0) + 1
                                    try transaction.update(Counter(1, value))
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(try await client.find(Counter.self, key: 1)?.value == 16 * rounds)
            print("storm: \(16 * rounds) increments of one row by 16 writers in \(elapsed)")
        }
    }

    @Test("Connections that the server ends under eight writers lose and double nothing")
    func terminatedConnections() async throws {
        let url = try #require(Server.url) + "?application_name=terminated"
        try await Server.withClient(url: url) { client, _ in
            try await client.insert((0..<8).map { Counter($0) })
            let seconds = Server.isLong ? 30.0 : 3.0
            let end = ContinuousClock.now + .seconds(seconds)
            let tally = Tally()
            let killer = Task {
                let administrator = try await SQLDBClient.postgreSQL(try #require(Server.url))
                var count = 0
                while ContinuousClock.now < end {
                    let rows = try await administrator.rows(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE application_name = 'terminated'
                        """
                    )
                    count += rows.count
                    try await Task.sleep(for: .milliseconds(100))
                }
                try administrator.close()
                return count
            }
            await tally.run(writers: 8, on: client) { ContinuousClock.now < end }
            let killed = try await killer.value
            try await tally.check(on: client)
            print("terminated: \(killed) connections ended in \(seconds) s; \(tally)")
            #expect(killed > 0)
        }
    }

    @Test("A full disk on the server is told, loses nothing, and is over when there is room")
    func fullDisk() async throws {
        try await PrivateServer.with { server in
            let folder = server.folder + "/data"
            guard let disk = try? await Disk(megabytes: 6, ownedLike: folder) else {
                print("disk full: skipped, no file system can be mounted here")
                return
            }
            do {
                try await fill(disk, of: server)
            } catch {
                await disk.remove()
                throw error
            }
            await disk.remove()
        }
    }

    private func fill(_ disk: Disk, of server: PrivateServer) async throws {
        try await onThread {
            let administrator = try PostgreSQLConnection(
                ConnectionString.parameters(server.url, PostgreSQLConfiguration()),
                PostgreSQLConfiguration()
            )
            try administrator.execute("CREATE TABLESPACE small LOCATION '\(disk.path)'")
            administrator.close()
        }
        let ballast = disk.path + "/ballast"
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: ballast))
        let url = server.url + "?options=-c%20default_tablespace%3Dsmall"
        let client = try await SQLDBClient.postgreSQL(url)
        // No two texts are alike, so that the server cannot pack them.
        func notes(_ count: Int) -> [Note] {
            (0..<count).map { _ in
                Note(0, "", tags: (0..<50).map { _ in UUID().uuidString })
            }
            .map { Note(0, UUID().uuidString, tags: $0.tags) }
        }
        var acknowledged = 0
        var failure: DBClientError.Code?
        while failure == nil, acknowledged < 100_000 {
            failure = await code {
                try await client.insert(notes(50))
                acknowledged += 50
            }
        }
        #expect(failure == .full)
        #expect(acknowledged > 0)
        #expect(try await client.count(Note.all) == acknowledged)
        #expect(await code { try await client.insert(notes(50)) } == .full)
        try FileManager.default.removeItem(atPath: ballast)
        try await client.insert(notes(50))
        #expect(try await client.count(Note.all) == acknowledged + 50)
        print("disk full: \(acknowledged) rows acknowledged and there, then refused as full")
        try client.close()
    }

    @Test("A server that is killed and comes back has every acknowledged write")
    func killedServer() async throws {
        try await PrivateServer.with { server in
            let client = try await SQLDBClient.postgreSQL(server.url)
            try await client.insert((0..<8).map { Counter($0) })
            let tally = Tally()
            let isOver = Atomic(false)
            let rounds = Server.isLong ? 20 : 2
            async let written: Void = tally.run(writers: 8, on: client) {
                !isOver.load(ordering: .relaxed)
            }
            var recovery = Duration.zero
            for _ in 0..<rounds {
                try await Task.sleep(for: .milliseconds(1_000))
                try server.kill()
                try await Task.sleep(for: .milliseconds(300))
                try await server.restart()
                let back = ContinuousClock.now
                while await code({ _ = try await client.count(Counter.all) }) != nil {
                    try await Task.sleep(for: .milliseconds(5))
                }
                recovery = max(recovery, ContinuousClock.now - back)
            }
            isOver.store(true, ordering: .relaxed)
            await written
            try await tally.check(on: client, wasKilled: true)
            #expect(recovery < .seconds(5))
            #expect(tally.failed > 0)
            // Every place of the pool serves again, and none was lost.
            let whole = try await ContinuousClock().measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<PostgreSQLConfiguration().maximumConnections {
                        group.addTask { _ = try await client.rows("SELECT pg_sleep(0.1)") }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(whole < .seconds(5) && client.postgreSQLPool?.inUse == 0)
            print(
                """
                killed: \(rounds) kills; serving again \(recovery) after the server, \
                all of the pool within \(whole); \(tally)
                """
            )
            try client.close()
        }
    }
}

/// What writers know of their writes, each to a row of its own.
final class Tally: Sendable, CustomStringConvertible {
    private struct State {
        var acknowledged = [Int](repeating: 0, count: 64)
        var unknown: [(writer: Int, error: DBClientError)] = []
        var failed = 0
    }

    private let state = Mutex(State())

    var failed: Int { state.withLock { $0.failed + $0.unknown.count } }

    var description: String {
        state.withLock {
            "\($0.acknowledged.reduce(0, +)) acknowledged, \($0.failed) refused, "
                + "\($0.unknown.count) unknown"
        }
    }

    /// Has writers add one to their rows as long as a condition holds.
    func run(
        writers: Int,
        on client: SQLDBClient,
        while isWanted: @escaping @Sendable () -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask { [self] in
                    while isWanted() { await write(writer, client) }
                }
            }
        }
    }

    private func write(_ writer: Int, _ client: SQLDBClient) async {
        do {
            try await client.write { transaction in
                let value = try transaction.find(Counter.self, key: writer)?.value ?? 0
                try transaction.update(Counter(writer, value + 1))
            }
            state.withLock { $0.acknowledged[writer] += 1 }
        } catch {
            guard let error = error as? DBClientError else { return }
            if error.code == .commitOutcomeUnknown {
                state.withLock { $0.unknown.append((writer, error)) }
            } else {
                state.withLock { $0.failed += 1 }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Compares what is stored with what was acknowledged, and asks about what is unknown.
    ///
    /// A server that was killed cannot tell for sure what it committed before.
    func check(on client: SQLDBClient, wasKilled: Bool = false) async throws {
        let (acknowledged, unknown) = state.withLock { ($0.acknowledged, $0.unknown) }
        var expected = acknowledged
        var doubtful = acknowledged.map { _ in 0 }
        for (writer, error) in unknown {
            switch try await client.commitOutcome(of: error) {
            case .committed: expected[writer] += 1
            case .rolledBack: break
            case .unknown where wasKilled: doubtful[writer] += 1
            case let outcome: Issue.record("The outcome of a commit is \(outcome).")
            }
        }
        for counter in try await client.findAll(Counter.self) {
            let (least, more) = (expected[counter.id], doubtful[counter.id])
            #expect(least...least + more ~= counter.value, "writer \(counter.id)")
        }
    }
}
