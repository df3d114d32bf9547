import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// Names that a careless statement takes for something else, where the driver alone has names.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct HostileNameTests {
    static let names = [
        "a\"b'c\\ %s $1 ?1 :x", "$function$", "'\u{301} '' \\' \\",
        "\"\u{301}; DROP SCHEMA public; --",
        "$users", "a, public", "é 🦸", "NULL", " ", "\n\t", "\u{FEFF}", "E'\\000'",
        String(repeating: "é", count: 31) + "x",
    ]

    /// Runs a body with the address of the server in a schema of a name.
    private func withSchema(
        _ name: String,
        _ body: (_ url: String, _ administrator: SQLDBClient) async throws -> Void
    ) async throws {
        let url = try #require(Server.url)
        let administrator = try await SQLDBClient.postgreSQL(url)
        try await administrator.execute("CREATE SCHEMA \(identifier: name)")
        do {
            try await body(url, administrator)
        } catch {
            Issue.record(error, "\(name.debugDescription)")
        }
        try await administrator.execute("DROP SCHEMA \(identifier: name) CASCADE")
        try administrator.close()
    }

    @Test(
        "A schema may have any name, with a journal in it",
        arguments: zip(names, names.indices.map { $0 % 2 == 0 })
    )
    func schema(name: String, keepsStatements: Bool) async throws {
        try await withSchema(name) { url, administrator in
            var configuration = PostgreSQLConfiguration()
            configuration.schema = name
            configuration.keepsPreparedStatements = keepsStatements
            let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
            try await client.installPostgreSQLJournal(for: Counter.self, Quoted.self)
            let observing = try await Server.clientElsewhere(url, schema: name)
            let observed = ObservedTable(observing.observe(Counter.all))
            try await observed.settle([])
            try await client.insert([Counter(1, 5), Counter(2, 6)])
            try await client.insert(Quoted(id: 1))
            try await client.update(Counter.self, key: 2) { $0.set(\.value, to: 7) }
            try await observed.settle([Counter(1, 5), Counter(2, 7)])
            let rows = try await administrator.rows(
                """
                SELECT DISTINCT "entity" AS name FROM \(identifier: name)."dbclient_journal"
                WHERE "entity" <> '' ORDER BY 1
                """
            )
            let entities = rows.compactMap { $0["name", as: String.self] }
            #expect(
                entities.map { Array($0.utf8) } == ["Counter", Quoted.name].map { Array($0.utf8) }
            )
            try await client.removePostgreSQLJournal()
            try observing.close()
            try client.close()
        }
    }

    @Test("A name with NUL is refused, and nothing is sent")
    func zero() async throws {
        let url = try #require(Server.url)
        var configuration = PostgreSQLConfiguration()
        configuration.schema = "a\0b"
        let found = await code {
            _ = try await SQLDBClient.postgreSQL(url, configuration: configuration)
        }
        #expect(found == .invalidRequest)
        #expect(await code { _ = try await SQLDBClient.postgreSQL(url + "\0") } == .invalidRequest)
    }
}

extension HostileNameTests {
    @Test("A name that the server would cut is refused, and nobody else's table is written to")
    func longNames() async throws {
        let url = try #require(Server.url)
        let victim = String(repeating: "s", count: 63)
        let name = victim + "2"
        try await withSchema(victim) { _, administrator in
            let table: SQL = "\(identifier: victim).\(identifier: victim)"
            try await administrator.execute("CREATE TABLE \(table) (a int)")
            for long in [name, String(repeating: "é", count: 32), ""] {
                var configuration = PostgreSQLConfiguration()
                configuration.schema = long
                let error = await #expect(throws: DBClientError.self) {
                    _ = try await SQLDBClient.postgreSQL(url, configuration: configuration)
                }
                #expect(error?.code == .invalidRequest)
                #expect(error?.field == "schema")
                let found = await code {
                    try await administrator.execute(
                        "INSERT INTO \(identifier: victim).\(identifier: long) VALUES (1)"
                    )
                }
                #expect(found == .invalidRequest)
            }
            #expect(try await administrator.rows("SELECT a FROM \(table)").isEmpty)
        }
    }

    @Test("Tables of the server's own names stay apart, however long they are")
    func longTablesOfTheServersNames() {
        let dialect = PostgreSQLDialect()
        func entity(_ name: String) -> EntitySchema {
            EntitySchema(
                name: name,
                fields: [
                    FieldSchema(
                        name: "id",
                        type: .integer(bits: 64, signed: true),
                        isOptional: false
                    )
                ],
                primaryKey: [0],
                keyGeneration: .given,
                indexes: [],
                failure: nil
            )
        }
        let begin = "pg_" + String(repeating: "x", count: 59)
        let names = [begin, begin + "a", begin + "b"].map { dialect.tableName(of: entity($0)) }
        #expect(Set(names).count == 3)
        #expect(names.allSatisfy { $0.utf8.count <= 63 && !$0.hasPrefix("pg_") })
    }
}

/// A model whose names hold quotation marks that are parts of other characters.
private struct Quoted: Stored {
    let id: Int

    static let name = "zz '\u{301} \\'\u{301} $function$"
    static let schema = Schema<Quoted>(
        name: name,
        fields: [.field(\.id, "\"\u{301}'\u{301}\\", primaryKey: .given)]
    )

    var primaryKey: Int { id }

    init(id: Int) {
        self.id = id
    }

    init(row: inout RowReader) throws {
        id = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
    }
}
