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
                SELECT DISTINCT "entity" AS name FROM \(identifier: name)."dbclient_journal" ORDER BY 1
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
