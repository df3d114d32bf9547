import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

@Suite struct SQLTests {
    private static let hostile = "'; DROP TABLE Hero; --"

    @Test(arguments: [true, false])
    func valuesAreBoundAndNamesQuoted(inMemory: Bool) async throws {
        let folder = try TemporaryFolder()
        let client = inMemory ? try SQLDBClient.sqlite(.inMemory) : try .sqlite(at: folder.store)
        try await client.insert([Hero(id: 1, name: "A"), Hero(id: 2, name: "B")])
        let changed = try await client.execute(
            "UPDATE \(identifier: "Hero") SET name = \(Self.hostile), power = \(2.5) WHERE id = \(2)"
        )
        #expect(changed == 1)
        let rows = try await client.rows(
            "SELECT id, name, power, team FROM Hero WHERE name = \(Self.hostile)"
        )
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(row["id", as: Int.self] == 2)
        #expect(row["name", as: String.self] == Self.hostile)
        #expect(try row.value("power", as: Double.self) == 2.5)
        #expect(try row.value("team", as: String?.self) == nil)
        #expect(row["none", as: Int.self] == nil)
        #expect(code { _ = try row.value("none", as: Int.self) } == .invalidRequest)
        #expect(code { _ = try row.value("name", as: Int.self) } == .decoding)
        let heroes = try await client.fetch(
            Hero.self,
            sql: "SELECT * FROM Hero WHERE id IN (\(1), \(2)) ORDER BY id DESC"
        )
        #expect(heroes.map(\.id) == [2, 1])
    }

    @Test func statementsRunInsideATransaction() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try client.blocking.write { transaction in
            try transaction.execute("UPDATE Hero SET name = \("B")")
            #expect(try transaction.find(Hero.self, key: 1)?.name == "B")
            #expect(
                try transaction.rows("SELECT COUNT(*) AS n FROM Hero").first?["n", as: Int.self]
                    == 1
            )
        }
    }

    @Test(arguments: [true, false])
    func aReaderCannotWrite(inMemory: Bool) throws {
        let folder = try TemporaryFolder()
        let client = inMemory ? try SQLDBClient.sqlite(.inMemory) : try .sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        #expect(
            code { _ = try client.blocking.rows("DELETE FROM Hero RETURNING id") } == .readOnly
        )
        #expect(try client.blocking.count(Hero.all) == 1)
    }

    @Test func oneStatementAtATimeAndNoTransactionOfItsOwn() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        for sql: SQL in [
            "DELETE FROM Hero; DELETE FROM Hero", "", "SELECT ?1", "COMMIT", "BEGIN",
        ] {
            #expect(throws: DBClientError.self) { try client.blocking.execute(sql) }
        }
        #expect(try client.blocking.count(Hero.all) == 1)
        try client.blocking.insert(Hero(id: 2, name: "B"))
    }

    @Test func aTransactionGoesOnAfterAStatementThatWouldHaveEndedItWasRefused() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.write { transaction in
            try transaction.insert(Hero(id: 1, name: "A"))
            for sql: SQL in [
                "COMMIT", "/* x */ ROLLBACK", "END", ";COMMIT", "SAVEPOINT a", "RELEASE a",
                "-- x\nBEGIN",
            ] {
                #expect(code { try transaction.execute(sql) } == .invalidRequest)
            }
            try transaction.insert(Hero(id: 2, name: "B"))
        }
        #expect(try client.blocking.count(Hero.all) == 2)
    }

    @Test func aStatementThatIsNotValidIsToldOfInSQLitesWordsWithoutAConstantOfIt() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        let expected: [(SQL, String)] = [
            ("SELEC 1", "near \"SELEC\": syntax error"), ("SELECT * FROM missing", "missing"),
            ("SELECT missing FROM Hero", "missing"),
            ("SELECT * FROM Hero WHERE", "incomplete input"),
            ("INSERT INTO Hero (missing) VALUES (1)", "missing"), ("SELECT missing(1)", "missing"),
            ("DROP TABLE missing", "missing"),
        ]
        for (sql, words) in expected {
            for error in [
                failure { _ = try client.blocking.write { try $0.rows(sql).count } },
                failure { try client.blocking.execute(sql) },
            ] {
                #expect(error?.code == .invalidRequest)
                #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
            }
        }
        for sql: SQL in ["SELECT 1 'secret' 2", "SELECT 'secret", "SELECT * FROM Hero 'secret' 1"] {
            let error = failure { _ = try client.blocking.rows(sql) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.description.contains("secret") == false, "\(error?.description ?? "")")
        }
    }

    @Test func statementsOfOnesOwnHaveTheCodesAndTheCountsOfEveryEngine() throws {
        let client = try SQLDBClient.sqlite(.inMemory).blocking
        #expect(try client.execute("CREATE TABLE own (id int PRIMARY KEY, a int UNIQUE)") == 0)
        #expect(try client.execute("INSERT INTO own VALUES (1, 1), (2, 2)") == 2)
        #expect(try client.execute("CREATE TABLE copy AS SELECT * FROM own") == 0)
        #expect(try client.execute("CREATE INDEX own_index ON own (a)") == 0)
        #expect(try client.execute("/* x */ UPDATE own SET a = a + 10") == 2)
        #expect(try client.execute("SELECT * FROM own") == 0)
        #expect(code { try client.execute("INSERT INTO own VALUES (1, 9)") } == .duplicateKey)
        #expect(code { try client.execute("INSERT INTO own VALUES (9, 11)") } == .uniqueViolation)
    }

    @Test func aDroppedTableIsEmptyAndMadeAgain() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        #expect(try client.blocking.count(Hero.all) == 1)
        try client.blocking.execute("DROP TABLE Hero")
        #expect(try client.blocking.count(Hero.all) == 0)
        #expect(try client.blocking.find(Hero.self, key: 1) == nil)
        try client.blocking.insert(Hero(id: 2, name: "B"))
        #expect(try client.blocking.count(Hero.all) == 1)
    }

    @Test func aRowWithFewerValuesThanColumnsIsRefused() throws {
        let row = SQLRow(columnNames: ["a", "b"], values: [.integer(1)])
        #expect(try row.value("a") == 1)
        let error = #expect(throws: DBClientError.self) { try row.value("b", as: Int.self) }
        #expect(error?.code == .invalidRequest && error?.field == "b")
        #expect(row["b", as: Int.self] == nil)
    }

    @Test func errorsShowNoValues() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Note(code: "secret"))
        for error in [
            failure { try client.blocking.insert(Note(code: "secret")) },
            failure { try client.blocking.execute("SELECT * FROM missing WHERE x = 'secret'") },
        ] {
            let error = try #require(error)
            #expect(!error.description.contains("secret"))
            #expect(error.engineCode != nil && error.engineMessage != nil)
        }
    }
}
