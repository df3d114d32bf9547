import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Synchronization
import Testing

/// Two transactions that write the two spellings of one UUID, which a text has, before either of them commits.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct SpellingRaceTests {
    /// What is unique, and how the two transactions come to write it.
    enum Place: String, CaseIterable {
        case key, partOfKey, unique, partOfIndex
        /// A stored value keeps its spelling and gets the other field of the index.
        case otherPartOfIndex
        /// Those of a request do.
        case requested

        var table: String {
            switch self {
            case .key: "Pass"
            case .partOfKey: "Seat"
            case .unique: "Ticket"
            case .partOfIndex, .otherPartOfIndex, .requested: "Booking"
            }
        }
    }

    static let code = UUID(uuidString: "ABCDEFAB-0000-4000-8000-ABCDEFABCDEF") ?? UUID()

    @Test(
        "One of them is refused, however weakly they are isolated, whether they have read before or not",
        arguments: [PostgreSQLIsolation.readCommitted, .repeatableRead, .serializable],
        Place.allCases
    )
    func refusesOne(_ isolation: PostgreSQLIsolation, _ place: Place) async throws {
        for reads in [false, true] {
            try await withTables(isolation) { client, other in
                let (haveRead, haveWritten) = (Meeting(), Meeting())
                async let quiet = attempt(client, reads, haveRead, haveWritten) {
                    try Self.writeQuietly(place, $0)
                }
                async let loud = attempt(other, reads, haveRead, haveWritten) {
                    try Self.writeLoudly(place, $0)
                }
                let codes = await [quiet, loud]
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                let isKey = place == .key || place == .partOfKey
                #expect(codes.contains(isKey ? .duplicateKey : .uniqueViolation), "\(codes)")
                let stored = try await client.rows(
                    """
                    SELECT count(*) AS n FROM \(identifier: place.table)
                    WHERE upper(code) = \(Self.code.uuidString) AND place = 2
                    """
                )
                #expect(stored.first?["n", as: Int.self] == 1)
            }
        }
    }

    @Test("A transaction that writes no unique UUID is as weakly isolated as it was told to be")
    func otherWrites() async throws {
        try await withTables(.readCommitted) { client, _ in
            func level(
                _ body: @escaping @Sendable (WriteTransaction) throws -> Void
            ) async throws
                -> String?
            {
                try await client.write { transaction in
                    try body(transaction)
                    return try transaction.rows("SHOW transaction_isolation")
                        .first?["transaction_isolation", as: String.self]
                }
            }
            let insertion = try await level { try $0.insert(Booking(5, Self.code, 2)) }
            #expect(insertion == "serializable")
            let update = try await level { transaction in
                try transaction.update(Booking.self, key: 5) { $0.set(\.note, to: "b") }
            }
            #expect(update == "read committed")
            let deletion = try await level { try $0.delete(Booking.self, key: 5) }
            #expect(deletion == "read committed")
        }
    }

    private static func writeQuietly(_ place: Place, _ transaction: WriteTransaction) throws {
        switch place {
        case .key: try transaction.insert(Pass(code, 2))
        case .partOfKey: try transaction.insert(Seat(code, 2))
        case .unique: try transaction.insert(Ticket(2, code, 2))
        case .partOfIndex, .otherPartOfIndex, .requested:
            try transaction.insert(Booking(2, code, 2))
        }
    }

    private static func writeLoudly(_ place: Place, _ transaction: WriteTransaction) throws {
        switch place {
        case .key: try transaction.insert(LoudPass(code, 2))
        case .partOfKey: try transaction.insert(LoudSeat(code, 2))
        case .unique: try transaction.insert(LoudTicket(3, code, 2))
        case .partOfIndex: try transaction.insert(LoudBooking(3, code, 2))
        case .otherPartOfIndex:
            try transaction.update(Booking.self, key: 1) { $0.set(\.place, to: 2) }
        case .requested:
            try transaction.update(Booking.where { $0.id == 1 }) { $0.set(\.place, to: 2) }
        }
    }

    /// Runs a body with two clients that know the tables which another program has made, so that the first statement of a
    /// transaction may be a write.
    private func withTables(
        _ isolation: PostgreSQLIsolation,
        _ body: (SQLDBClient, SQLDBClient) async throws -> Void
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.isolation = isolation
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, schema in
            for statement: SQL in [
                "CREATE TABLE \"Pass\" (code text PRIMARY KEY, place integer NOT NULL)",
                "CREATE TABLE \"Seat\" (code text, place integer, PRIMARY KEY (code, place))",
                """
                CREATE TABLE "Ticket" (id bigint PRIMARY KEY, code text NOT NULL UNIQUE, place integer NOT NULL)
                """,
                """
                CREATE TABLE "Booking" (id bigint PRIMARY KEY, code text NOT NULL, place integer NOT NULL,
                    note text NOT NULL, UNIQUE (code, place))
                """,
                "INSERT INTO \"Booking\" VALUES (1, \(Self.code.uuidString), 1, '')",
            ] {
                try await client.execute(statement)
            }
            let other = try await Server.client(schema: schema, configuration)
            for client in [client, other] {
                for isLoud in [false, true] {
                    for place in [Place.key, .partOfKey, .unique, .partOfIndex] {
                        try? await client.write { transaction in
                            if isLoud {
                                try Self.writeLoudly(place, transaction)
                            } else {
                                try Self.writeQuietly(place, transaction)
                            }
                            throw CancellationError()
                        }
                    }
                }
            }
            try await body(client, other)
            try other.close()
        }
    }

    /// Runs a transaction that writes, and returns what it is refused for.
    private func attempt(
        _ client: SQLDBClient,
        _ reads: Bool,
        _ haveRead: Meeting,
        _ haveWritten: Meeting,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async -> DBClientError.Code? {
        let (hasRead, hasWritten) = (Once(), Once())
        return await DBClientPostgreSQLTests.code {
            try await client.write { transaction in
                if reads {
                    _ = try transaction.rows("SELECT 1")
                    if hasRead.isFirst() { haveRead.wait() }
                }
                try body(transaction)
                if hasWritten.isFirst() { haveWritten.wait() }
            }
        }
    }
}

/// A point that two threads have to come to before either goes on, or one of them has waited in vain.
private final class Meeting: Sendable {
    private let arrived = Mutex(0)
    private let both = DispatchSemaphore(value: 0)

    func wait() {
        let isSecond = arrived.withLock { count in
            count += 1
            return count == 2
        }
        if isSecond { both.signal() } else { _ = both.wait(timeout: .now() + 5) }
    }
}

/// Tells the first of the attempts of a transaction from the others.
private final class Once: Sendable {
    private let isDone = Mutex(false)

    func isFirst() -> Bool {
        isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
    }
}

@Stored("Pass") private struct Pass {
    @PrimaryKey let code: UUID
    var place: Int

    init(_ code: UUID, _ place: Int) { (self.code, self.place) = (code, place) }
}

@Stored("Pass") private struct LoudPass {
    @StoredAs(.uppercaseText) @PrimaryKey let code: UUID
    var place: Int

    init(_ code: UUID, _ place: Int) { (self.code, self.place) = (code, place) }
}

@Stored("Seat") private struct Seat {
    @PrimaryKey let code: UUID
    @PrimaryKey let place: Int

    init(_ code: UUID, _ place: Int) { (self.code, self.place) = (code, place) }
}

@Stored("Seat") private struct LoudSeat {
    @StoredAs(.uppercaseText) @PrimaryKey let code: UUID
    @PrimaryKey let place: Int

    init(_ code: UUID, _ place: Int) { (self.code, self.place) = (code, place) }
}

@Stored("Ticket") private struct Ticket {
    let id: Int
    @Unique var code: UUID
    var place: Int

    init(_ id: Int, _ code: UUID, _ place: Int) {
        (self.id, self.code, self.place) = (id, code, place)
    }
}

@Stored("Ticket") private struct LoudTicket {
    let id: Int
    @StoredAs(.uppercaseText) @Unique var code: UUID
    var place: Int

    init(_ id: Int, _ code: UUID, _ place: Int) {
        (self.id, self.code, self.place) = (id, code, place)
    }
}

@Stored("Booking") private struct Booking {
    static var indexes: [StoredIndex<Self>] { [.unique(\.code, \.place)] }

    let id: Int
    var code: UUID
    var place: Int
    var note = ""

    init(_ id: Int, _ code: UUID, _ place: Int) {
        (self.id, self.code, self.place) = (id, code, place)
    }
}

@Stored("Booking") private struct LoudBooking {
    static var indexes: [StoredIndex<Self>] { [.unique(\.code, \.place)] }

    let id: Int
    @StoredAs(.uppercaseText) var code: UUID
    var place: Int
    var note = ""

    init(_ id: Int, _ code: UUID, _ place: Int) {
        (self.id, self.code, self.place) = (id, code, place)
    }
}
