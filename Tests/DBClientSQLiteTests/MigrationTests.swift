import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// What a migration makes of the tables themselves.
@Suite struct MigrationTests {
    private let client: SQLDBClient

    init() throws {
        client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert([
            Former(id: 1, name: "a", kind: "x", score: 1),
            Former(id: 2, name: "b", kind: "y", score: 2),
        ])
    }

    private func definition(_ name: String) throws -> String? {
        try client.blocking.rows("SELECT sql FROM sqlite_schema WHERE name = \(name)")
            .first?["sql", as: String.self]
    }

    @Test func columnsAreAddedToTheTableThatIsThere() throws {
        try client.blocking.execute(
            "ALTER TABLE \(identifier: Self.table) ADD COLUMN extra TEXT DEFAULT 'e'"
        )
        try client.blocking.execute(
            """
            CREATE TRIGGER kept AFTER DELETE ON \(identifier: Self.table) BEGIN
            INSERT INTO deleted VALUES (old.id); END
            """
        )
        try client.blocking.execute("CREATE TABLE deleted (id INTEGER)")
        let changes = try client.blocking.migrate([
            .adapt(Latter.self, removing: ["score"]) { $0.set(\.isOld, to: true) }
        ])
        #expect(
            changes.map(\.kinds) == [
                [.added(["group by"]), .relaxed(["a\"b"]), .removed(["score"])]
            ]
        )
        #expect(
            try client.blocking.findAll(Latter.self) == [
                Latter(id: 1, name: "a", kind: "x", isOld: true),
                Latter(id: 2, name: "b", kind: "y", isOld: true),
            ]
        )
        try client.blocking.insert(Latter(id: 3, name: nil, kind: "z", isOld: false))
        #expect(try client.blocking.delete(Latter.self, key: 1))
        #expect(try client.blocking.rows("SELECT id FROM deleted").count == 1)
        let extras = try client.blocking.rows("SELECT extra FROM \(identifier: Self.table)")
        #expect(extras.map { $0["extra", as: String.self] } == ["e", "e"])
        let table = try #require(try definition(Self.table))
        #expect(table.hasSuffix("STRICT"))
        #expect(
            table.contains(
                #""group by" /* dbclient boolean */ INTEGER NOT NULL DEFAULT 1 CHECK ("group by" IN (0, 1))"#
            )
        )
        #expect(!table.contains("score") && !table.contains("on its way"))
        // The index that stood in the way was made anew, with the new ones.
        let indexes = try client.blocking.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name"
        )
        #expect(
            indexes.compactMap { $0["name", as: String.self] } == [
                Self.table + "_a\"b_index", Self.table + "_group by_index",
            ]
        )
    }

    @Test func aColumnOfNobodyIsNotLostInAConversion() throws {
        try client.blocking.execute(
            "ALTER TABLE \(identifier: Self.table) ADD COLUMN extra TEXT DEFAULT 'e'"
        )
        let error = #expect(throws: DBClientError.self) {
            try client.blocking.migrate([
                .convert(Former.self, to: Latter.self) {
                    Latter(id: $0.id, name: $0.name, kind: $0.kind, isOld: true)
                }
            ])
        }
        #expect(error?.code == .migrationRequired)
        #expect(try client.blocking.count(Former.all) == 2)
    }

    fileprivate static let table = "select \"from\"; DROP TABLE"
}

@Stored("select \"from\"; DROP TABLE") private struct Former: Equatable {
    @PrimaryKey let id: Int
    @Indexed @StoredName("a\"b") var name: String
    var kind: String
    @Indexed var score: Int
}

@Stored("select \"from\"; DROP TABLE") private struct Latter: Equatable {
    @PrimaryKey let id: Int
    @Indexed @StoredName("a\"b") var name: String?
    var kind: String
    @Indexed @StoredName("group by") var isOld: Bool
}
