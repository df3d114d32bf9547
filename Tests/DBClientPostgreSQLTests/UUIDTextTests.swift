import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Testing

/// UUIDs that another program keeps as texts, where two must not be equal.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct UUIDTextTests {
    private let first = UUID(uuidString: "ABCDEFAB-0000-4000-8000-ABCDEFABCDEF") ?? UUID()
    private let second = UUID(uuidString: "BCDEFABC-0000-4000-8000-ABCDEFABCDEF") ?? UUID()

    @Test(
        "A unique UUID is unique in whatever case it is written",
        arguments: ["text", "char(36)"]
    )
    func unique(_ type: String) async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                SQL(
                    stringLiteral:
                        "CREATE TABLE \"Ticket\" (id bigint PRIMARY KEY, code \(type) UNIQUE, note text)"
                )
            )
            try await client.execute("INSERT INTO \"Ticket\" VALUES (1, \(first.uuidString), 'x')")
            for count in [1, 40] {
                let tickets = (0..<count).map { Ticket(10 + $0, $0 == 0 ? first : UUID()) }
                #expect(await code { try await client.insert(tickets) } == .uniqueViolation)
            }
            #expect(
                try await client.insertIfAbsent([Ticket(2, first), Ticket(3, second)]) == [
                    Ticket(3, second)
                ]
            )
            #expect(
                await code {
                    try await client.update(Ticket.self, key: 3) { $0.set(\.code, to: first) }
                } == .uniqueViolation
            )
            #expect(await code { try await client.update(Ticket(3, first)) } == .uniqueViolation)
            // A row keeps its own, and the case in which it has it.
            try await client.update(Ticket(1, first, "y"))
            let outcome = try await client.upsert([Ticket(9, first, "z")], by: \.code)
            #expect(outcome.updated.map(\.id) == [1])
            let rows = try await client.rows("SELECT code::text, note FROM \"Ticket\" ORDER BY id")
            #expect(
                rows.map(\.values) == [
                    [.text(first.uuidString), .text("z")],
                    [.text(second.uuidString.lowercased()), .null],
                ]
            )
            try await client.insert([Ticket(20, nil), Ticket(21, nil)])
            #expect(try await client.fetch(Ticket.where { $0.code == first }).map(\.id) == [1])
        }
    }

    @Test("A key of a UUID and more is one key in whatever case it is written")
    func compositeKey() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                """
                CREATE TABLE "Seat" (event text, number integer, guest text, PRIMARY KEY (event, number))
                """
            )
            try await client.execute(
                "INSERT INTO \"Seat\" VALUES (\(first.uuidString), 1, 'upper'), (\(first.uuidString.lowercased()), 2, 'lower')"
            )
            for count in [1, 40] {
                let seats = (1...count).map { Seat(first, $0, "new") }
                let error = await #expect(throws: DBClientError.self) {
                    try await client.insert(seats)
                }
                #expect(error?.code == .duplicateKey)
                #expect(error?.key?.contains("1") == true)
            }
            #expect(try await client.count(Seat.all) == 2)
            #expect(
                try await client.insertIfAbsent((1...3).map { Seat(first, $0, "absent") })
                    == [Seat(first, 3, "absent")]
            )
            for count in [4, 40] {
                let seats = (1...count).map { Seat(first, $0, "upserted") }
                let known = try await client.count(Seat.all)
                let outcome = try await client.upsert(seats)
                #expect(outcome.updated.count == known)
                #expect(outcome.inserted.count == count - known)
                #expect(try await client.fetch(Seat.all) == seats)
            }
            #expect(
                try await client.find(Seat.self, key: Seat(first, 1, "").primaryKey)?.guest
                    == "upserted"
            )
            try await client.update(Seat(first, 1, "updated"))
            try await client.insert(Seat(second, 1, "second"))
            let rows = try await client.rows(
                "SELECT event, guest FROM \"Seat\" WHERE number = 1 ORDER BY event COLLATE \"C\""
            )
            #expect(
                rows.map(\.values) == [
                    [.text(first.uuidString), .text("updated")],
                    [.text(second.uuidString.lowercased()), .text("second")],
                ]
            )
            #expect(try await client.delete(Seat.self, keys: [Seat(first, 1, "").primaryKey]) == 1)
        }
    }
}

@Stored private struct Ticket: Equatable {
    let id: Int
    @Unique var code: UUID?
    var note: String?

    init(_ id: Int, _ code: UUID?, _ note: String? = nil) {
        self.id = id
        self.code = code
        self.note = note
    }
}

@Stored private struct Seat: Equatable {
    @PrimaryKey let event: UUID
    @PrimaryKey let number: Int
    var guest: String

    init(_ event: UUID, _ number: Int, _ guest: String) {
        self.event = event
        self.number = number
        self.guest = guest
    }
}
