import DBClientCore
import Foundation
import Testing

@testable import ModelGenerator

struct GeneratedModelsTests {
    private func models(_ names: String...) throws -> GeneratedModels {
        let tables = names.map { name in
            CatalogTable(
                name: name,
                columns: [
                    CatalogColumn(
                        name: "id",
                        declaredType: "INTEGER",
                        meaning: .field(.int),
                        isRequired: true
                    )
                ],
                primaryKey: ["id"]
            )
        }
        return try ModelGenerator().models(of: DatabaseCatalog(tables: tables))
    }

    @Test func filesOfAnEarlierRunAreReplacedAndToldWhereTheyAreStale() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let target = folder.file("Model")
        let first = try models("a", "b").write(to: target)
        #expect(first.changed == ["A.swift", "B.swift"])
        let file = target.appendingPathComponent("A.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data((text + "// An edit.\n").utf8).write(to: file)
        let second = try models("a").write(to: target)
        #expect(second.changed == ["A.swift"])
        #expect(second.stale == ["B.swift"])
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(try models("a").write(to: target).unchanged == ["A.swift"])
    }

    @Test func filesOfOthersAreNotTouched() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let own = Data("struct B {}\n".utf8)
        try own.write(to: folder.file("B.swift"))
        try own.write(to: folder.file("Other.swift"))
        let error = #expect(throws: DBClientError.self) {
            try models("a", "b").write(to: folder.url)
        }
        #expect(error?.code == .invalidRequest)
        #expect(try Data(contentsOf: folder.file("B.swift")) == own)
        #expect(!FileManager.default.fileExists(atPath: folder.file("A.swift").path))
        let written = try models("a").write(to: folder.url)
        #expect(written.stale == [])
        #expect(try Data(contentsOf: folder.file("Other.swift")) == own)
    }
}
