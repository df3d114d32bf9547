import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Tables whose dates, identifiers and amounts another program keeps in its own way.
@Suite("A field is kept in the form that its column has")
struct FormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func make(_ sql: String) throws -> SQLDBClient {
        try #require(RawConnection(folder.store).run(sql) == 0)
        return try SQLDBClient.sqlite(at: folder.store)
    }

    /// A table that SQLite's own functions fill, with the types that programs declare.
    private static let orders = """
        CREATE TABLE "Order" (
            id TEXT PRIMARY KEY, customer TEXT REFERENCES Customer, made DATETIME, due DATE,
            paid INTEGER, sent INTEGER, seen REAL, core TIMESTAMP, julian REAL,
            price INTEGER, tax DECIMAL(10, 2), note TEXT, open BOOLEAN, tags BLOB
        );
        CREATE TABLE Customer (id TEXT PRIMARY KEY, since TEXT NOT NULL);
        INSERT INTO Customer VALUES
            ('AAAAAAAA-0000-0000-0000-000000000001', strftime('%Y-%m-%dT%H:%M:%SZ', 0, 'unixepoch'));
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO "Order" SELECT
            printf('aaaaaaaa-0000-0000-0000-%012d', i), 'AAAAAAAA-0000-0000-0000-000000000001',
            strftime('%Y-%m-%d %H:%M:%f', i * 86400.25, 'unixepoch'), date(i * 86400, 'unixepoch'),
            i * 86400, i * 86400250, i * 86400.25, i * 86400.25 - 978307200,
            julianday(i * 86400.25, 'unixepoch'),
            i * 125, i * 1.25, i || '.50', CASE WHEN i % 2 THEN 'Y' ELSE 'N' END,
            CAST('["' || i || '"]' AS BLOB)
        FROM n;
        CREATE INDEX paid ON "Order" (paid);
        CREATE INDEX price ON "Order" (price);
        CREATE INDEX customers ON "Order" (customer);
        """

    private func instant(_ number: Int, _ fraction: Double = 0.25) -> Date {
        Date(timeIntervalSince1970: Double(number) * (86_400 + fraction))
    }

    @Test("What another program wrote is read as what it means")
    func reads() throws {
        let client = try make(Self.orders)
        let calls = client.blocking
        let order = try #require(try calls.find(Order.self, key: Order.key(4)))
        #expect(order.made == instant(4))
        #expect(order.due == instant(4, 0))
        #expect(order.paid == instant(4, 0))
        #expect(order.sent == instant(4))
        #expect(order.seen == instant(4))
        #expect(order.core == instant(4))
        #expect(order.julian == instant(4))
        #expect(order.price == 5)
        #expect(order.tax == 5)
        #expect(order.note == Decimal(string: "4.5"))
        #expect(order.open == false)
        #expect(order.tags == ["4"])
        #expect(try calls.fetch(Order.all).count == 1_000)
        let late = Order.where { $0.made > instant(990) && $0.due > instant(0) && $0.open == true }
        #expect(try calls.count(late) == 5)
        #expect(try calls.sum(\.price, of: Order.all) == Decimal(1_000 * 1_001 / 2) * 5 / 4)
        #expect(try calls.max(\.julian, of: Order.all) == instant(1_000))
        #expect(try calls.count(Order.where { $0.tags.contains("17") }) == 1)
        #expect(try calls.count(Order.where { $0.customer.since == instant(0) }) == 1_000)
        try client.close()
    }

    @Test("What is written is what another program reads")
    func writes() throws {
        let client = try make(Self.orders)
        var order = try #require(try client.blocking.find(Order.self, key: Order.key(7)))
        // Every row, written back as it was read.
        let before = try client.blocking.rows(#"SELECT * FROM "Order""#).map(\.values)
        try client.blocking.update(try client.blocking.fetch(Order.all))
        let after = try client.blocking.rows(#"SELECT * FROM "Order""#).map(\.values)
        for (row, former) in zip(after, before) {
            // Digits of a decimal are written without the zeros at their end.
            #expect(
                row.prefix(11) == former.prefix(11) && row.dropFirst(12) == former.dropFirst(12)
            )
        }
        let moment = Date(timeIntervalSince1970: 1_000_000_000.25)
        order.id = Order.key(0xABCDEF)
        (order.made, order.due, order.paid, order.sent) = (moment, moment, moment, moment)
        (order.seen, order.core, order.julian) = (moment, moment, moment)
        (order.price, order.tax, order.note) = (1.25, 0.1, 1_000_000.5)
        try client.blocking.insert(order)
        let row = try client.blocking.rows(
            """
            SELECT *, julianday(made), typeof(price), typeof(tags) FROM "Order"
            WHERE id = 'aaaaaaaa-0000-0000-0000-000000abcdef'
            """
        )
        let expected: [StorageValue] = [
            .text("2001-09-09 01:46:40.250"), .text("2001-09-09"), .integer(1_000_000_000),
            .integer(1_000_000_000_250), .real(1_000_000_000.25), .real(21_692_800.25),
            .real(2_452_161.574_076_967_6), .integer(125), .real(0.1), .text("1000000.5"),
            .text("Y"), .data(Array(#"["7"]"#.utf8)), .real(2_452_161.574_076_967_6),
            .text("integer"), .text("blob"),
        ]
        #expect(row.first.map { Array($0.values.dropFirst(2)) } == expected)
        try client.close()
    }

    @Test("Lookups and ranges use the index that is there")
    func usesIndexes() async throws {
        let client = try make(Self.orders)
        func plan(_ request: FetchRequest<Order>) async throws -> String {
            try await client.explain(request)
        }
        let one = Order.where { $0.id == Order.key(3) }
        #expect(try await plan(one).contains("USING INDEX sqlite_autoindex"))
        let some = Order.where { $0.id.isIn((0..<300).map { Order.key($0) }) }
        #expect(try await plan(some).contains("USING INDEX sqlite_autoindex"))
        #expect(try await client.count(some) == 299)
        let few = Order.where { $0.id.isIn([Order.key(1), Order.key(2)]) }
        #expect(try await plan(few).contains("USING INDEX sqlite_autoindex"))
        #expect(try await client.count(few) == 2)
        let paid = Order.where { $0.paid >= instant(10, 0) && $0.paid < instant(20, 0) }
        #expect(try await plan(paid).contains("USING INDEX paid (paid>? AND paid<?)"))
        #expect(try await client.count(paid) == 10)
        let cheap = Order.where { $0.price <= 2.5 }
        #expect(try await plan(cheap).contains("USING INDEX price (price<?)"))
        #expect(try await client.count(cheap) == 2)
        let old = Order.where { $0.customer.since < instant(1) && $0.price > 1_000 }
        let found = try await plan(old)
        #expect(found.contains("customer=?") || found.contains("id=?"), "\(found)")
        try client.close()
    }

    @Test(
        "A value that is none of the format is an error with its key, and others are deleted",
        arguments: [
            ("made", "'yesterday'"), ("due", "20240101"), ("paid", "1.5"), ("sent", "'soon'"),
            ("seen", "'1e3x'"), ("julian", "x'00'"), ("price", "0.5"), ("note", "'12,50'"),
            ("open", "'y'"), ("tags", "x'ff'"), ("paid", "9223372036854775807"),
            ("note", "CAST(x'2d31ff' AS TEXT)"),
        ]
    )
    func malformed(_ column: String, _ literal: String) throws {
        let client = try make(
            Self.orders + #"UPDATE "Order" SET "\#(column)" = \#(literal) WHERE price = 250"#
        )
        let error = #expect(throws: DBClientError.self) { try client.blocking.fetch(Order.all) }
        #expect(error?.code == .decoding)
        #expect(error?.field == column)
        #expect(error?.key == "\(Order.key(2))")
        #expect(try client.blocking.delete(Order.self, keys: [Order.key(3)]) == 1)
        #expect(try client.blocking.delete(Order.self, keys: [Order.key(2)]) == 1)
        #expect(try client.blocking.fetch(Order.all).count == 998)
        try client.close()
    }

    @Test("A column that would change what is written is refused, with what would fit")
    func misfits() throws {
        let columns = [
            ("made", "BLOB"), ("paid", "TEXT"), ("seen", "VARCHAR(20)"), ("price", "TEXT"),
            ("tax", "CLOB"), ("note", "NUMERIC"), ("note", "INTEGER"),
        ]
        for (column, type) in columns {
            let client = try SQLDBClient.sqlite(.inMemory)
            try client.blocking.execute(SQL(stringLiteral: Self.table(column, type)))
            if type == "BLOB" {
                #expect(try client.blocking.count(Order.all) == 0)
                continue
            }
            let error = #expect(throws: DBClientError.self) { try client.blocking.count(Order.all) }
            #expect(error?.code == .schemaMismatch)
            #expect(error?.field == column)
            #expect(error?.message.contains(type) == true)
            try client.close()
        }
    }

    private static func table(_ column: String, _ type: String) -> String {
        let types = [
            "id TEXT PRIMARY KEY", "customer TEXT", "made DATETIME", "due DATE", "paid INTEGER",
            "sent INTEGER", "seen REAL", "core TIMESTAMP", "julian REAL", "price INTEGER",
            "tax DECIMAL(10, 2)", "note TEXT", "open BOOLEAN", "tags BLOB",
        ]
        let columns = types.map { $0.hasPrefix("\(column) ") ? "\(column) \(type)" : $0 }
        return #"CREATE TABLE "Order" (\#(columns.joined(separator: ", ")))"#
    }

    @Test("A field without a format says how it can have one")
    func hints() throws {
        let client = try make("CREATE TABLE Visit (id INTEGER PRIMARY KEY, at TEXT NOT NULL)")
        let error = #expect(throws: DBClientError.self) {
            try client.blocking.count(PlainVisit.all)
        }
        #expect(error?.field == "at")
        #expect(error?.hint?.contains("@StoredAs(.iso8601)") == true)
        try client.close()
    }

    @Test("A column of the library's own keeps the form that it was made with")
    func changesOfMarks() async throws {
        let moment = Date(timeIntervalSince1970: 1.75)
        // Made without a format, used with one: the column stays, and the value is rounded.
        var client = try SQLDBClient.sqlite(at: folder.store)
        try await client.insert(PlainVisit(id: 1, at: moment))
        #expect(try await client.fetch(Visit.all).map(\.at) == [moment])
        #expect(try await client.insert(Visit(id: 2, at: moment)).at.timeIntervalSince1970 == 2)
        #expect(try await client.count(PlainVisit.where { $0.at == moment }) == 1)
        #expect(try await client.pendingChanges(of: [.adapt(Visit.self)]).isEmpty)
        let kinds = try await client.rows("SELECT DISTINCT typeof(at) FROM Visit").map(\.values)
        #expect(kinds == [[.text("integer")]])
        try client.close()
        try FileManager.default.removeItem(at: folder.store)
        // Made with a format, used without one, and by what the store says of itself.
        client = try SQLDBClient.sqlite(at: folder.store)
        try await client.insert(Visit(id: 1, at: moment))
        #expect(
            try await client.insert(PlainVisit(id: 2, at: moment)).at.timeIntervalSince1970 == 2
        )
        let values = try await client.rows("SELECT at FROM Visit ORDER BY id").map(\.values)
        #expect(values == [[.text("1970-01-01T00:00:02Z")], [.text("1970-01-01T00:00:02Z")]])
        let catalog = try await EntityCatalog(storedIn: client)
        let entity = try catalog.entity(named: "Visit")
        #expect(entity.fields[1].type == .date)
        #expect(entity.fields[1].form.format == .iso8601)
        let late = DynamicRequest(entity).filter(.field("at", .greater, .date(.distantPast)))
        #expect(try await client.count(late) == 2)
        try await client.migrate(to: PlainVisit.self)
        #expect(try await client.fetch(PlainVisit.all).count == 2)
        try client.close()
        // By a version that does not know the format.
        let raw = RawConnection(folder.store)
        #expect(raw.run("PRAGMA writable_schema = ON") == 0)
        let update = "UPDATE sqlite_schema SET sql = replace(sql, 'iso8601-0', 'stardate-0')"
        #expect(raw.run(update) == 0)
        client = try SQLDBClient.sqlite(at: folder.store)
        #expect(throws: DBClientError.self) { try client.blocking.count(PlainVisit.all) }
        try client.close()
    }

    @Test("Words that differ in case are two formats of one connection")
    func wordsOfTwoCases() throws {
        let client = try make(
            """
            CREATE TABLE Upper (id INTEGER PRIMARY KEY, flag TEXT);
            CREATE TABLE Lower (id INTEGER PRIMARY KEY, flag BOOL);
            INSERT INTO Upper VALUES (1, 'TRUE'); INSERT INTO Lower VALUES (1, 'true');
            """
        )
        for _ in 0..<2 {
            #expect(try client.blocking.find(Upper.self, key: 1)?.flag == true)
            #expect(try client.blocking.find(Lower.self, key: 1)?.flag == true)
            try client.blocking.upsert(Upper(id: 1, flag: true))
            try client.blocking.upsert(Lower(id: 1, flag: true))
        }
        try client.close()
    }

    @Test("The present is no initial value of a column, however it is rounded")
    func varyingInitialValue() async throws {
        let client = try make(
            "CREATE TABLE Made (id INTEGER PRIMARY KEY); INSERT INTO Made VALUES (1)"
        )
        await #expect(throws: DBClientError.self) { try await client.migrate(to: Made.self) }
        try client.close()
    }

    @Test("A column that is added begins with the value in its format")
    func addedColumn() async throws {
        let client = try make(
            "CREATE TABLE Visit (id INTEGER PRIMARY KEY); INSERT INTO Visit VALUES (1)"
        )
        try await client.migrate(to: Visit.self)
        #expect(
            try await client.find(Visit.self, key: 1)?.at == Date(timeIntervalSince1970: 86_400)
        )
        let values = try await client.rows("SELECT at FROM Visit").map(\.values)
        #expect(values == [[.text("1970-01-02T00:00:00Z")]])
        // A program of the former version goes on inserting.
        #expect(RawConnection(folder.store).run("INSERT INTO Visit (id) VALUES (2)") == 0)
        #expect(
            try await client.find(Visit.self, key: 2)?.at == Date(timeIntervalSince1970: 86_400)
        )
        try client.close()
    }

    @Test("The file is checked for values that are none of their format")
    func verifies() throws {
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Visit(id: 1, at: Date(timeIntervalSince1970: 0)))
        try client.close()
        try SQLDBClient.verifySQLite(at: folder.store)
        #expect(RawConnection(folder.store).run("UPDATE Visit SET at = 'today'") == 0)
        let error = #expect(throws: DBClientError.self) {
            try SQLDBClient.verifySQLite(at: folder.store)
        }
        #expect(error?.code == .corrupt)
    }
}

@Stored private struct Order: Equatable {
    @StoredAs(.lowercaseText) var id: UUID
    @StoredAs(.uppercaseText) var customer: Customer?
    @StoredAs(.dateTime) var made: Date?
    @StoredAs(.day) var due: Date?
    @StoredAs(.secondsSince1970) var paid: Date?
    @StoredAs(.millisecondsSince1970) var sent: Date?
    @StoredAs(.timeIntervalSince1970) var seen: Date?
    @StoredAs(.timeIntervalSinceReferenceDate) var core: Date?
    @StoredAs(.julianDay) var julian: Date?
    @StoredAs(.integer(fractionDigits: 2)) var price: Decimal?
    @StoredAs(.real) var tax: Decimal?
    @StoredAs(.text) var note: Decimal?
    @StoredAs(.text(true: "Y", false: "N")) var open: Bool?
    @StoredAs(.data) var tags: [String]?

    static func key(_ number: Int) -> UUID {
        let digits = String(number, radix: number > 1_000 ? 16 : 10)
        let end = String(repeating: "0", count: 12 - digits.count) + digits
        return UUID(uuidString: "AAAAAAAA-0000-0000-0000-\(end)") ?? UUID()
    }
}

@Stored private struct Customer: Equatable {
    @StoredAs(.uppercaseText) let id: UUID
    @StoredAs(.iso8601) var since: Date
}

@Stored private struct Visit: Equatable {
    let id: Int
    @StoredAs(.iso8601) var at = Date(timeIntervalSince1970: 86_400)
}

@Stored private struct Upper: Equatable {
    let id: Int
    @StoredAs(.text(true: "TRUE", false: "FALSE")) var flag: Bool
}

@Stored private struct Lower: Equatable {
    let id: Int
    @StoredAs(.text) var flag: Bool
}

@Stored private struct Made: Equatable {
    let id: Int
    @StoredAs(.day) var at = Date()
}

@Stored("Visit") private struct PlainVisit: Equatable {
    let id: Int
    var at: Date
}
