import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// What a file that another program made tells of its tables.
@Suite struct CatalogTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func catalog(_ sql: String) async throws -> (SQLDBClient, EntityCatalog) {
        let program = RawConnection(folder.store)
        #expect(program.run(sql) == 0)
        let client = try SQLDBClient.sqlite(at: folder.store)
        return (client, try await EntityCatalog(storedIn: client))
    }

    @Test func columnsGetTheTypesThatTheirDeclarationsTell() async throws {
        let (client, catalog) = try await catalog(
            """
            CREATE TABLE Track (
                id INTEGER PRIMARY KEY AUTOINCREMENT, title NVARCHAR(200) NOT NULL, price NUMERIC(10,2),
                length DOUBLE, isLive BOOLEAN, cover BLOB, added DATETIME, anything,
                folded TEXT COLLATE NOCASE);
            CREATE INDEX byPrice ON Track (price, title);
            CREATE UNIQUE INDEX byTitle ON Track (title);
            CREATE INDEX byAdded ON Track (added);
            INSERT INTO Track VALUES (1, 'a', 1.5, 2, 1, x'00', '2009-01-01', 3, 'x'),
                (2, 'b', 2, 2.5, 0, NULL, NULL, NULL, NULL);
            """
        )
        let track = try catalog.entity(named: "Track")
        #expect(
            track.fields.map { "\($0.name) \($0.type.name)\($0.isOptional ? "?" : "")" } == [
                "id int64", "title text", "price double?", "length double?", "isLive boolean?",
                "cover data?", "added date?", "folded text?",
            ]
        )
        #expect(track.keyGeneration == .generated)
        #expect(
            track.indexes == [
                IndexSchema(fields: [1], isUnique: true),
                IndexSchema(fields: [6], isUnique: false),
                IndexSchema(fields: [2, 1], isUnique: false),
            ]
        )
        #expect(catalog.omissions.map(\.field) == ["anything"])
        #expect(catalog.omissions.allSatisfy { $0.entity == "Track" && $0.reason.hasSuffix(".") })
        let rows = try await client.fetch(DynamicRequest(track))
        #expect(rows.map { $0["price"] } == [1.5, 2.0])
        #expect(rows[0]["isLive"] == true)
        #expect(
            rows.map { $0["added"] } == [.date(Date(timeIntervalSince1970: 1_230_768_000)), .null]
        )
        let made = try await client.insert([DynamicRow(track, ["title": "c"])])
        #expect(made[0]["id"] == 3)
        try client.close()
    }

    @Test(
        "A column whose declared type tells nothing gets what all of its values are",
        arguments: [
            (
                "DATETIME", ["'2009-01-01 00:00:00'", "NULL", "'2010-02-28 23:59:59'"],
                "date@dateTime-0"
            ),
            ("DATETIME", ["'2009-01-01 00:00:00.250'"], "date@dateTime-3"),
            ("TIMESTAMP", ["'2009-01-01T00:00:00Z'"], "date@iso8601-0"),
            ("DATE", ["'2009-01-01'"], "date@day"),
            ("DATETIME", ["1230768000"], "int64"),
            ("DATETIME", ["1230768000.5", "1"], "double"),
            ("DATETIME", ["'2009-01-01'", "'soon'"], "text"),
            ("UUID", ["'00000000-0000-4000-8000-00000000000A'"], "uuid@uppercase"),
            ("DATETIME", ["'2009-01-01'", "x'00'"], nil),
            ("DATETIME", ["'2009-01-01'", "1230768000"], nil),
            ("UUID", ["'a'"], "text"),
            ("UUID", ["'a'", "1"], nil),
        ] as [(String, [String], String?)]
    )
    func formsOfValues(_ type: String, _ values: [String], _ form: String?) async throws {
        let rows = values.enumerated().map { "(\($0), \($1))" }.joined(separator: ", ")
        let (client, catalog) = try await catalog(
            "CREATE TABLE Visit (id INTEGER PRIMARY KEY, at \(type)); INSERT INTO Visit VALUES \(rows);"
        )
        let visit = try catalog.entity(named: "Visit")
        #expect(visit.fields.first { $0.name == "at" }.map { $0.form.note } == form)
        #expect(catalog.omissions.count == (form == nil ? 1 : 0))
        // What is read is written back as it was.
        let read = try await client.fetch(DynamicRequest(visit))
        #expect(read.count == values.count)
        try await client.update(read)
        let stored = try await client.rows("SELECT quote(at) AS at FROM Visit ORDER BY id")
        #expect(
            stored.map { $0["at", as: String.self]?.uppercased() } == values.map { $0.uppercased() }
        )
        try client.close()
    }

    @Test(
        "The values of a key tell its form as well",
        arguments: [
            ("GUID", "3F2504E0-4F89-11D3-9A0C-0305E82C330", "uuid@uppercase"),
            ("UUID", "3f2504e0-4f89-11d3-9a0c-0305e82c330", "uuid@lowercase"),
            ("DATE", "2024-01-0", "date@day"),
            ("DATETIME", "2024-01-01 10:00:0", "date@dateTime-0"),
        ]
    )
    func formsOfKeys(_ type: String, _ beginning: String, _ form: String) async throws {
        let (client, catalog) = try await catalog(
            """
            CREATE TABLE Thing (id \(type) PRIMARY KEY, name TEXT);
            INSERT INTO Thing VALUES ('\(beginning)1', 'a'), ('\(beginning)2', 'b');
            CREATE TABLE Own (id \(type) PRIMARY KEY);
            """
        )
        // Nothing tells the form of a table without rows.
        #expect(catalog.entities.map(\.name) == ["Thing"])
        let thing = try catalog.entity(named: "Thing")
        #expect(thing.fields.map(\.form.note) == [form, "text"])
        #expect(!thing.fields[0].isOptional)
        let rows = try await client.fetch(DynamicRequest(thing).sorted(by: .init("id")))
        #expect(rows.map { $0["name"] } == ["a", "b"])
        let keys = try rows.map { try #require($0["id"]) }
        let second = try await client.find(thing, key: [keys[1]])
        #expect(second?["name"] == "b")
        #expect(try await client.delete(thing, key: [keys[0]]))
        let left = try await client.rows("SELECT id FROM Thing")
        #expect(left.map { $0["id", as: String.self] } == ["\(beginning)2"])
        try client.close()
    }

    @Test func tablesThatNoModelCouldAdoptAreLeftOutWithTheReason() async throws {
        let (client, catalog) = try await catalog(
            """
            CREATE TABLE "two words" (code TEXT NOT NULL UNIQUE, a INT);
            CREATE TABLE Keyless (a INT);
            CREATE TABLE Stamped (at DATETIME PRIMARY KEY);
            CREATE TABLE Strict (id INTEGER PRIMARY KEY, at DATETIME NOT NULL);
            CREATE VIEW Seen AS SELECT a FROM Keyless;
            CREATE VIRTUAL TABLE Found USING fts5(words);
            CREATE TABLE _sqlite_like (id INTEGER PRIMARY KEY);
            CREATE TABLE \"\(String(repeating: "n", count: 64))\" (id INTEGER PRIMARY KEY);
            """
        )
        #expect(catalog.entities.map(\.name) == ["Strict", "sqlite_like", "two words"])
        let whole = catalog.omissions.filter { $0.field == nil }
        #expect(
            Set(whole.map(\.entity)) == [
                "Keyless", "Stamped", "Seen", "Found", String(repeating: "n", count: 64),
            ]
        )
        let words = try catalog.entity(named: "two words")
        #expect(words.primaryKey.map { words.fields[$0].name } == ["code"])
        #expect(try await client.count(DynamicRequest(words)) == 0)
        try client.close()
    }

    @Test func aViewThatDoesNotWorkIsLeftOutAndNothingElse() async throws {
        let (client, catalog) = try await catalog(
            """
            CREATE TABLE Kept (id INTEGER PRIMARY KEY, notes JSON, label STRING, code UUID);
            CREATE VIEW Broken AS SELECT * FROM Gone;
            CREATE VIEW Unsafe AS SELECT load_extension('x') AS id;
            INSERT INTO Kept VALUES (1, '{"a": [1]}', 'abc', 'no uuid');
            """
        )
        #expect(catalog.entities.map(\.name) == ["Kept"])
        #expect(
            catalog.entities[0].fields.map { "\($0.name) \($0.type.name)" } == [
                "id int64", "notes json", "label text", "code text",
            ]
        )
        let broken = catalog.omissions.first { $0.entity == "Broken" }
        #expect(broken?.reason.contains("no such table: main.Gone") == true)
        #expect(catalog.omissions.contains { $0.entity == "Unsafe" })
        // SQLite would make a number of it.
        let kept = catalog.entities[0]
        let row = try #require(try await client.find(kept, key: [1]))
        #expect(row["label"] == "abc")
        var number = row
        try number.set("label", to: "007")
        let error = await #expect(throws: DBClientError.self) { try await client.update([number]) }
        #expect(error?.code == .invalidValue && error?.field == "label")
        try client.close()
    }
}
