import DBClientCore
import DBClientSQL
import Foundation
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
            let other = try await Server.client(schema: schema)
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

    @Test(
        "A statement that is made only then has parameters of the model's types",
        arguments: [true, false],
        ["json USING to_json(\"value\")", "boolean USING true", "uuid USING gen_random_uuid()"]
    )
    func firstStatements(keepsStatements: Bool, type: String) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            let uses: [@Sendable () async throws -> Void] = [
                { try await client.insert(Counter(9, 5)) },
                { try await client.insert((10...49).map { Counter($0, 5) }) },
                { try await client.update(Counter(1, 5)) },
                { try await client.upsert(Counter(1, 5)) },
                { try await client.update(Counter.self, key: 1) { $0.set(\.value, to: 5) } },
                { _ = try await client.fetch(Counter.where { $0.value == 5 }) },
                { try await client.delete(Counter.where { $0.value == 5 }) },
            ]
            for (index, use) in uses.enumerated() {
                try await other.insert(Counter(1, 1))
                // The client knows the table as one that it writes to, and has made none of the statements.
                try await client.delete(Counter.self, key: 99)
                try await other.execute("ALTER TABLE \"Counter\" ALTER \"value\" TYPE \(raw: type)")
                let error = await #expect(throws: DBClientError.self) { try await use() }
                #expect(error?.code == .schemaMismatch, "\(index): \(String(describing: error))")
                #expect(error?.field == "value", "\(index)")
                try await other.execute("DROP TABLE \"Counter\"")
            }
        }
    }

    @Test("A column that another program narrows is looked at again", arguments: [true, false])
    func narrowing(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            try await client.insert(Note(0, "a"))
            try await other.execute("ALTER TABLE \"Note\" ALTER \"text\" TYPE varchar(5)")
            for count in [1, 40] {
                let notes = (1...count).map { Note(0, "\($0 + 100_000)") }
                let error = await #expect(throws: DBClientError.self) {
                    try await client.insert(notes)
                }
                #expect(error?.code == .invalidValue)
                #expect(error?.field == "text")
                #expect(error?.message.contains("at most 5 characters") == true)
            }
            #expect(try await client.insert(Note(0, "12345")).text == "12345")

            try await client.insert(Counter(1, 100_000))
            try await other.execute("DELETE FROM \"Counter\"")
            try await other.execute("ALTER TABLE \"Counter\" ALTER \"value\" TYPE numeric(4,1)")
            #expect(await code { try await client.insert(Counter(2, 100_000)) } == .invalidValue)
            #expect(try await client.insert(Counter(2, 7)).value == 7)

            // The server rounds to what the column keeps, and says nothing.
            try await other.execute(
                "CREATE TABLE \"Weight\" (id integer PRIMARY KEY, kilograms numeric(8,2))"
            )
            try await client.insert(Weight(id: 1, kilograms: 1.125))
            #expect(try await client.find(Weight.self, key: 1)?.kilograms == 1.13)
            for (digits, kept) in [(1, 2.3), (0, 2), (3, 2.251)] {
                try await other.execute(
                    "ALTER TABLE \"Weight\" ALTER kilograms TYPE numeric(8,\(raw: String(digits)))"
                )
                for count in [1, 40] {
                    let weights = (0..<count).map {
                        Weight(id: (digits + 1) * 100 + $0, kilograms: 2.2512)
                    }
                    let stored = try await client.upsert(weights).inserted
                    #expect(stored.allSatisfy { $0.kilograms == kept }, "\(digits), \(count)")
                    #expect(
                        try await client.find(Weight.self, keys: weights.map(\.id)) == stored
                    )
                    try await client.delete(weights)
                }
                try await client.update(Weight.self, key: 1) { $0.set(\.kilograms, to: 2.2512) }
                #expect(try await client.find(Weight.self, key: 1)?.kilograms == kept)
            }

            try await other.execute(
                """
                ALTER TABLE "Note" ALTER "id" SET GENERATED ALWAYS
                """
            )
            let error = await #expect(throws: DBClientError.self) {
                try await client.insert(Note(99, "b"))
            }
            #expect(error?.code == .invalidValue && error?.field == "id")
            #expect(try await client.insert(Note(0, "b")).id > 0)
        }
    }

    /// Runs a write that waits for another program, which holds the table and then commits.
    private func meanwhile(
        _ statements: [SQL],
        by other: SQLDBClient,
        _ write: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (altered, hasAltered) = AsyncStream.makeStream(of: Void.self)
        async let alteration: Void = other.write { transaction in
            for statement in statements { try transaction.execute(statement) }
            hasAltered.finish()
            // Until the write waits at the table's lock.
            let end = ContinuousClock.now + .seconds(10)
            let held: SQL = """
                SELECT 1 FROM pg_catalog.pg_locks
                WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
                """
            while try transaction.rows(held).isEmpty {
                try #require(ContinuousClock.now < end, "The write does not wait.")
                usleep(1_000)
            }
        }
        for await _ in altered {}
        try await write()
        try await alteration
    }

    @Test(
        "A write that waited for another program's migration is told of the schema",
        arguments: [true, false]
    )
    func waiting(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            let counters = (1...40).map { Counter($0, 1) }
            func check(
                _ statements: [SQL],
                _ write: @escaping @Sendable () async throws -> Void
            ) async {
                let code = await code { try await meanwhile(statements, by: other, write) }
                #expect(code == .schemaMismatch)
            }
            try await client.insert(counters)
            try await client.update(Counter.self, key: 1) { $0.set(\.value, to: 1) }
            // A new row has no value in the column that the migration adds.
            await check([
                "ALTER TABLE \"Counter\" ADD COLUMN added bigint",
                "UPDATE \"Counter\" SET added = 1",
                "ALTER TABLE \"Counter\" ALTER added SET NOT NULL",
            ]) { try await client.insert(Counter(99, 1)) }
            try await other.execute("ALTER TABLE \"Counter\" DROP COLUMN added")
            #expect(try await client.findAll(Counter.self) == counters)

            let rename: SQL = "ALTER TABLE \"Counter\" RENAME \"value\" TO former"
            let undo: SQL = "ALTER TABLE \"Counter\" RENAME former TO \"value\""
            await check([rename]) { try await client.insert(Counter(41, 1)) }
            try await other.execute(undo)
            await check([rename]) {
                try await client.insert((101...140).map { Counter($0, 1) })
            }
            try await other.execute(undo)
            #expect(try await client.findAll(Counter.self) == counters)
        }
    }

    @Test(
        "Rows are not copied into a column of another type of the same length",
        arguments: [true, false],
        ["timestamptz USING to_timestamp(\"value\")", "double precision"]
    )
    func copying(keepsStatements: Bool, type: String) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            let alteration: SQL = "ALTER TABLE \"Counter\" ALTER \"value\" TYPE \(raw: type)"
            let many = (101...140).map { Counter($0, 1) }
            let uses: [@Sendable () async throws -> Void] = [
                { try await client.insert(many) },
                { try await client.upsert(many) },
                { try await client.insert((101...5_000).map { Counter($0, 1) }) },
            ]
            for (index, use) in uses.enumerated() {
                for waits in [false, true] {
                    try await other.insert(Counter(1, 1))
                    try await client.delete(Counter.self, key: 99)
                    let code = await code {
                        if waits {
                            try await meanwhile([alteration], by: other, use)
                        } else {
                            try await other.execute(alteration)
                            try await use()
                        }
                    }
                    #expect(code == .schemaMismatch, "\(index), \(waits)")
                    let stored = try await other.rows("SELECT id FROM \"Counter\"")
                    #expect(stored.count == 1, "\(index), \(waits)")
                    try await other.execute("DROP TABLE \"Counter\"")
                }
            }
        }
    }
}

@Stored private struct Weight: Equatable {
    let id: Int
    var kilograms: Double?
}
