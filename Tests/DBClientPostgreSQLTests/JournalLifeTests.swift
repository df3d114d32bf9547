import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// The journal's coming and going, and that of the connection which looks into it.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct JournalLifeTests {
    @Test("Observing a store without a journal leaves no error in the server's log")
    func silence() async throws {
        try await PrivateServer.with { server in
            let client = try await SQLDBClient.postgreSQL(server.url)
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([])
            for id in 0..<3 { try await client.insert(Counter(id)) }
            try await table.settle([Counter(0), Counter(1), Counter(2)])
            try client.close()
            let log = try String(contentsOfFile: server.folder + "/data/log", encoding: .utf8)
            let errors = log.split(separator: "\n").filter { $0.contains("ERROR") }
            #expect(errors.isEmpty, "\(errors)")
        }
    }

    @Test("A client from before the journal takes part in it: it is told, and tells others")
    func installedLater() async throws {
        try await Server.withClient { observing, schema in
            let url = try #require(Server.url)
            let writing = try await Server.clientElsewhere(url, schema: schema)
            try await writing.insert(Counter(0))
            let table = ObservedTable(observing.observe(Counter.all))
            try await table.settle([Counter(0)])
            let installing = try await Server.clientElsewhere(url, schema: schema)
            try await installing.installPostgreSQLJournal(for: Counter.self)
            // A listener that waits to be called, and does not look by itself.
            let listener = try Listener(schema)
            let end = ContinuousClock.now + .seconds(10)
            var isCalled = false
            var last = 0
            while !isCalled, ContinuousClock.now < end {
                last += 1
                try await writing.insert(Counter(last))
                isCalled = try await listener.isCalled()
            }
            #expect(isCalled)
            try await table.settle((0...last).map { Counter($0) })
            // What is told is not only what was read when the listener found the journal.
            try await writing.insert(Counter(last + 1))
            try await table.settle((0...last + 1).map { Counter($0) })
            listener.close()
            try installing.close()
            try writing.close()
        }
    }

    @Test("A journal that nobody is called for, as one that is restored, is found by looking")
    func restored() async throws {
        try await Server.withClient { observing, schema in
            let writing = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
            let table = ObservedTable(observing.observe(Counter.all))
            try await writing.insert(Counter(0))
            // As it is installed, but for the call at the end.
            try await writing.installPostgreSQLJournal(for: Counter.self)
            try await table.settle([Counter(0)])
            try await writing.execute("ALTER TABLE dbclient_journal RENAME TO kept")
            try await writing.execute("DROP TRIGGER dbclient_journal ON \"Counter\"")
            let reader = try #require((observing.engine as? PostgreSQLEngine)?.store.journal)
            try await waitUntil { reader.isAbsent }
            try await writing.execute("ALTER TABLE kept RENAME TO dbclient_journal")
            try await writing.execute(
                """
                CREATE TRIGGER dbclient_journal
                AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Counter"
                FOR EACH STATEMENT EXECUTE FUNCTION dbclient_note_change('Counter')
                """
            )
            // By a program that notifies no client.
            try await Self.run("INSERT INTO \"\(schema)\".\"Counter\" VALUES (1, 0)")
            try await table.settle([Counter(0), Counter(1)])
            try writing.close()
        }
    }

    @Test("Observations that follow each other share one connection")
    func grace() async throws {
        let url = try Server.url("application_name", "grace")
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 2
        try await Server.withClient(configuration, url: url) { observing, _ in
            try await observing.installPostgreSQLJournal(for: Counter.self)
            try await observing.insert(Counter(0))
            let writing = try await Server.client(schema: "public")
            func listeners() async throws -> Set<Int> {
                let rows = try await writing.rows(
                    """
                    SELECT pid::bigint AS pid FROM pg_stat_activity
                    WHERE pid <> pg_backend_pid() AND query LIKE '%dbclient_journal%'
                    AND query LIKE '%pg_current_snapshot%' AND application_name = 'grace'
                    """
                )
                return Set(try rows.map { try $0.value("pid", as: Int.self) })
            }
            var seen: Set<Int> = []
            for round in 0..<20 {
                let table = ObservedTable(observing.observe(Counter.all))
                try await table.settle([Counter(0, round)])
                try await observing.update(Counter(0, round + 1))
                try await table.settle([Counter(0, round + 1)])
                seen.formUnion(try await listeners())
            }
            // Connections of the pool look as well, after commits, and a busy pool replaces some. With a listener of
            // its own for each observation there were twenty more.
            #expect(seen.count < 15)
            #expect(!seen.isEmpty)
            try observing.close()
            let end = ContinuousClock.now + .seconds(2)
            while try await !listeners().isEmpty, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            // It does not outlive the client.
            #expect(try await listeners().isEmpty)
            try writing.close()
        }
    }

    @Test("While its connection is refused, what is observed is read again, and a log is told")
    func refused() async throws {
        try await Server.withClient { administrator, schema in
            try await administrator.installPostgreSQLJournal(for: Counter.self)
            let role = "single_\(Int.random(in: 0..<1_000_000))"
            try await administrator.execute(
                "CREATE ROLE \(identifier: role) LOGIN CONNECTION LIMIT 1"
            )
            for object in ["SCHEMA \"\(schema)\"", "ALL TABLES IN SCHEMA \"\(schema)\""] {
                try await administrator.execute(
                    "GRANT ALL ON \(raw: object) TO \(identifier: role)"
                )
            }
            let warnings = Warnings()
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            configuration.connectionWarning = { warnings.append($0) }
            let client = try await SQLDBClient.postgreSQL(
                Server.url(role: role),
                configuration: configuration
            )
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([])
            let begin = ContinuousClock.now
            try await Self.run("INSERT INTO \"\(schema)\".\"Counter\" VALUES (1, 0)")
            try await table.settle([Counter(1)])
            let told = ContinuousClock.now - begin
            #expect(told < .seconds(8))
            print("refused listener: another program's commit told after \(told)")
            try await waitUntil { warnings.all.contains { $0.purpose == .observation } }
            let warning = try #require(warnings.all.first { $0.purpose == .observation })
            #expect(warning.error.code == .busy)
            #expect(warning.description.contains("read again every five seconds"))
            #expect(!warning.description.contains(role))
            try client.close()
            try await administrator.execute("DROP OWNED BY \(identifier: role)")
            try await administrator.execute("DROP ROLE \(identifier: role)")
        }
    }

    private static func run(_ sql: String) async throws {
        _ = try await Program.run(
            "/usr/bin/psql",
            ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, try #require(Server.url)]
        )
    }
}
