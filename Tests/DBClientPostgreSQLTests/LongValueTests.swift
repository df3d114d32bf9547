import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Values that are too long for an index, in tables with many rows.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(3)))
struct LongValueTests {
    /// A text that does not become short enough when the server compresses it.
    private static let noise = String(
        (0..<9_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126))) }
    )

    private func indexes(_ client: SQLDBClient) async throws -> [String] {
        try await client.rows(
            """
            SELECT i.relname::text || ' ' || substring(pg_get_indexdef(i.oid) FROM '\\(.*')
                || CASE WHEN x.indisvalid THEN '' ELSE ' broken off' END AS text
            FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
            WHERE x.indrelid = to_regclass('"Letter"') AND NOT x.indisprimary ORDER BY 1
            """
        ).compactMap { $0["text", as: String.self] }
    }

    @Test("The first one has its indexes made again while others write")
    func firstLongValue() async throws {
        try await Server.withClient { client, schema in
            try await client.insert((1...20_000).map { Letter($0) })
            #expect(
                try await indexes(client) == [
                    "Letter_name_unique_index (name)", "Letter_text_index (text)",
                ]
            )
            let pool = try #require((client.engine as? PostgreSQLEngine)?.pool)
            // What an earlier attempt left is made use of.
            try await onThread {
                let connection = try PostgreSQLConnection(pool.parameters, pool.configuration)
                defer { connection.close() }
                let found = try PrefixIndex.find("Letter_text_index", of: "Letter", on: connection)
                let name = "dbclient_\(try #require(found.first).identifier)"
                try connection.execute(
                    "CREATE INDEX \"\(name)\" ON \"Letter\" (substr(text, 1, 200))"
                )
            }
            let other = try await Server.client(schema: schema)
            let long = Letter(-1, name: Self.noise, text: Self.noise)
            async let inserted = client.insert(long)
            for id in 30_001...30_020 { try await other.insert(Letter(id)) }
            _ = try await inserted
            #expect(
                try await indexes(client) == [
                    "Letter_name_unique_index (md5(name))",
                    "Letter_text_index (substr(text, 1, 200))",
                ]
            )
            #expect(try await other.find(Letter.self, key: -1) == long)
            #expect(try await other.fetch(Letter.where { $0.text == Self.noise }) == [long])
            #expect(try await client.pendingChanges(of: [.adapt(Letter.self)]).isEmpty)
            #expect(
                await code { try await other.insert(Letter(-2, name: Self.noise, text: "")) }
                    == .uniqueViolation
            )
            try other.close()
        }
    }

    @Test("A new index takes those that are stored", arguments: [10, 20_000])
    func newIndex(count: Int) async throws {
        try await Server.withClient { client, _ in
            try await client.insert((1...count).map { PlainLetter($0) })
            try await client.insert(PlainLetter(-1, name: Self.noise, text: Self.noise))
            try await client.migrate([.adapt(Letter.self)])
            #expect(
                try await indexes(client) == [
                    "Letter_name_unique_index (md5(name))",
                    "Letter_text_index (substr(text, 1, 200))",
                ]
            )
            #expect(
                await code { try await client.insert(Letter(-2, name: Self.noise, text: "")) }
                    == .uniqueViolation
            )
        }
    }
}

@Stored private struct Letter: Equatable {
    let id: Int
    @Unique var name: String
    @Indexed var text: String

    init(_ number: Int, name: String? = nil, text: String? = nil) {
        id = number
        self.name = name ?? "letter \(number)"
        self.text = text ?? String(repeating: "-", count: 90)
    }
}

@Stored("Letter") private struct PlainLetter {
    let id: Int
    var name: String
    var text: String

    init(_ number: Int, name: String? = nil, text: String? = nil) {
        id = number
        self.name = name ?? "letter \(number)"
        self.text = text ?? String(repeating: "-", count: 90)
    }
}
