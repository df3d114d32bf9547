import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

@Suite struct TableTests {
    @Test func tablesAreStrictAndIndexed() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try client.blocking.insert(Hostile(select: "a", quote: "b", value: 1))
        try client.blocking.insert(Note(code: "x"))
        let rows = try client.blocking.rows(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
        )
        let statements = rows.compactMap { $0["sql", as: String.self] }
        #expect(
            statements.filter { !$0.contains("sqlite_sequence") } == [
                """
                CREATE TABLE "Hero" ("id" /* dbclient int64 */ INTEGER PRIMARY KEY NOT NULL, \
                "name" /* dbclient text */ TEXT NOT NULL, "team" /* dbclient text? */ TEXT, \
                "power" /* dbclient double */ REAL NOT NULL, \
                "isActive" /* dbclient boolean */ INTEGER NOT NULL CHECK ("isActive" IN (0, 1)), \
                "badge" /* dbclient data? */ BLOB, \
                "aliases" /* dbclient json[text] */ TEXT NOT NULL) STRICT
                """,
                #"CREATE INDEX "Hero_name_index" ON "Hero" ("name")"#,
                #"CREATE INDEX "Hero_team_index" ON "Hero" ("team")"#,
                """
                CREATE TABLE "select ""from""; DROP TABLE x --" \
                ("select" /* dbclient text */ TEXT NOT NULL, \
                "a""b'c" /* dbclient text */ TEXT NOT NULL, \
                "order" /* dbclient int64 */ INTEGER NOT NULL, \
                PRIMARY KEY ("select", "a""b'c")) STRICT, WITHOUT ROWID
                """,
                """
                CREATE UNIQUE INDEX "select ""from""; DROP TABLE x --_order_unique_index" \
                ON "select ""from""; DROP TABLE x --" ("order")
                """,
                """
                CREATE TABLE "Note" ("id" /* dbclient int64 */ INTEGER PRIMARY KEY \
                AUTOINCREMENT NOT NULL, "code" /* dbclient text */ TEXT NOT NULL) STRICT
                """,
                #"CREATE UNIQUE INDEX "Note_code_unique_index" ON "Note" ("code")"#,
            ]
        )
    }

    @Test func hostileNamesWorkInEveryVerb() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        let blocking = client.blocking
        let first = Hostile(select: "a", quote: "1", value: 1)
        let second = Hostile(select: "a", quote: "2", value: 2)
        try blocking.insert([second, first])
        #expect(try blocking.fetch(Hostile.all) == [first, second])
        #expect(try blocking.find(Hostile.self, key: .init(select: "a", quote: "2")) == second)
        #expect(try blocking.fetch(Hostile.where { $0.quote == "1" && $0.value < 5 }) == [first])
        #expect(try blocking.upsert(first).isUpdated)
        try blocking.update(Hostile.self, key: first.primaryKey) { $0.set(\.value, to: 9) }
        #expect(
            try blocking.update(Hostile.all.sorted { $0.value.descending }.limit(1)) {
                $0.set(\.value, to: 10)
            } == 1
        )
        #expect(try blocking.fetch(Hostile.all).map(\.value) == [10, 2])
        #expect(try blocking.delete(Hostile.all.offset(1)) == 1)
        #expect(try blocking.max(\Hostile.value, of: Hostile.all) == 10)
    }

    @Test func ofIndexesMadeInOneCallNoneStaysWhenOneCannotBeMade() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.execute(
            """
            CREATE TABLE "Twice" ("id" INTEGER PRIMARY KEY NOT NULL, "plain" INTEGER NOT NULL, \
            "unique" INTEGER NOT NULL) STRICT
            """
        )
        try client.blocking.execute("INSERT INTO \"Twice\" VALUES (1, 1, 5), (2, 2, 5)")
        try client.blocking.write { transaction in
            #expect(code { try transaction.insert(Twice(id: 3)) } != nil)
            try transaction.insert(Note(code: "kept"))
        }
        let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Twice'"
        #expect(try client.blocking.rows("\(raw: indexes)").isEmpty)
        #expect(try client.blocking.count(Note.all) == 1)
        try client.blocking.execute("DELETE FROM \"Twice\" WHERE id = 2")
        try client.blocking.insert(Twice(id: 3))
        #expect(try client.blocking.rows("\(raw: indexes)").count == 2)
    }

    @Test func generatedKeysAreNeverReused() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        let notes = try client.blocking.insert([Note(code: "a"), Note(code: "b")])
        #expect(notes.map(\.id) == [1, 2])
        try client.blocking.deleteAll(Note.self)
        #expect(try client.blocking.insert(Note(code: "c")).id == 3)
        let outcome = try client.blocking.upsert([Note(code: "d"), Note(id: 3, code: "e")])
        #expect(outcome.inserted.map(\.id) == [4] && outcome.updated.map(\.id) == [3])
    }

    @Test func keysAreGeneratedByATableOfAnothersMakingIfItsKeyIsTheRowID() throws {
        for (columns, makesKeys) in [
            ("id INTEGER PRIMARY KEY, code TEXT", true),
            ("id INTEGER, code TEXT, PRIMARY KEY (id)", true),
            ("id INT PRIMARY KEY, code TEXT", false),
            ("id BIGINT PRIMARY KEY, code TEXT", false),
            ("id INTEGER PRIMARY KEY DESC, code TEXT", false),
            ("id INTEGER UNIQUE, code TEXT", false),
        ] {
            let folder = try TemporaryFolder()
            let table = "CREATE TABLE Note (\(columns)); INSERT INTO Note VALUES (7, 'a')"
            #expect(RawConnection(folder.store).run(table) == 0)
            let blocking = try SQLDBClient.sqlite(at: folder.store).blocking
            #expect(try blocking.find(Note.self, key: 7)?.code == "a")
            try blocking.update(Note(id: 7, code: "b"))
            for error in [
                failure { try blocking.insert(Note(code: "c")) },
                failure { try blocking.upsert(Note(code: "d")) },
            ] {
                #expect((error?.code == .schemaMismatch) == !makesKeys, "\(columns)")
                #expect(error?.field == (makesKeys ? nil : "id"))
            }
            #expect(try blocking.fetch(Note.all).map(\.id) == (makesKeys ? [7, 8, 9] : [7]))
        }
    }

    @Test func violationsAreToldApart() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        let blocking = client.blocking
        try blocking.insert([Hostile(select: "a", quote: "1", value: 1)])
        try blocking.insert(Note(id: 5, code: "x"))
        let both = failure { try blocking.insert(Hostile(select: "a", quote: "1", value: 1)) }
        #expect(both?.code == .duplicateKey && both?.entity == Hostile.schema.entity.name)
        #expect(both?.key == "a, 1")
        let unique = failure { try blocking.insert(Hostile(select: "b", quote: "1", value: 1)) }
        #expect(unique?.code == .uniqueViolation && unique?.field == "order")
        #expect(unique?.engineCode == 2_067)
        let key = failure { try blocking.insert(Note(id: 5, code: "y")) }
        #expect(key?.code == .duplicateKey && key?.field == "id" && key?.key == "5")
        #expect(code { try blocking.upsert(Note(id: 6, code: "x")) } == .uniqueViolation)
        try blocking.insert(Note(id: 6, code: "z"))
        #expect(
            code { _ = try blocking.update(Note.all) { $0.set(\.code, to: "same") } }
                == .uniqueViolation
        )
        #expect(try blocking.fetch(Note.all).map(\.code) == ["x", "z"])
    }

    @Test func aTableOfAnothersMakingIsAdopted() throws {
        let folder = try TemporaryFolder()
        RawConnection(folder.store).run(
            """
            CREATE TABLE Hero (extra TEXT DEFAULT 'x', id INTEGER PRIMARY KEY, name VARCHAR(20),
            team TEXT, power NUMERIC, isActive INT, badge BLOB, aliases TEXT, note);
            INSERT INTO Hero (id, name, power, isActive, aliases) VALUES (1, 'A', 2, 1, '[ "b" ]');
            """
        )
        let client = try SQLDBClient.sqlite(at: folder.store)
        let hero = Hero(id: 1, name: "A", power: 2, aliases: ["b"])
        #expect(try client.blocking.fetch(Hero.all) == [hero])
        #expect(try client.blocking.fetch(Hero.where { $0.aliases.contains("b") }) == [hero])
        try client.blocking.insert(Hero(id: 2, name: "B"))
        let indexes = try client.blocking.rows("SELECT name FROM pragma_index_list('Hero')")
        #expect(indexes.count == 2)
    }

    @Test func aDifferentTableIsAMismatch() throws {
        let cases = [
            (
                "id INTEGER PRIMARY KEY, name TEXT, team TEXT, power REAL, isActive INT, badge BLOB",
                "aliases"
            ),
            (
                """
                id INTEGER PRIMARY KEY, name BLOB, team TEXT, power REAL, isActive INT, badge BLOB,
                aliases TEXT
                """, "name"
            ),
            (
                """
                id INTEGER, name TEXT PRIMARY KEY, team TEXT, power REAL, isActive INT, badge BLOB,
                aliases TEXT
                """, "id"
            ),
            (
                """
                id INTEGER PRIMARY KEY, name TEXT, team TEXT NOT NULL, power REAL, isActive INT,
                badge BLOB, aliases TEXT
                """, "team"
            ),
        ]
        for (columns, field) in cases {
            let folder = try TemporaryFolder()
            #expect(RawConnection(folder.store).run("CREATE TABLE Hero (\(columns))") == 0)
            let client = try SQLDBClient.sqlite(at: folder.store)
            for error in [
                failure { _ = try client.blocking.fetch(Hero.all) },
                failure { try client.blocking.insert(Hero(id: 1, name: "A")) },
            ] {
                #expect(error?.code == .schemaMismatch)
                #expect(error?.entity == "Hero" && error?.field == field)
            }
        }
    }

    @Test func textIsComparedByItsBytesWhateverItsColumnSays() throws {
        for collation in ["NOCASE", "nocase", "RTRIM", "BINARY", "binary"] {
            let folder = try TemporaryFolder()
            let code = RawConnection(folder.store).run(
                """
                CREATE TABLE Hero (id INTEGER PRIMARY KEY, name TEXT COLLATE \(collation),
                team TEXT, power REAL COLLATE NOCASE, isActive INT, badge BLOB, aliases TEXT);
                """
            )
            #expect(code == 0)
            let client = try SQLDBClient.sqlite(at: folder.store)
            let names = ["b", "A ", "a", "B", "A"]
            try client.blocking.insert(
                names.enumerated().map { Hero(id: $0.offset + 1, name: $0.element) }
            )
            func fetched(_ request: FetchRequest<Hero>) throws -> [String] {
                try client.blocking.fetch(request).map(\.name)
            }
            #expect(try fetched(Hero.where { $0.name == "a" }) == ["a"])
            #expect(
                try fetched(Hero.where { $0.name != "A" }.sorted { $0.name }) == [
                    "A ", "B", "a", "b",
                ]
            )
            #expect(
                try fetched(Hero.where { $0.name >= "B" }.sorted { $0.name }) == ["B", "a", "b"]
            )
            #expect(
                try fetched(Hero.where { $0.name.isIn(["A", "b"]) }.sorted { $0.name }) == [
                    "A", "b",
                ]
            )
            #expect(
                try client.blocking.distinct(\.name, of: Hero.all) == ["A", "A ", "B", "a", "b"]
            )
            #expect(try client.blocking.min(\.name, of: Hero.all) == "A")
        }
    }

    @Test func textInAColumnOfDatesIsKeptUnlessItIsANumber() throws {
        let folder = try TemporaryFolder()
        let program = RawConnection(folder.store)
        #expect(
            program.run(
                """
                CREATE TABLE Hero (id INTEGER PRIMARY KEY, name DATETIME NOT NULL, team TIMESTAMP,
                    power REAL, isActive INT, badge BLOB, aliases TEXT);
                INSERT INTO Hero VALUES (1, '2009-01-01 00:00:00', NULL, 0, 1, NULL, '[]')
                """
            ) == 0
        )
        let client = try SQLDBClient.sqlite(at: folder.store)
        let found = try #require(try client.blocking.find(Hero.self, key: 1))
        #expect(found.name == "2009-01-01 00:00:00")
        let hero = Hero(id: 2, name: "2010-01-01", team: "12:00")
        try client.blocking.insert(hero)
        #expect(try client.blocking.fetch(Hero.where { $0.name > "2009-06" }) == [hero])
        #expect(try client.blocking.count(Hero.where { $0.name == "2010-01-01" }) == 1)
        for name in ["2009", " 1e3 ", "-0.5"] {
            for error in [
                failure { try client.blocking.insert(Hero(id: 3, name: name)) },
                failure { try client.blocking.update(Hero.all) { $0.set(\.name, to: name) } },
                failure { try client.blocking.update(Hero(id: 2, name: name)) },
            ] {
                #expect(error?.code == .invalidValue && error?.field == "name")
            }
        }
        #expect(try client.blocking.find(Hero.self, key: 2) == hero)
    }

    @Test func aWrongStorageClassIsADecodingError() throws {
        let wrong = [
            ("power", "'abc'"), ("name", "x'41'"), ("badge", "'text'"), ("isActive", "1.5"),
            ("team", "CAST(x'ff' AS TEXT)"), ("name", "CAST(x'edA080' AS TEXT)"),
            ("name", "NULL"), ("isActive", "2"),
        ]
        for (field, value) in wrong {
            let folder = try TemporaryFolder()
            let raw = RawConnection(folder.store)
            raw.run(
                """
                CREATE TABLE Hero (id INTEGER PRIMARY KEY, name TEXT, team TEXT, power REAL,
                isActive INT, badge BLOB, aliases TEXT);
                INSERT INTO Hero VALUES (1, 'A', NULL, 1, 1, NULL, '[]');
                """
            )
            #expect(raw.run("UPDATE Hero SET \(field) = \(value)") == 0)
            let client = try SQLDBClient.sqlite(at: folder.store)
            let error = failure { _ = try client.blocking.fetch(Hero.all) }
            #expect(error?.code == .decoding, "\(field) = \(value)")
            #expect(error?.entity == "Hero" && error?.field == field)
        }
    }

    @Test func aTextThatIsNotUTF8IsRefusedWhereItIsComputedWith() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try client.blocking.execute("UPDATE Hero SET name = CAST(x'2dffff' AS TEXT)")
        for request in [
            Hero.where { $0.name.containsFolding("a") },
            Hero.where { $0.name.hasPrefixFolding("a") },
            Hero.where { $0.name.equalsFolding("a") },
        ] {
            let error = failure { _ = try client.blocking.count(request) }
            #expect(error?.code == .decoding)
        }
    }

    @Test func aWrongStorageClassInAnEmbeddedValueIsADecodingError() throws {
        let wrong = [
            ("place_city", "x'41'"), ("place_zip", "'abc'"), ("former", "2"),
            ("former_city", "NULL"),
            ("former_city", "x'41'"), ("former_zip", "1.5"),
        ]
        for (field, value) in wrong {
            let folder = try TemporaryFolder()
            let raw = RawConnection(folder.store)
            raw.run(
                """
                CREATE TABLE Berth (id INTEGER PRIMARY KEY, place_city TEXT, place_zip INTEGER,
                former INT, former_city TEXT, former_zip INTEGER);
                INSERT INTO Berth VALUES (1, 'A', 1, 1, 'B', NULL), (2, 'C', NULL, NULL, NULL, NULL);
                """
            )
            #expect(raw.run("UPDATE Berth SET \(field) = \(value) WHERE id = 1") == 0)
            let client = try SQLDBClient.sqlite(at: folder.store)
            let error = failure { _ = try client.blocking.fetch(Berth.all) }
            #expect(error?.code == .decoding, "\(field) = \(value)")
            #expect(error?.entity == "Berth" && error?.field == field)
            let second = Berth(id: 2, place: .init(city: "C"))
            #expect(try client.blocking.find(Berth.self, key: 2) == second)
            let first = Berth(id: 1, place: .init(city: "D", zip: 2), former: .init(city: "E"))
            try client.blocking.update(first)
            #expect(try client.blocking.fetch(Berth.all) == [first, second])
        }
    }
}

/// Holds structs whose fields are columns.
@Stored private struct Berth: Equatable {
    let id: Int
    var place: Spot
    var former: Spot?

    @Embedded struct Spot: Equatable {
        var city: String
        var zip: Int?

        init(city: String, zip: Int? = nil) {
            self.city = city
            self.zip = zip
        }
    }

    init(id: Int, place: Spot, former: Spot? = nil) {
        self.id = id
        self.place = place
        self.former = former
    }
}

/// A model with a plain index and a unique one.
private struct Twice: Stored {
    var id: Int

    static let schema = Schema<Twice>(
        name: "Twice",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.plain, "plain", index: .plain),
            .field(\.unique, "unique", index: .unique),
        ]
    )

    var primaryKey: Int { id }
    var plain: Int { id }
    var unique: Int { id }

    init(id: Int) {
        self.id = id
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        _ = try row.read(Int.self)
        _ = try row.read(Int.self)
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(plain)
        try row.write(unique)
    }
}
