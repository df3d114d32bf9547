import DBClientCore
import DBClientSQL
import DBClientTesting
import Foundation
import Synchronization
import Testing
import TrustRow

@testable import DBClientPostgreSQL

/// What a bad network and a bad day do to the client.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(5)))
struct FaultTests {
    @Test("A commit whose answer is lost is unknown, and can be asked about")
    func lostAnswerOfACommit() async throws {
        let start = ContinuousClock.now
        let row = TrustRow("R13")
        let rounds = row.size("DBCLIENT_CUT_CONNECTIONS", short: 10) / 2
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            try await direct.insert(Counter(0))
            let client = try await Server.client(port: proxy.port, schema: schema)
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
        row.report(2 * rounds, of: "commit", since: start)
    }

    @Test("A bulk load that is cut off leaves nothing, and the client goes on")
    func cutInsideCopy() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            try await direct.insert(Counter(0))
            let client = try await Server.client(port: proxy.port, schema: schema)
            _ = try await client.count(Counter.all)
            let start = ContinuousClock.now
            let row = TrustRow("R13")
            let cuts = row.size("DBCLIENT_CUT_CONNECTIONS", short: 2)
            var random = SeededGenerator(seed: row.seed)
            for _ in 0..<cuts {
                let bytes = Int.random(in: 5_000...400_000, using: &random)
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
            row.report(cuts, of: "bulk-load", since: start)
            try client.close()
        }
    }

    @Test("Rows that are cut off in the middle are fetched again, and never a part of them")
    func cutInsideRows() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            let rows = (0..<20_000).map { Counter($0, $0) }
            try await direct.insert(rows)
            let client = try await Server.client(port: proxy.port, schema: schema)
            _ = try await client.count(Counter.all)
            let start = ContinuousClock.now
            let row = TrustRow("R13")
            let cuts = row.size("DBCLIENT_CUT_CONNECTIONS", short: 3)
            var random = SeededGenerator(seed: row.seed)
            for cut in 0..<cuts {
                let bytes =
                    cut < 3
                    ? [100, 10_000, 300_000][cut] : Int.random(in: 1...400_000, using: &random)
                proxy.set(.cutAnswerAfterBytes(bytes))
                // The unit is repeated on a new connection, which is cut off as well.
                let outcome = Mutex<[Counter]?>(nil)
                let found = await code {
                    let fetched = try await client.fetch(Counter.all.sorted { $0.id })
                    outcome.withLock { $0 = fetched }
                }
                proxy.set(.pass)
                #expect(found == .connectionLost || found == nil)
                #expect(outcome.withLock { $0 } == (found == nil ? rows : nil))
                #expect(try await client.fetch(Counter.all.sorted { $0.id }) == rows)
            }
            row.report(cuts, of: "rows", since: start)
            try client.close()
        }
    }

    @Test(
        "A server that falls silent inside COPY or at a COMMIT is given up at the deadline",
        .counts(for: "R13", part: "silence")
    )
    func silentWrites() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
            defer { proxy.close() }
            try await direct.insert(Counter(0))
            var configuration = PostgreSQLConfiguration()
            configuration.statementTimeout = .milliseconds(500)
            configuration.connectTimeout = .seconds(2)
            let client = try await Server.client(port: proxy.port, schema: schema, configuration)
            for (text, expected) in [
                ("COPY", DBClientError.Code.timeout), ("COMMIT", .commitOutcomeUnknown),
            ] {
                _ = try await client.count(Counter.all)
                proxy.set(.stallAt(text))
                let elapsed = await ContinuousClock().measure {
                    let found = await code {
                        try await client.insert((1...20_000).map { Counter($0) })
                    }
                    #expect(found == expected, "\(text)")
                }
                #expect(elapsed < .seconds(6), "\(text)")
                print("silent at \(text): a limit of 0.5 s, given up after \(elapsed)")
                proxy.set(.pass)
                proxy.cutAll()
                #expect(try await direct.count(Counter.all) == 1)
            }
            try client.close()
        }
    }

    @Test(
        "A server that does not answer is given up at the deadline",
        .counts(for: "R13", part: "silence")
    )
    func frozenServer() async throws {
        try await Server.withClient { direct, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
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
        "A server that falls silent while a session begins is given up as one that cannot be reached",
        .counts(for: "R13", part: "silence")
    )
    func silentBeginning() async throws {
        try await Server.withClient { _, schema in
            let proxy = try Proxy(to: Server.port, of: Server.host)
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
        try await Server.withClient(configuration) { client, schema in
            let leftOver: SQL = """
                SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename = 'Counter'
                """
            let former = try await client.rows(leftOver).count
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
            let other = try await Server.client(schema: schema)
            // In a transaction that writes, which makes the table where it is missing.
            _ = try await other.write { try $0.find(Counter.self, key: 1) }
            #expect(try await client.rows(leftOver).count == former)
            let others = try await other.rows(query).compactMap { $0["name", as: String.self] }
            #expect(Set(names).isDisjoint(with: others))
            try other.close()
            // Another client's statements of the names that are wanted next, as behind a pooler.
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
                let isRunning: SQL = """
                    SELECT 1 FROM pg_stat_activity WHERE state = 'active'
                    AND pid <> pg_backend_pid() AND query LIKE \("%\(mark)%")
                    """
                try await waitUntil { try await !client.rows(isRunning).isEmpty }
                let elapsed = await clock.measure {
                    task.cancel()
                    #expect(await code { try await task.value } == .cancelled)
                }
                #expect(elapsed < .seconds(2))
                #expect(try await client.rows(isRunning).isEmpty)
                print("cancelled: a statement of 20 s, gone from the server after \(elapsed)")
            }
        }
    }
}
