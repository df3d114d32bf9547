import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// What a session is, whatever custom statements are run in it and whatever the server lacks.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct SessionTests {
    @Test(
        "A schema that is not there is told of by reads and writes, and may be made through the client"
    )
    func missingSchema() async throws {
        let url = try #require(Server.url)
        let name = "missing_\(Int.random(in: 0..<1_000_000))"
        var configuration = PostgreSQLConfiguration()
        configuration.schema = name
        let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
        func expectRefusal(_ expected: DBClientError.Code) async {
            #expect(await code { _ = try await client.count(Counter.all) } == expected)
            #expect(await code { _ = try await client.findAll(Counter.self) } == expected)
            #expect(await code { _ = try await client.find(Counter.self, key: 1) } == expected)
            #expect(await code { try await client.insert(Counter(1)) } == expected)
            #expect(
                await code { try await client.insert((0..<40).map { Counter($0) }) } == expected
            )
            #expect(await code { try await client.deleteAll(Counter.self) } == expected)
            #expect(await code { try await client.migrate([.adapt(Counter.self)]) } == expected)
        }
        await expectRefusal(.notFound)
        try await client.execute("CREATE SCHEMA \(identifier: name)")
        try await client.insert(Counter(1))
        #expect(try await client.count(Counter.all) == 1)
        // Dropped under a client that knows its tables.
        try await client.execute("DROP SCHEMA \(identifier: name) CASCADE")
        await expectRefusal(.notFound)
        try client.close()
    }

    @Test("A schema that the role may not use is told of")
    func forbiddenSchema() async throws {
        try await Server.withClient { administrator, schema in
            try await administrator.insert(Counter(1))
            let role = "outsider_\(Int.random(in: 0..<1_000_000))"
            try await administrator.execute("CREATE ROLE \(identifier: role) LOGIN")
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            let client = try await SQLDBClient.postgreSQL(
                try Server.url(role: role),
                configuration: configuration
            )
            #expect(await code { _ = try await client.count(Counter.all) } == .permission)
            #expect(await code { try await client.insert(Counter(2)) } == .permission)
            try client.close()
            try await administrator.execute("DROP ROLE \(identifier: role)")
        }
    }

    @Test("A schema of the search_path that is misspelt or forbidden is told of")
    func searchPath() async throws {
        try await Server.withClient { administrator, schema in
            let name = "path_\(Int.random(in: 0..<1_000_000))"
            try await administrator.execute("CREATE ROLE \(identifier: name) LOGIN")
            try await administrator.execute("CREATE SCHEMA \(identifier: name)")
            try await administrator.execute(
                "GRANT USAGE, CREATE ON SCHEMA \(identifier: name) TO \(identifier: name)"
            )
            func open(_ path: String) async throws -> SQLDBClient {
                let url = try Server.url {
                    $0.user = name
                    $0.queryItems = [URLQueryItem(name: "options", value: "-c search_path=" + path)]
                }
                return try await SQLDBClient.postgreSQL(url)
            }
            for (path, expected) in [
                ("misspelt,\(name)", DBClientError.Code.notFound), ("\(name),misspelt", .notFound),
                ("\"\(schema)\",\(name)", .permission), ("\(name),\"\(schema)\"", .permission),
            ] {
                let client = try await open(path)
                let error = await #expect(throws: DBClientError.self, "\(path)") {
                    try await client.count(Counter.all)
                }
                #expect(error?.code == expected, "\(path)")
                #expect(error?.field == "search_path", "\(path)")
                let word = expected == .notFound ? "misspelt" : schema
                #expect(error?.message.contains(word) == true, "\(path)")
                #expect(await code { try await client.insert(Counter(1)) } == expected, "\(path)")
                try client.close()
            }
            // What stands in the path by default may be missing, and so may the name of the role.
            let client = try await open("\"$user\",\(name),public,pg_temp,pg_catalog")
            try await client.insert(Waypoint(id: 1))
            #expect(try await client.count(Waypoint.all) == 1)
            #expect(try await client.count(Milestone.all) == 0)
            // A view of the server's own is found, and is no table of the model.
            let error = await #expect(throws: DBClientError.self) {
                try await client.count(Qualified.all)
            }
            #expect(error?.code == .schemaMismatch)
            try client.close()
            try await administrator.execute("DROP SCHEMA \(identifier: name) CASCADE")
            try await administrator.execute("DROP ROLE \(identifier: name)")
        }
    }

    @Test("What begins, ends or outlives a transaction is refused before it is sent")
    func refusedStatements() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let refused: [SQL] = [
                "COMMIT", "commit", "/* x /* y */ */ COMMIT", "-- x\n COMMIT", ";COMMIT", "BEGIN",
                "END",
                "ROLLBACK", "ABORT", "SAVEPOINT a", "RELEASE a", "START TRANSACTION",
                "PREPARE TRANSACTION 'x'", "SET work_mem = '1MB'",
                "SET SESSION statement_timeout = 0",
                "SET search_path = public", "RESET ALL", "DISCARD ALL", "LISTEN x", "UNLISTEN *",
            ]
            for statement in refused {
                let found = Mutex<DBClientError.Code?>(nil)
                try await client.write { transaction in
                    try transaction.insert(Counter(2))
                    do { try transaction.execute(statement) } catch {
                        found.withLock { $0 = (error as? DBClientError)?.code }
                    }
                    _ = try transaction.delete(Counter.self, key: 2)
                }
                #expect(found.withLock { $0 } == .invalidRequest, "\(statement)")
            }
            try await client.write { try $0.execute("SET LOCAL work_mem = '1MB'") }
            #expect(try await client.findAll(Counter.self) == [Counter(1)])
        }
    }

    @Test(
        "What a function sets for the session is undone before another caller gets the connection"
    )
    func hiddenSettings() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, schema in
            try await client.insert(Counter(1))
            for sql: SQL in [
                "SELECT set_config('search_path', 'public', false)",
                "SELECT set_config('statement_timeout', '5000', false)",
                "SELECT set_config('app.tenant', 'secret', false)",
                "SELECT set_config('role', 'pg_monitor', false)",
            ] {
                _ = try await client.write { try $0.rows(sql).count }
                _ = try await client.rows(sql)
                let row = try await client.rows(
                    """
                    SELECT current_setting('app.tenant', true)::text AS tenant, current_schema()::text AS schema,
                        current_setting('statement_timeout')::text AS limit,
                        (current_user = session_user)::text AS own
                    """
                ).first
                #expect(row?["tenant", as: String.self] ?? "" == "")
                #expect(row?["schema", as: String.self] == schema)
                #expect(row?["limit", as: String.self] == "1min")
                #expect(row?["own", as: String.self] == "true")
                #expect(try await client.findAll(Counter.self) == [Counter(1)])
            }
        }
    }

    @Test("A server that keeps a function from the role costs what that is for, and no connection")
    func withheldFeatures() async throws {
        let administrator = try await SQLDBClient.postgreSQL(try #require(Server.url))
        let name = "withheld_\(Int.random(in: 0..<1_000_000))"
        let url = try #require(Server.url)
        // Not in a transaction.
        let pool = try #require((administrator.engine as? PostgreSQLEngine)?.pool)
        func outside(_ sql: String) async throws {
            try await onThread {
                let connection = try PostgreSQLConnection(pool.parameters, pool.configuration)
                defer { connection.close() }
                try connection.execute(sql)
            }
        }
        try await outside("CREATE DATABASE \(name)")
        try await administrator.execute("CREATE ROLE \(identifier: name) LOGIN")
        var parts = try #require(URLComponents(string: url))
        parts.path = "/\(name)"
        let owner = try await SQLDBClient.postgreSQL(try #require(parts.string))
        try await owner.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
        try await owner.execute("REVOKE SELECT ON pg_stat_bgwriter FROM PUBLIC")
        try await owner.execute("GRANT ALL ON SCHEMA public TO \(identifier: name)")
        do {
            let client = try await SQLDBClient.postgreSQL(
                try Server.url(role: name, database: name)
            )
            let other = try await SQLDBClient.postgreSQL(
                try Server.url(role: name, database: name)
            )
            try await client.insert(Counter(1))
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle([Counter(1)])
            try await other.insert(Counter(2))
            try await table.settle([Counter(1), Counter(2)])
            try client.close()
            try other.close()
        } catch {
            Issue.record(error)
        }
        try owner.close()
        try await outside("DROP DATABASE \(name) WITH (FORCE)")
        try await administrator.execute("DROP ROLE \(identifier: name)")
        try administrator.close()
    }

    @Test(
        "Behind a pooler that is not told of, each client's rows land in its own schema",
        .enabled(if: Pooler.isThere)
    )
    func undeclaredPooler() async throws {
        try await Server.withClient { first, firstSchema in
            try await Server.withClient { second, secondSchema in
                let pooler = try await Pooler(to: Server.port, of: Server.host)
                do {
                    let clients = try await [firstSchema, secondSchema].asyncMap {
                        try await Server.client(port: pooler.port, schema: $0)
                    }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for (number, client) in clients.enumerated() {
                            for part in 0..<4 {
                                group.addTask {
                                    for id in 0..<50 {
                                        try await client.insert(Counter(part * 50 + id, number))
                                        _ = try await client.count(Counter.all)
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    for (number, client) in [first, second].enumerated() {
                        let found = try await client.findAll(Counter.self)
                        #expect(found == (0..<200).map { Counter($0, number) })
                    }
                    for client in clients { try client.close() }
                } catch {
                    await pooler.stop()
                    throw error
                }
                await pooler.stop()
            }
        }
    }

    @Test("A direct connection keeps its statements")
    func directConnection() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(1))
            let prepared = try await client.rows(
                "SELECT 1 FROM pg_prepared_statements WHERE name LIKE 's%'"
            )
            #expect(!prepared.isEmpty)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(
        _ body: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}

@Stored("information_schema.tables") private struct Qualified {
    let id: Int
}

/// Models of which no other test makes a table in the schema that all have in common.
@Stored private struct Waypoint: Equatable {
    let id: Int
}

@Stored private struct Milestone: Equatable {
    let id: Int
}
