import DBClientCore
import Foundation
import Testing

@testable import ModelGenerator

@Suite(.enabled(if: Server.isThere, "There is no server."))
struct PostgreSQLGeneratorTests {
    @Test(
        .enabled(
            if: GeneratedProgram.isPossible,
            "The libraries are not where the tests look for them."
        )
    )
    func modelsOfTablesOfEveryKindKeepTheirRows() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await Server.withSchemas(["kinds", "kinds_empty"]) { schemas in
            try await Server.run(PostgreSQLKinds.tables + PostgreSQLKinds.rows, in: schemas[0])
            try await Server.run(PostgreSQLKinds.tables, in: schemas[1])
            let url = Server.url ?? ""
            var options = GeneratorOptions()
            options.access = .public
            options.keys = ["active": ["id"]]
            let source = ModelSource.postgreSQL(url, schema: schemas[0])
            let models = try await ModelGenerator(options).models(of: source)
            let program = try GeneratedProgram(models, "PostgreSQLKinds", in: folder.url)
            let output = try program.run("\(url)#\(schemas[0])", "\(url)#\(schemas[1])")
            // The grid, which no field holds, is not in the copy.
            let wrong = output.lines.filter { $0.hasPrefix("wrong") }
            #expect(wrong.count == 1, "\(wrong)")
            #expect(wrong.allSatisfy { $0.hasPrefix("wrong lists: inserted") }, "\(wrong)")
            let misfits = output.lines(of: "misfit").compactMap { line in
                line.split(separator: " ").dropFirst().first.map { String($0.dropLast()) }
            }
            #expect(Set(misfits) == PostgreSQLKinds.misfits, "\(output.lines(of: "misfit"))")
            #expect(output.lines(of: "rows").count + output.lines(of: "skipped").count == 9)
            #expect(
                output.lines(of: "found") == [
                    "found tickets 2", "found ada 2", "found key true, whole 7",
                    "found counters [5, 6, 8]", "found true", "found active true, doubled 14",
                ]
            )
        }
    }

    @Test func theModelsHaveCommentsEnumsAndWhatIsLeftOut() async throws {
        try await Server.withSchemas(["kinds"]) { schemas in
            try await Server.run(PostgreSQLKinds.tables + PostgreSQLKinds.rows, in: schemas[0])
            let source = ModelSource.postgreSQL(Server.url ?? "", schema: schemas[0])
            let models = try await ModelGenerator().models(of: source)
            func text(_ name: String) -> String {
                models.files.first { $0.name == name }?.text ?? ""
            }
            let person = text("Person.swift")
            #expect(
                person.contains(
                    "/// The people.\n///\n/// And */ more.\n@Stored(\"people\") struct Person"
                )
            )
            #expect(person.contains("/// A whole number.\n    var whole: Int = 7\n"))
            #expect(
                person.contains(
                    "// Computed by the database: read, and never written.\n    var doubled: Int?"
                )
            )
            #expect(person.contains("// Left out: span interval, since"))
            #expect(person.contains("var `class`: String? = \"a'b\""))
            #expect(text("List.swift").contains("var gaps: [String?]?"))
            #expect(text("List.swift").contains("// Left out: grid integer[], since"))
            #expect(text("Ticket.swift").contains("var seat: Reference<Seat>?"))
            #expect(
                text("Mood.swift").hasSuffix(
                    """
                    /// How a person feels.
                    enum Mood: String, StorableValue, PrimaryKeyValue, Codable, CaseIterable {
                        case happy
                        case soSo = "so-so"
                        case _3rd = "3rd"
                        case `default`
                        case blank = ""
                    }

                    """
                )
            )
            #expect(
                models.notices.filter { $0.kind == .refusedTable }.map(\.table) == [
                    "active", "keyless", "ledger",
                ]
            )
            #expect(try await ModelGenerator().models(of: source) == models)
            var options = GeneratorOptions(tables: ["people"])
            options.schema = "sales"
            let qualified = try await ModelGenerator(options).models(of: source)
            #expect(qualified.files.map(\.name) == ["JSONValue.swift", "Person.swift"])
            #expect(qualified.files[1].text.contains("@Stored(\"sales.people\") struct Person"))
        }
    }

    @Test func aSchemaThatIsNotThereIsAnError() async throws {
        let error = await #expect(throws: DBClientError.self) {
            try await ModelGenerator().models(
                of: .postgreSQL(Server.url ?? "", schema: "a schema that is not there")
            )
        }
        #expect(error?.code == .notFound)
    }
}
