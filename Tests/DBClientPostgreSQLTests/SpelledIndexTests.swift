import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Testing

/// UUIDs that another program keeps as texts, in a unique index over several fields beside the key.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct SpelledIndexTests {
    private let first = UUID(uuidString: "ABCDEFAB-0000-4000-8000-ABCDEFABCDEF") ?? UUID()
    private let second = UUID(uuidString: "BCDEFABC-0000-4000-8000-ABCDEFABCDEF") ?? UUID()

    /// Runs a body with a table that another program has made, in which it has written a row in upper case.
    private func withRows(
        _ type: String,
        _ body: (SQLDBClient) async throws -> Void
    ) async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                SQL(
                    stringLiteral: """
                        CREATE TABLE "Booking" (id bigint PRIMARY KEY, event \(type), number integer, guest text,
                            UNIQUE (event, number))
                        """
                )
            )
            try await client.execute(
                "INSERT INTO \"Booking\" VALUES (1, \(first.uuidString), 1, 'upper')"
            )
            try await body(client)
        }
    }

    private func rows(_ client: SQLDBClient) async throws -> [String] {
        try await client.rows(
            "SELECT id || ' ' || coalesce(number::text, '-') || ' ' || guest AS row FROM \"Booking\" ORDER BY id"
        ).compactMap { $0["row", as: String.self] }
    }

    @Test(
        "New rows are refused for the other spelling",
        arguments: ["text", "char(36)"],
        [1, 3, 40]
    )
    func inserts(_ type: String, count: Int) async throws {
        try await withRows(type) { client in
            let bookings = (0..<count).map { Booking(10 + $0, first, $0 + 1, "new") }
            let error = await #expect(throws: DBClientError.self) {
                try await client.insert(bookings)
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.field == "event, number")
            // A transaction that catches it goes on, with nothing of the call.
            try await client.write { transaction in
                try transaction.insert(Booking(5, second, 1, "before"))
                _ = try? transaction.insert(bookings)
                try transaction.insert(Booking(6, second, 2, "after"))
            }
            #expect(try await rows(client) == ["1 1 upper", "5 1 before", "6 2 after"])
            let absent = try await client.insertIfAbsent(bookings)
            #expect(absent == Array(bookings.dropFirst()))
            #expect(
                try await client.insertIfAbsent([
                    Booking(90, nil, 1, "nil"), Booking(91, first, nil, "nil"),
                ]).count == 2
            )
            try await client.insert([Booking(92, nil, 1, "nil"), Booking(93, first, nil, "nil")])
            // Two of one call are of one spelling, which the server sees.
            #expect(
                await code {
                    try await client.insert([
                        Booking(95, second, 8, "a"), Booking(96, second, 8, "b"),
                    ])
                } == .uniqueViolation
            )
        }
    }

    @Test("Stored rows are refused the values of another, and keep their own")
    func updates() async throws {
        try await withRows("text") { client in
            try await client.insert([Booking(2, first, 2, "lower"), Booking(3, second, 1, "other")])
            #expect(
                await code { try await client.update(Booking(3, first, 1, "x")) }
                    == .uniqueViolation
            )
            #expect(
                await code {
                    try await client.update(Booking.self, key: 3) { $0.set(\.event, to: first) }
                }
                    == .uniqueViolation
            )
            #expect(
                await code {
                    try await client.update(Booking.self, key: 2) { $0.set(\.number, to: 1) }
                }
                    == .uniqueViolation
            )
            #expect(
                await code {
                    try await client.update(Booking.where { $0.event == first }) {
                        $0.set(\.number, to: 7)
                    }
                } == .uniqueViolation
            )
            #expect(
                await code {
                    try await client.update(Booking.where { $0.id == 2 }) {
                        $0.set(\.number) { $0.number - 1 }
                    }
                } == .uniqueViolation
            )
            #expect(try await rows(client) == ["1 1 upper", "2 2 lower", "3 1 other"])
            // What is no part of the index, and what a row has already.
            try await client.update(Booking.all) { $0.set(\.guest, to: "g") }
            try await client.update(Booking.self, key: 1) { $0.set(\.number, to: 1) }
            try await client.update([Booking(1, first, 1, "own"), Booking(3, second, 1, "own")])
            // What one row gives up the next one may take.
            try await client.update([Booking(1, first, 9, "moved"), Booking(2, first, 1, "taken")])
            #expect(try await rows(client) == ["1 9 moved", "2 1 taken", "3 1 own"])
            #expect(
                await code {
                    try await client.update([Booking(3, first, 9, "x"), Booking(77, first, 1, "x")])
                }
                    == .uniqueViolation
            )
            #expect(await code { try await client.update(Booking(77, first, 1, "x")) } == .notFound)
        }
    }

    @Test(
        "Upserts find the row of the other spelling, and are refused its values",
        arguments: [1, 40]
    )
    func upserts(count: Int) async throws {
        try await withRows("text") { client in
            #expect(
                await code {
                    try await client.upsert(
                        (0..<count).map { Booking(10 + $0, first, count - $0, "x") }
                    )
                } == .uniqueViolation
            )
            let bookings = (0..<count).map { Booking(1 + $0, first, 1 + $0, "same") }
            let outcome = try await client.upsert(bookings)
            #expect(outcome.updated.count == 1 && outcome.inserted.count == count - 1)
            let byValues = try await client.upsert(
                (0..<count).map { Booking(500 + $0, first, 1 + $0, "by values") },
                by: \.event,
                \.number
            )
            #expect(byValues.updated.map(\.id) == bookings.map(\.id))
            #expect(try await client.count(Booking.all) == count)
        }
    }

    @Test("Two programs that write the two spellings at once do not both succeed")
    func race() async throws {
        try await Server.withClient { client, schema in
            try await client.execute(
                """
                CREATE TABLE "Booking" (id bigint PRIMARY KEY, event text, number integer, guest text,
                    UNIQUE (event, number))
                """
            )
            let other = try await Server.client(schema: schema)
            for round in 0..<20 {
                async let lower = code {
                    _ = try await client.insert(Booking(2 * round, first, round, "lower"))
                }
                async let upper = code {
                    try await other.write { transaction in
                        let taken = try transaction.rows(
                            "SELECT 1 FROM \"Booking\" WHERE upper(event) = \(first.uuidString) AND number = \(round)"
                        )
                        if !taken.isEmpty { return }
                        try transaction.execute(
                            "INSERT INTO \"Booking\" VALUES (\(2 * round + 1), \(first.uuidString), \(round), 'upper')"
                        )
                    }
                }
                let results = await [lower, upper]
                #expect(results.allSatisfy { $0 == nil || $0 == .uniqueViolation })
                let count = try await client.rows(
                    "SELECT count(*) AS n FROM \"Booking\" WHERE number = \(round)"
                ).first?["n", as: Int.self]
                #expect(count == 1)
            }
            try other.close()
        }
    }
}

@Stored private struct Booking: Equatable {
    static var indexes: [StoredIndex<Self>] { [.unique(\.event, \.number)] }

    let id: Int
    var event: UUID?
    var number: Int?
    var guest: String

    init(_ id: Int, _ event: UUID?, _ number: Int?, _ guest: String) {
        self.id = id
        self.event = event
        self.number = number
        self.guest = guest
    }
}
