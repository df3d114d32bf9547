import DBClientCore
import DBClientSQL
import Foundation
import Testing

/// Columns whose declared types do not say what they hold.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct FormatTests {
    private static let table: SQL = """
        CREATE TABLE "Order" (
            "id" text PRIMARY KEY, "paid" bigint, "sent" bigint, "seen" double precision,
            "core" double precision, "price" integer, "tax" double precision, "note" varchar(40),
            "open" text COLLATE "en-US-x-icu", "isNew" text, "tags" bytea, "made" timestamptz(3),
            "due" date
        )
        """

    private static let filling: SQL = """
        INSERT INTO "Order" SELECT
            upper(lpad(to_hex(i), 8, '0') || '-0000-4000-8000-abcdefabcdef'), i * 86400,
            i * 86400250::bigint, i * 86400.25, i * 86400.25 - 978307200, i * 125, i * 1.25, i || '.50',
            CASE WHEN i % 2 = 1 THEN 'Y' ELSE 'N' END, i % 2 = 1,
            convert_to('["' || i || '"]', 'UTF8'), to_timestamp(i * 86400.25),
            to_timestamp(i * 86400) AT TIME ZONE 'UTC'
        FROM generate_series(1, 100) AS numbers(i)
        """

    private static let selection: SQL = """
        SELECT id, paid, sent, seen, core, price, tax, note, open, "isNew", tags, made, due::text
        FROM "Order" ORDER BY id
        """

    private func instant(_ number: Int, _ fraction: Double = 0.25) -> Date {
        Date(timeIntervalSince1970: Double(number) * (86_400 + fraction))
    }

    @Test("What another program wrote is read as what it means")
    func reads() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(Self.table)
            try await client.execute(Self.filling)
            let order = try #require(try await client.find(Order.self, key: Order.key(4)))
            #expect([order.paid, order.due] == [instant(4, 0), instant(4, 0)])
            #expect(
                [order.sent, order.seen, order.core, order.made].allSatisfy { $0 == instant(4) }
            )
            #expect([order.price, order.tax] == [5, 5])
            #expect(order.note == 4.5)
            #expect(order.open == false && order.isNew == false)
            #expect(order.tags == ["4"])
            let late = Order.where {
                $0.sent > instant(90) && $0.paid > instant(0) && $0.open == true
            }
            #expect(try await client.count(late) == 5)
            let some = Order.where { $0.id.isIn([Order.key(1), Order.key(100)]) }
            #expect(try await client.count(some) == 2)
            #expect(try await client.sum(\.price, of: Order.all) == 6_312.5)
            #expect(try await client.max(\.core, of: Order.all) == instant(100))
            let before = try await client.rows(Self.selection).map(\.values)
            try await client.update(try await client.fetch(Order.all))
            let after = try await client.rows(Self.selection).map(\.values)
            for (row, former) in zip(after, before) {
                // Digits of a decimal are written without the zeros at their end.
                #expect(
                    row.prefix(7) == former.prefix(7) && row.dropFirst(8) == former.dropFirst(8)
                )
            }
        }
    }

    @Test("What is written is what another program reads")
    func writes() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(Self.table)
            let moment = Date(timeIntervalSince1970: 1_000_000_000.25)
            for count in [1, 50] {
                let orders = (0..<count).map { Order($0, at: moment) }
                let stored = try await client.insert(orders)
                #expect(stored.allSatisfy { $0.paid == Date(timeIntervalSince1970: 1_000_000_000) })
                #expect(stored.allSatisfy { $0.price == 1.26 })
                #expect(try await client.fetch(Order.all.sorted { $0.id }) == stored)
                #expect(try await client.upsert(orders).updated == stored)
                let rows = try await client.rows(
                    """
                    SELECT DISTINCT paid, sent, seen, core, price, tax, note, open, "isNew", tags
                    FROM "Order"
                    """
                )
                #expect(
                    rows.map(\.values) == [
                        [
                            .integer(1_000_000_000), .integer(1_000_000_000_250),
                            .real(1_000_000_000.25),
                            .real(21_692_800.25), .integer(126), .real(1.255), .text("1.255"),
                            .text("Y"), .text("false"), .data(Array(#"["a"]"#.utf8)),
                        ]
                    ]
                )
                #expect(try await client.delete(Order.self, keys: stored.map(\.id)) == count)
            }
        }
    }

    @Test("Dates that are kept as text are read in every spelling and written in one")
    func textDates() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                """
                CREATE TABLE "Trip" ("id" bigint PRIMARY KEY, "start" text, "end" varchar(40),
                    "day" text COLLATE "en-US-x-icu", "julian" double precision)
                """
            )
            try await client.execute(
                """
                INSERT INTO "Trip" VALUES
                    (1, '2026-11-26T13:10:19Z', '2026-11-26 13:10:19.250', '2026-11-26', 2461371.048831),
                    (2, '2026-11-26t15:40:19+02:30', '2026-11-26 13:10:19.25', '2026-11-26 00:00',
                        2461371.048831),
                    (3, '2026-11-26 08:10:19,0000004-05', '2026-11-26T13:10:19.2499996Z', '2026-11-26T00Z',
                        2461371.048831)
                """
            )
            let moment = Date(timeIntervalSince1970: 1_795_698_619)
            // An hour alone is no time of a day.
            #expect(await code { _ = try await client.fetch(Trip.all) } == .invalidValue)
            try await client.execute(
                "UPDATE \"Trip\" SET \"day\" = '2026-11-25T24:00' WHERE id = 3"
            )
            let day = Date(timeIntervalSince1970: 1_795_651_200)
            let trips = try await client.fetch(Trip.all)
            #expect(trips.map(\.start) == [moment, moment, moment])
            #expect(trips.map(\.end) == [Date?](repeating: moment + 0.25, count: 3))
            #expect(trips.map(\.day) == [day, day, day])
            #expect(try await client.count(Trip.where { $0.start == moment }) == 3)
            #expect(try await client.count(Trip.where { $0.start > moment - 1 }) == 3)
            #expect(try await client.count(Trip.where { $0.end.isIn([moment + 0.25]) }) == 3)
            #expect(try await client.max(\.start, of: Trip.all) == moment)
            #expect(try await client.distinct(\.start, of: Trip.all) == [moment])
            let years = try await client.fetch(
                Trip.all.grouped { $0.start.year }.select(.count)
            )
            #expect(years.map(\.values) == [3])

            try await client.update(trips)
            let ancient = Trip(4, Date(timeIntervalSince1970: -62_200_000_000.75))
            let late = Trip(5, Date(timeIntervalSince1970: 253_402_300_800))
            #expect(try await client.insert([ancient, late]).map(\.id) == [4, 5])
            let rows = try await client.rows("SELECT start, \"end\", day FROM \"Trip\" ORDER BY id")
            #expect(
                rows.map(\.values) == [
                    [
                        .text("2026-11-26T13:10:19Z"), .text("2026-11-26 13:10:19.250"),
                        .text("2026-11-26"),
                    ],
                    [
                        .text("2026-11-26T13:10:19Z"), .text("2026-11-26 13:10:19.250"),
                        .text("2026-11-26"),
                    ],
                    [
                        .text("2026-11-26T13:10:19Z"), .text("2026-11-26 13:10:19.250"),
                        .text("2026-11-26"),
                    ],
                    [
                        .text("-000002-12-17T14:13:19Z"), .text("-000002-12-17 14:13:19.250"),
                        .text("-000002-12-17"),
                    ],
                    [
                        .text("+010000-01-01T00:00:00Z"), .text("+010000-01-01 00:00:00.000"),
                        .text("+010000-01-01"),
                    ],
                ]
            )
            let stored = try await client.fetch(Trip.where { $0.id > 3 })
            #expect(stored.map(\.end) == [ancient.end, late.end])
            #expect(
                try await client.fetch(Trip.all.sorted { $0.start }).map(\.id) == [4, 1, 2, 3, 5]
            )
            for text in ["now", "infinity", "2026-02-30", "2026-11-26 12:60", "26-11-26", ""] {
                try await client.execute("UPDATE \"Trip\" SET start = \(text) WHERE id = 1")
                #expect(
                    await code { _ = try await client.fetch(Trip.all) } == .invalidValue,
                    "\(text)"
                )
            }
        }
    }

    @Test("A value that is none of the format fails the call that reads it")
    func malformed() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(Self.table)
            try await client.execute(Self.filling)
            for (column, value) in [("open", "y"), ("note", "12,5"), ("id", "x")] {
                try await client.execute(
                    SQL(
                        stringLiteral:
                            "UPDATE \"Order\" SET \"\(column)\" = '\(value)' WHERE price = 250"
                    )
                )
                let error = await #expect(throws: DBClientError.self) {
                    _ = try await client.fetch(Order.all)
                }
                #expect(error?.code == .invalidValue, "\(column)")
            }
        }
    }
}

@Stored private struct Trip: Equatable {
    let id: Int
    @StoredAs(.iso8601) var start: Date?
    @StoredAs(.dateTime) var end: Date?
    @StoredAs(.day) var day: Date?
    @StoredAs(.julianDay) var julian: Date?

    init(_ id: Int, _ moment: Date) {
        self.id = id
        (start, end, day, julian) = (moment, moment, moment, nil)
    }
}

@Stored private struct Order: Equatable {
    @StoredAs(.uppercaseText) var id: UUID
    @StoredAs(.secondsSince1970) var paid: Date?
    @StoredAs(.millisecondsSince1970) var sent: Date?
    @StoredAs(.timeIntervalSince1970) var seen: Date?
    @StoredAs(.timeIntervalSinceReferenceDate) var core: Date?
    @StoredAs(.integer(fractionDigits: 2)) var price: Decimal?
    @StoredAs(.real) var tax: Decimal?
    @StoredAs(.text) var note: Decimal?
    @StoredAs(.text(true: "Y", false: "N")) var open: Bool?
    @StoredAs(.text) var isNew: Bool?
    @StoredAs(.data) var tags: [String]?
    @StoredAs(.iso8601(fractionDigits: 3)) var made: Date?
    @StoredAs(.day) var due: Date?

    init(_ number: Int, at moment: Date) {
        id = Self.key(number)
        (paid, sent, seen, core, made, due) = (moment, moment, moment, moment, moment, moment)
        price = Decimal(string: "1.255")
        (tax, note) = (price, price)
        (open, isNew, tags) = (true, false, ["a"])
    }

    static func key(_ number: Int) -> UUID {
        let digits = String(number, radix: 16)
        let start = String(repeating: "0", count: 8 - digits.count) + digits
        return UUID(uuidString: "\(start)-0000-4000-8000-abcdefabcdef") ?? UUID()
    }
}
