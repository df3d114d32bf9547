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
                "cover data?", "folded text?",
            ]
        )
        #expect(track.keyGeneration == .generated)
        #expect(
            track.indexes == [
                IndexSchema(fields: [1], isUnique: true),
                IndexSchema(fields: [2, 1], isUnique: false),
            ]
        )
        #expect(catalog.omissions.map(\.field) == ["added", "anything"])
        #expect(catalog.omissions.allSatisfy { $0.entity == "Track" && $0.reason.hasSuffix(".") })
        let rows = try await client.fetch(DynamicRequest(track))
        #expect(rows.map { $0["price"] } == [1.5, 2.0])
        #expect(rows[0]["isLive"] == true)
        let made = try await client.insert([DynamicRow(track, ["title": "c"])])
        #expect(made[0]["id"] == 3)
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
}
