import DBClientCore
import Foundation
import Testing

@testable import ModelGenerator

struct SQLiteGeneratorTests {
    private func makeFile(_ statements: [String], in folder: TemporaryFolder) async throws -> URL {
        let url = folder.file("kinds.sqlite")
        try await SQLiteFile.run(statements, at: url)
        return url
    }

    @Test(
        .enabled(
            if: GeneratedProgram.isPossible,
            "The libraries are not where the tests look for them."
        )
    )
    func modelsOfTablesOfEveryKindKeepTheirRows() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let full = try await makeFile(SQLiteKinds.tables + SQLiteKinds.rows, in: folder)
        let empty = folder.file("empty.sqlite")
        try await SQLiteFile.run(SQLiteKinds.tables, at: empty)
        var options = GeneratorOptions()
        options.access = .public
        options.keys = ["heavy": ["id"]]
        let models = try await ModelGenerator(options).models(of: .sqlite(full))
        let program = try GeneratedProgram(models, "SQLiteKinds", in: folder.url)
        let output = try program.run(full.path, empty.path)
        #expect(output.lines.filter { $0.hasPrefix("wrong") || $0.hasPrefix("misfit") } == [])
        #expect(output.lines(of: "rows").count == 12)
        #expect(
            output.lines(of: "found") == [
                #"found ada ["blue", "red"]"#, #"found profile ["Counts"]"#, "found lines 2",
                "found memberships 2", #"found reports ["Worker"]"#,
                "found uses 1",
                #"found key true, default it's \ "so""#, "found left 1", "found heavy true",
                "found doubled 2",
            ]
        )
    }

    @Test(
        .enabled(
            if: GeneratedProgram.isPossible,
            "The libraries are not where the tests look for them."
        )
    )
    func namesThatMeanSomethingElseInSwiftAreNamesOfModels() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let full = try await makeFile(HardNames.tables + HardNames.rows, in: folder)
        let empty = folder.file("empty.sqlite")
        try await SQLiteFile.run(HardNames.tables, at: empty)
        let models = try await ModelGenerator().models(of: .sqlite(full))
        let program = try GeneratedProgram(models, "Names", in: folder.url)
        let output = try program.run(full.path, empty.path)
        #expect(output.lines.count == 12)
        #expect(
            output.lines.allSatisfy { $0.hasPrefix("rows ") && $0.hasSuffix(" 1") },
            "\(output.lines)"
        )
    }

    @Test func whatIsNoModelAndNoFieldIsTold() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try await makeFile(
            SQLiteKinds.tables + SQLiteKinds.rows + [SQLiteKinds.mess],
            in: folder
        )
        let models = try await ModelGenerator().models(of: .sqlite(url))
        #expect(
            models.notices.map { "\($0.kind) \($0.table) \($0.column ?? "")" } == [
                "refusedTable heavy ", "refusedTable keyless ", "leftOutColumn mixed mess",
                "refusedTable search ", "plainField notes person_email",
                "plainField order_lines owner_id",
            ]
        )
        let mixed = try #require(models.files.first { $0.name == "Mixed.swift" })
        #expect(
            mixed.text.contains(
                "// Left out: mess NUMERIC, since its rows have integers and texts, which no one field holds"
            )
        )
    }

    @Test func aKeyThatIsNamedIsOneOfWhatHasNone() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try await makeFile(SQLiteKinds.tables, in: folder)
        func reason(_ table: String, _ key: [String]) async throws -> String? {
            var options = GeneratorOptions(tables: [table])
            options.keys = [table: key]
            return try await ModelGenerator(options).models(of: .sqlite(url)).notices.first?.reason
        }
        #expect(try await reason("heavy", ["id"]) == nil)
        #expect(try await reason("heavy", ["nothing"])?.contains("nothing") == true)
        #expect(try await reason("mixed", ["id"])?.contains("--key must not") == true)
        let error = await #expect(throws: DBClientError.self) {
            try await reason("missing", ["id"])
        }
        #expect(error?.code == .notFound)
    }

    @Test func aFormThatEveryValueHasIsSaidByTheProperty() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try await makeFile(
            [
                """
                CREATE TABLE Visit (id INTEGER PRIMARY KEY, made DATETIME, exact TIMESTAMP, day DATE NOT NULL,
                    iso DATETIME, odd DATETIME, wrong DATE, since DATETIME, badge UUID, low GUID, mixed UUID,
                    paid BOOLEAN, open BOOL, other BOOLEAN, price DECIMAL(10,2), whole NUMERIC, none NUMERIC,
                    huge NUMERIC)
                """,
                """
                INSERT INTO Visit VALUES (1, '2024-02-29 23:59:59', '2024-02-29 00:00:00.123', '2024-02-29',
                    '2024-02-29T00:00:00Z', '2024-02-29 00:00:00', '2024-02-30', 1700000000,
                    'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f',
                    'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'Y', 'true', 'maybe', 12.5, 7, NULL, 1e200)
                """,
                """
                INSERT INTO Visit VALUES (2, NULL, NULL, '0001-01-01', NULL, '2024-02-29', NULL, NULL, NULL, NULL,
                    'e621e1f8-c36c-495a-93fc-0c247a3e6e5f', 'N', 'false', 'Y', 3, NULL, NULL, NULL)
                """,
            ],
            in: folder
        )
        let models = try await ModelGenerator().models(of: .sqlite(url))
        let text = try #require(models.files.first { $0.name == "Visit.swift" }).text
        for line in [
            "@StoredAs(.dateTime(fractionDigits: 0)) var made: Date?",
            "@StoredAs(.dateTime) var exact: Date?", "@StoredAs(.day) var day: Date",
            "@StoredAs(.iso8601) var iso: Date?", " var odd: String?", " var wrong: String?",
            " var since: Int?", "@StoredAs(.uppercaseText) var badge: UUID?",
            "@StoredAs(.lowercaseText) var low: UUID?", " var mixed: String?",
            #"@StoredAs(.text(true: "Y", false: "N")) var paid: Bool?"#,
            "@StoredAs(.text) var `open`: Bool?", " var other: String?",
            "@StoredAs(.real) var price: Decimal?", "@StoredAs(.real) var whole: Decimal?",
            "@StoredAs(.real) var `none`: Decimal?", " var huge: Double?",
        ] {
            #expect(
                text.replacing("`", with: "").contains(line.replacing("`", with: "")),
                "\(line)"
            )
        }
        #expect(models.notices.isEmpty)
    }

    @Test func theFileIsOnlyRead() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try await makeFile(SQLiteKinds.tables + SQLiteKinds.rows, in: folder)
        let before = try Data(contentsOf: url)
        _ = try await ModelGenerator().models(of: .sqlite(url))
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func aMissingFileIsNotCreated() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.file("missing.sqlite")
        await #expect(throws: DBClientError.self) {
            try await ModelGenerator().models(of: .sqlite(url))
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func theOrderOfDeclarationsDoesNotCount() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let tables = [
            "CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a)",
            "CREATE INDEX b_a ON b (a_id)",
        ]
        let other = "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT)"
        let first = folder.file("first.sqlite")
        let second = folder.file("second.sqlite")
        try await SQLiteFile.run([other] + tables, at: first)
        try await SQLiteFile.run(tables + [other], at: second)
        let models = try await ModelGenerator().models(of: .sqlite(first))
        #expect(try await ModelGenerator().models(of: .sqlite(second)) == models)
    }

    @Test func aTableThatIsNotThereIsAnError() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try await makeFile(["CREATE TABLE a (id INTEGER PRIMARY KEY)"], in: folder)
        let options = GeneratorOptions(tables: ["a", "b"])
        let error = await #expect(throws: DBClientError.self) {
            try await ModelGenerator(options).models(of: .sqlite(url))
        }
        #expect(error?.code == .notFound)
        #expect(error?.entity == "b")
    }

    @Test func textThatIsNoUTF8StopsNoGeneration() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try await makeFile(
            [
                "CREATE TABLE Note (id INTEGER PRIMARY KEY, body TEXT, size INT, mark BLOB)",
                "INSERT INTO Note VALUES (1, CAST(x'FF' AS TEXT), 1, x'00')",
                "INSERT INTO Note VALUES (2, 'a' || char(0) || 'b', 700, CAST(x'FE' AS TEXT))",
            ],
            in: folder
        )
        let models = try await ModelGenerator().models(of: .sqlite(url))
        let text = try #require(models.files.first { $0.name == "Note.swift" }).text
        #expect(text.contains("var body: String?"))
        #expect(text.contains("var size: Int?"))
    }

    @Test func aNoteWithAnotherRuleIsNoSwift() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try await makeFile(
            [
                "CREATE TABLE Owner (id INTEGER PRIMARY KEY, studio INTEGER)",
                "CREATE TABLE dbclient_relationships (entity TEXT PRIMARY KEY, description TEXT)",
                """
                INSERT INTO dbclient_relationships VALUES ('Owner', '{"entity":{"name":"Owner","fields":[]},\
                "relationships":[{"name":"studios","kind":"list","columns":[],"target":"Owner",\
                "rule":"deny) var x = evil( "}]}')
                """,
            ],
            in: folder
        )
        let error = await #expect(throws: DBClientError.self) {
            _ = try await ModelGenerator().models(of: .sqlite(url))
        }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("dbclient_relationships") == true)
    }
}
