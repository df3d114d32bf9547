import DBClientCore
import DBClientSQL
import Testing

@testable import DBClientPostgreSQL

/// Tables that others alter while a client knows them as they were.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct AlteredTableTests {
    private func withClient(
        keepsStatements: Bool,
        _ body: (SQLDBClient, _ other: SQLDBClient) async throws -> Void
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.keepsPreparedStatements = keepsStatements
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, schema in
            let other = try await Server.client(port: Server.port, schema: schema)
            do {
                try await body(client, other)
            } catch {
                try? other.close()
                throw error
            }
            try other.close()
        }
    }

    @Test("A column of another type is read as what it is", arguments: [true, false])
    func reading(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            let counters = (1...40).map { Counter($0, $0 * 1_000) }
            try await client.insert(counters)
            func check() async throws {
                #expect(try await client.find(Counter.self, key: 3) == counters[2])
                #expect(try await client.find(Counter.self, keys: [4, 3]).count == 2)
                #expect(try await client.findAll(Counter.self) == counters)
                #expect(try await client.max(\.value, of: Counter.all) == 40_000)
                #expect(try await client.distinct(\.value, of: Counter.all.limit(1)) == [1_000])
            }
            try await check()
            for type in ["integer", "bigint", "smallint USING least(\"value\", 30000)::smallint"] {
                try await other.execute(
                    "ALTER TABLE \"Counter\" ALTER \"value\" TYPE \(raw: type)"
                )
                guard !type.hasPrefix("smallint") else { break }
                try await check()
            }
            #expect(try await client.findAll(Counter.self).last == Counter(40, 30_000))
            try await other.execute("ALTER TABLE \"Counter\" ALTER \"value\" TYPE text")
            #expect(
                await code { _ = try await client.findAll(Counter.self) } == .schemaMismatch
            )
        }
    }

    @Test("A column of another type is written as what it is", arguments: [true, false])
    func writing(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            try await client.insert((1...3).map { Counter($0, 1) })
            try await client.insert((101...140).map { Counter($0, 1) })
            try await client.update(Counter(1, 2))
            try await client.upsert(Counter(2, 2))
            for (number, type) in ["integer", "bigint"].enumerated() {
                try await other.execute(
                    "ALTER TABLE \"Counter\" ALTER \"value\" TYPE \(raw: type)"
                )
                let first = 200 * (number + 1)
                try await client.insert((first...first + 39).map { Counter($0, 1) })
                try await client.insert(Counter(4 + number, 1))
                try await client.update(Counter(1, 3))
                #expect(try await client.upsert(Counter(2, 3)).isUpdated)
            }
            #expect(try await client.sum(\.value, of: Counter.all) == 3 + 3 + 3 + 120)
            try await other.execute(
                "ALTER TABLE \"Counter\" ALTER \"value\" TYPE uuid USING gen_random_uuid()"
            )
            #expect(await code { try await client.insert(Counter(9)) } == .schemaMismatch)
        }
    }
}
