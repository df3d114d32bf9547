import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Tables as the server has them.
@Suite(.serialized, .enabled(if: Server.isThere)) struct TableTests {
    @Test("A call learns what is cheap on a connection")
    func hints() async throws {
        try await Server.withClient { client, _ in
            let hints = try client.blocking.read {
                try $0.engineReader.hints(for: Note.schema.entity)
            }
            #expect(hints.updatesTogether)
        }
    }

    @Test("Tables have real types, byte order and indexes in the order of requests")
    func definition() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Note(0, "a"))
            let columns = try await client.rows(
                """
                SELECT column_name::text AS name, data_type::text AS type,
                    coalesce(collation_name, '')::text AS collation, is_identity::text AS identity
                FROM information_schema.columns
                WHERE table_name = 'Note' AND table_schema = current_schema()
                ORDER BY ordinal_position
                """
            )
            let found = columns.map { row in
                row.values.map { if case .text(let text) = $0 { text } else { "?" } }
            }
            #expect(
                found == [
                    ["id", "bigint", "", "YES"], ["text", "text", "C", "NO"],
                    ["tags", "json", "", "NO"],
                ]
            )
        }
    }

    @Test("A column that differs from a field in case alone is another one")
    func caseOfColumns() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                "CREATE TABLE \"Counter\" (\"id\" bigint PRIMARY KEY, \"VALUE\" bigint)"
            )
            let error = await #expect(throws: DBClientError.self) {
                try await client.insert(Counter(1))
            }
            #expect(error?.code == .schemaMismatch && error?.field == "value")
            #expect(error?.hint == "Give the field the stored name \"VALUE\".")
            try await client.execute(
                "ALTER TABLE \"Counter\" ADD COLUMN \"value\" bigint NOT NULL, ADD COLUMN \"Value\" text"
            )
            try await client.insert([Counter(1, 5), Counter(2, 6)])
            #expect(try await client.findAll(Counter.self) == [Counter(1, 5), Counter(2, 6)])
        }
    }

    @Test("An error of the server's has its SQLSTATE, letters and all")
    func sqlState() async throws {
        try await Server.withClient { client, _ in
            for (statement, state) in [
                ("SELECT * FROM \"nowhere\"", "42P01"), ("SELECT 1/0", "22012"),
                ("SELECT '{'::json", "22P02"),
            ] {
                let error = await #expect(throws: DBClientError.self) {
                    _ = try await client.rows("\(raw: statement)")
                }
                #expect(error?.engineCode == .sqlState(state))
                #expect("\(error.map { "\($0)" } ?? "")".contains("[engine code \(state)]"))
            }
        }
    }

    @Test("A few rows go in one trip, and an error says which row it is of")
    func fewRows() async throws {
        try await Server.withClient { client, _ in
            let made = try await client.insert((0..<5).map { Note(0, "\($0)") })
            #expect(made.map(\.id) == [1, 2, 3, 4, 5])
            try await client.insert([Counter(1), Counter(2), Counter(3)])
            let error = await #expect(throws: DBClientError.self) {
                try await client.insert([Counter(7), Counter(3), Counter(8), Counter(2)])
            }
            #expect(error?.code == .duplicateKey && error?.key == "3")
            let outcome = try await client.upsert([Counter(3, 9), Counter(4, 9), Counter(1, 9)])
            #expect(outcome.inserted.map(\.id) == [4] && outcome.updated.map(\.id) == [3, 1])
            #expect(await code { try await client.update([Counter(1), Counter(9)]) } == .notFound)
            try await client.update([Counter(1, 5), Counter(2, 6)])
            #expect(
                try await client.findAll(Counter.self)
                    == [Counter(1, 5), Counter(2, 6), Counter(3, 9), Counter(4, 9)]
            )
        }
    }

    @Test("A call that fails leaves the transaction as it was, with or without a savepoint")
    func failedCalls() async throws {
        try await Server.withClient { client, _ in
            try await client.insert([Counter(1), Counter(2)])
            try await client.write { transaction in
                try transaction.insert(Counter(3))
                #expect(throws: DBClientError.self) { try transaction.insert(Counter(1)) }
                #expect(throws: DBClientError.self) { try transaction.rows("SELECT 1 / 0") }
                #expect(try transaction.count(Counter.all) == 3)
                try? transaction.write { nested in
                    try nested.insert(Counter(4))
                    try nested.insert(Counter(4))
                }
                try transaction.insert(Counter(5))
            }
            #expect(try await client.findAll(Counter.self).map(\.id) == [1, 2, 3, 5])
        }
    }

    @Test("Many rows go the way of one")
    func bulk() async throws {
        try await Server.withClient { client, _ in
            let notes = try await client.insert((0..<300).map { Note(0, "n\($0)", tags: ["x"]) })
            #expect(Set(notes.map(\.id)).count == 300 && notes.allSatisfy { $0.id > 0 })
            let mixed = notes[..<100].map { Note($0.id, $0.text + "'") } + [Note(5_000, "new")]
            let outcome = try await client.upsert(mixed.shuffled())
            #expect(outcome.inserted == [Note(5_000, "new")] && outcome.updated.count == 100)
            #expect(try await client.insert(Note(0, "next")).id > 5_000)
            let taken = try await #require(throws: DBClientError.self) {
                try await client.insert((0..<50).map { Note(6_000 + $0, "m\($0 / 2)") })
            }
            #expect(taken.code == .uniqueViolation && taken.field == "text")
            let duplicate = await code {
                try await client.insert((0..<50).map { Note(4_990 + $0, "k\($0)") })
            }
            #expect(duplicate == .duplicateKey)
            #expect(try await client.count(Note.all) == 302)
            // The last of a key counts, a missing one is told, and all of it is undone.
            var updates = (0..<40).map { Counter($0) }
            try await client.insert(updates)
            updates += [Counter(7, 1), Counter(7, 2)]
            try await client.update(updates)
            #expect(try await client.find(Counter.self, key: 7)?.value == 2)
            let missing = await code { try await client.update(updates + [Counter(99)]) }
            #expect(missing == .notFound)
            let kept = try await client.updateExisting(updates.map { Counter($0.id + 30, 5) })
            #expect(Set(kept.map(\.id)) == Set(30..<40).union([37]))
            let keys = Array((0..<60).reversed())
            #expect(try await client.find(Counter.self, keys: keys).map(\.id) == keys.suffix(40))
            #expect(try await client.delete(Counter.self, keys: keys + keys) == 40)
        }
    }

    @Test("Values of any length are indexed, and what is unique stays so")
    func longValues() async throws {
        try await Server.withClient { client, _ in
            var generator = SystemRandomNumberGenerator()
            let noise = String(
                (0..<9_000).map { _ in
                    Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &generator)))
                }
            )
            try await client.insert(Note(0, "short"))
            try await client.insert([Note(0, noise), Note(0, noise + "b")])
            #expect(await code { try await client.insert(Note(0, noise)) } == .uniqueViolation)
            #expect(await code { try await client.insert(Note(0, "short")) } == .uniqueViolation)
            #expect(try await client.count(Note.where { $0.text == noise }) == 1)
            let indexes = try await client.rows(
                """
                SELECT indexdef::text AS text FROM pg_indexes
                WHERE tablename = 'Note' AND schemaname = current_schema()
                """
            )
            #expect(indexes.count == 2)
        }
    }

    @Test("An index that somebody else made is not made again for a long value")
    func longValuesElsewhere() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                """
                CREATE TABLE "Note" (
                    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                    text text COLLATE "C" NOT NULL, tags json NOT NULL)
                """
            )
            try await client.execute("CREATE INDEX theirs ON \"Note\" (text text_pattern_ops)")
            try await client.execute("ALTER TABLE \"Note\" ADD UNIQUE (text)")
            var generator = SystemRandomNumberGenerator()
            let noise = String(
                (0..<9_000).map { _ in
                    Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &generator)))
                }
            )
            #expect(
                await code {
                    try await client.execute("INSERT INTO \"Note\" VALUES (1, \(noise), '[]')")
                } == .invalidValue
            )
            #expect(await code { try await client.insert(Note(2, noise)) } == .invalidValue)
            let indexes = try await client.rows(
                """
                SELECT indexdef::text AS text FROM pg_indexes
                WHERE tablename = 'Note' AND schemaname = current_schema() ORDER BY indexname
                """
            )
            let texts = indexes.map { $0["text", as: String.self] ?? "" }
            #expect(texts.contains { $0.contains("text_pattern_ops") })
            #expect(!texts.contains { $0.contains("substr") || $0.contains("md5") })
        }
    }

    @Test("A table that others changed is looked at again")
    func changedTable() async throws {
        try await Server.withClient { client, schema in
            try await client.insert(Counter(1))
            let other = try await Server.client(schema: schema)
            #expect(try await other.find(Counter.self, key: 1) == Counter(1))
            try await client.execute("ALTER TABLE \"Counter\" ALTER \"value\" TYPE integer")
            #expect(try await other.find(Counter.self, key: 1) == Counter(1))
            try await other.update(Counter(1, 7))
            try await client.execute("DROP TABLE \"Counter\"")
            #expect(try await other.count(Counter.all) == 0)
            try await other.insert(Counter(3))
            #expect(try await client.findAll(Counter.self) == [Counter(3)])
            try other.close()
        }
    }

    @Test("A partitioned table of one's own is used, and a key that exists in a partition is told")
    func partitions() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                """
                CREATE TABLE "Event" (
                    "id" bigint GENERATED BY DEFAULT AS IDENTITY,
                    "tenant" bigint NOT NULL,
                    "text" text COLLATE "C" NOT NULL,
                    PRIMARY KEY ("id")
                ) PARTITION BY HASH ("id")
                """
            )
            for part in 0..<4 {
                try await client.execute(
                    """
                    CREATE TABLE \(identifier: "Event_\(part)") PARTITION OF "Event"
                    FOR VALUES WITH (MODULUS 4, REMAINDER \(raw: String(part)))
                    """
                )
            }
            let made = try await client.insert((0..<8).map { Event(tenant: 1, text: "e\($0)") })
            #expect(made.map(\.id) == Array(1...8))
            for key in 1...8 {
                let error = await #expect(throws: DBClientError.self) {
                    try await client.insert(Event(key, tenant: 2, text: "again"))
                }
                #expect(error?.code == .duplicateKey && error?.field == "id")
            }
            let duplicate = await code {
                try await client.insert((8..<60).map { Event($0, tenant: 2, text: "many") })
            }
            #expect(duplicate == .duplicateKey)
            let outcome = try await client.upsert((5...30).map { Event($0, tenant: 3, text: "u") })
            #expect(outcome.updated.count == 4 && outcome.inserted.count == 22)
            #expect(try await client.find(Event.self, key: 7)?.tenant == 3)
            #expect(try await client.count(Event.where { $0.tenant == 3 }) == 26)
            #expect(try await client.delete(Event.where { $0.id > 8 }) == 22)
        }
    }

    @Test("A float is kept as it is in a column of doubles and in one of floats")
    func narrowColumns() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                """
                CREATE TABLE "Measure" ("id" bigint PRIMARY KEY,
                    "number" double precision NOT NULL, "small" real NOT NULL,
                    "price" numeric NOT NULL)
                """
            )
            let price = try #require(Decimal(string: "12345678901234567890.123456789"))
            let measure = Measure(1, 0.1, 0.1, price)
            try await client.insert(measure)
            #expect(try await client.findAll(Measure.self) == [measure])
            #expect(try await client.count(Measure.where { $0.small == 0.1 }) == 1)
        }
    }

    @Test("A connection is used again, grows old and is replaced")
    func lifetimes() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.maximumConnections = 4
        configuration.minimumConnections = 2
        configuration.maximumLifetime = .seconds(2)
        try await Server.withClient(configuration) { client, _ in
            #expect(client.postgreSQLPool?.idle == 2)
            func process() async throws -> Int? {
                try await client.rows("SELECT pg_backend_pid() AS pid").first?["pid", as: Int.self]
            }
            let first = try await process()
            #expect(try await process() == first)
            try await waitUntil { try await process() != first }
        }
    }
}

@Stored struct Event: Equatable {
    @PrimaryKey(.generated) let id: Int
    var tenant: Int
    var text: String

    init(_ id: Int = 0, tenant: Int, text: String) {
        self.id = id
        self.tenant = tenant
        self.text = text
    }
}

@Stored struct Measure: Equatable {
    let id: Int
    var number: Double
    var small: Float
    var price: Decimal

    init(_ id: Int, _ number: Double, _ small: Float, _ price: Decimal) {
        self.id = id
        self.number = number
        self.small = small
        self.price = price
    }
}
