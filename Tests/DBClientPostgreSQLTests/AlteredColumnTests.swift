import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Columns whose collation or digits others alter while a client knows them as they were.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct AlteredColumnTests {
    private func withClient(
        keepsStatements: Bool,
        _ body: (SQLDBClient, _ other: SQLDBClient) async throws -> Void
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.keepsPreparedStatements = keepsStatements
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, schema in
            let other = try await Server.client(schema: schema)
            try await other.execute(
                """
                CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)
                """
            )
            let result: Swift.Result<Void, any Error>
            do {
                result = .success(try await body(client, other))
            } catch {
                result = .failure(error)
            }
            try other.close()
            try result.get()
        }
    }

    /// What every request means, by the bytes of the texts.
    private func check(_ client: SQLDBClient) async throws {
        let sorted = Word.all.sorted { $0.text }
        #expect(try await client.fetch(sorted).map(\.text) == ["B", "a", "e\u{301}", "é"])
        #expect(
            try await client.fetch(Word.all.sorted { $0.text.descending }.limit(1)).map(\.text) == [
                "é"
            ]
        )
        #expect(try await client.count(Word.where { $0.text < "a" }) == 1)
        #expect(try await client.count(Word.where { $0.text >= "a" }) == 3)
        #expect(try await client.max(\.text, of: Word.all) == "é")
        // The two are one text to Swift, and to a collation that has more than one spelling of it.
        #expect(try await client.count(Word.where { $0.text == "A" }) == 0)
        #expect(try await client.fetch(Word.where { $0.text == "b" }).isEmpty)
        #expect(try await client.fetch(Word.where { $0.text.isIn(["A", "b"]) }).isEmpty)
        #expect(try await client.distinct(\.text, of: Word.all).count == 4)
    }

    @Test(
        "Texts are compared by their bytes whatever collation a column gets",
        arguments: [true, false]
    )
    func collations(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            try await client.insert(
                ["a", "B", "e\u{301}", "é"].enumerated().map { Word(id: $0, text: $1) }
            )
            try await check(client)
            for collation in ["\"en-US-x-icu\"", "loose", "\"sv-x-icu\"", "\"C\"", "\"de-x-icu\""] {
                try await other.execute(
                    "ALTER TABLE \"Word\" ALTER text TYPE text COLLATE \(raw: collation)"
                )
                try await check(client)
                // A request of another shape than any before, prepared after the change.
                let count = try await client.count(
                    Word.where { $0.text > "C" && $0.id >= 0 && $0.id < 10 }
                )
                #expect(count == 3, "\(collation)")
            }
        }
    }

    @Test("Writes go on as the column is by then", arguments: [true, false])
    func writes(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements: keepsStatements) { client, other in
            try await client.insert([Word(id: 1, text: "a"), Word(id: 2, text: "B")])
            try await client.update(Word.self, key: 1) { $0.set(\.text, to: "a") }
            for collation in ["\"en-US-x-icu\"", "loose", "\"C\""] {
                try await other.execute(
                    "ALTER TABLE \"Word\" ALTER text TYPE text COLLATE \(raw: collation)"
                )
                #expect(
                    try await client.update(Word.where { $0.text == "A" }) { $0.set(\.id2, to: 9) }
                        == 0
                )
                #expect(try await client.delete(Word.where { $0.text < "B" }) == 0)
                for count in [1, 40] {
                    let words = (0..<count).map { Word(id: 100 + $0, text: "w\($0)") }
                    try await client.insert(words)
                    try await client.update(words)
                    #expect(try await client.upsert(words).updated.count == count)
                    #expect(try await client.delete(Word.where { $0.text > "a" }) == count)
                }
            }
            #expect(try await client.findAll(Word.self).map(\.text) == ["a", "B"])
        }
    }

    @Test("A value is rounded as the column is when it is written, whatever was read before")
    func rounding() async throws {
        try await withClient(keepsStatements: true) { client, other in
            try await client.execute(
                "CREATE TABLE \"Price\" (id integer PRIMARY KEY, amount numeric(8,3))"
            )
            try await client.insert([Price(id: 1, amount: 1.125), Price(id: 2, amount: 1)])
            let attempts = Counting()
            let stored = try await client.write { transaction in
                // From here on the transaction has the catalog of now.
                _ = try transaction.rows("SELECT 1")
                if attempts.next() == 1 {
                    try other.blocking.execute(
                        "ALTER TABLE \"Price\" ALTER amount TYPE numeric(8,1)"
                    )
                }
                return try transaction.upsert(Price(id: 3, amount: 2.256)).value
            }
            #expect(stored.amount == 2.3)
            #expect(attempts.next() == 3)
            #expect(try await client.find(Price.self, key: 3) == stored)
            // What has begun to write keeps others from altering the table.
            let isHeld = try await client.write { transaction in
                try transaction.update(Price.self, key: 1) { $0.set(\.amount, to: 3.25) }
                do {
                    try other.blocking.write { other in
                        try other.execute("SET LOCAL lock_timeout = '50ms'")
                        try other.execute("ALTER TABLE \"Price\" ALTER amount TYPE numeric(8,0)")
                    }
                    return false
                } catch {
                    return true
                }
            }
            #expect(isHeld)
            #expect(try await client.find(Price.self, key: 1)?.amount == 3.3)
        }
    }

    @Test(
        "What is rounded is written by a role that may insert, or that may write some columns alone",
        arguments: ["INSERT", "INSERT (id, amount), UPDATE (amount)"]
    )
    func rights(_ rights: String) async throws {
        try await Server.withClient { client, schema in
            try await client.execute(
                "CREATE TABLE \"Price\" (id integer PRIMARY KEY, amount numeric(8,2))"
            )
            let role = "writer_\(Int.random(in: 0..<1_000_000))"
            try await client.execute("CREATE ROLE \(identifier: role) LOGIN")
            try await client.execute(
                "GRANT USAGE ON SCHEMA \(identifier: schema) TO \(identifier: role)"
            )
            try await client.execute(
                "GRANT \(raw: rights) ON \"Price\" TO \(identifier: role)"
            )
            try await client.execute("GRANT SELECT ON \"Price\" TO \(identifier: role)")
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            let writer = try await SQLDBClient.postgreSQL(
                try Server.url(role: role),
                configuration: configuration
            )
            #expect(try await writer.insert(Price(id: 1, amount: 1.125)).amount == 1.13)
            try await client.execute("ALTER TABLE \"Price\" ALTER amount TYPE numeric(8,1)")
            #expect(try await writer.insert(Price(id: 2, amount: 1.125)).amount == 1.1)
            #expect(try await client.findAll(Price.self).map(\.amount) == [1.1, 1.1])
            try writer.close()
            try await client.execute("DROP OWNED BY \(identifier: role)")
            try await client.execute("DROP ROLE \(identifier: role)")
        }
    }
}

/// Counts the attempts of a unit of work.
private final class Counting: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}

@Stored private struct Word: Equatable {
    let id: Int
    var text: String
    var id2 = 0
}

@Stored private struct Price: Equatable {
    let id: Int
    var amount: Double
}
