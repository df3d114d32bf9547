import DBClientCore
import Foundation
import Testing

@testable import ModelGenerator

@Suite(
    .serialized,
    .enabled(if: Chinook.isThere, "Chinook is not there."),
    .enabled(
        if: GeneratedProgram.isPossible,
        "The libraries are not where the tests look for them."
    )
)
struct ChinookTests {
    @Test(arguments: Chinook.Form.allCases)
    func modelsOfTheSQLiteFormKeepRowsAndAnswerQuestions(_ form: Chinook.Form) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (full, empty) = try await Chinook.sqlite(form, in: folder)
        let models = try await ModelGenerator().models(of: .sqlite(full))
        #expect(models.files.count == 11)
        #expect(models.notices.isEmpty)
        let program = try GeneratedProgram(models, "Chinook", in: folder.url)
        let output = try program.run(full.path, empty.path)
        #expect(try program.run(full.path).lines == ["denied Playlist"])
        check(output, form == .original ? Chinook.misfits["SQLite", default: []] : [])
    }

    @Test(.enabled(if: Server.isThere, "There is no server."), arguments: Chinook.Form.allCases)
    func modelsOfThePostgreSQLFormKeepRowsAndAnswerQuestions(_ form: Chinook.Form) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await Server.withSchemas(["chinook", "chinook_empty"]) { schemas in
            try await Chinook.postgreSQL(form, full: schemas[0], empty: schemas[1])
            let url = Server.url ?? ""
            let models = try await ModelGenerator().models(of: .postgreSQL(url, schema: schemas[0]))
            #expect(models.files.count == 11)
            #expect(models.notices.isEmpty)
            let program = try GeneratedProgram(models, "Chinook", in: folder.url)
            let output = try program.run("\(url)#\(schemas[0])", "\(url)#\(schemas[1])")
            #expect(try program.run("\(url)#\(schemas[0])").lines == ["denied playlist"])
            check(output, form == .original ? Chinook.misfits["PostgreSQL", default: []] : [])
        }
    }

    /// Every table that fits keeps its rows, and every question about such tables has the answer of SQL.
    private func check(_ output: GeneratedProgram.Output, _ misfits: Set<String>) {
        let found = Set(
            output.lines(of: "misfit").compactMap { line in
                line.split(separator: " ").dropFirst().first.map { String($0.dropLast()) }
            }
        )
        #expect(found == misfits, "\(output.lines(of: "misfit"))")
        #expect(output.lines(of: "rows").count + output.lines(of: "skipped").count == 11)
        #expect(output.lines.filter { $0.hasPrefix("wrong") } == [])
        let questions = output.lines(of: "question")
        #expect(questions.count == 12)
        #expect(
            questions.allSatisfy {
                $0.hasSuffix("equal") || !misfits.isEmpty && $0.hasSuffix("misfit")
            }
        )
        #expect(!misfits.isEmpty || questions.allSatisfy { $0.hasSuffix("equal") }, "\(questions)")
    }

    @Test func modelsAreTheSameWhenTheyAreMadeAgain() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (full, _) = try await Chinook.sqlite(.original, in: folder)
        let first = try await ModelGenerator().models(of: .sqlite(full))
        #expect(try await ModelGenerator().models(of: .sqlite(full)) == first)
    }
}
