import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

@testable import ModelGenerator

@Stored struct Studio: Hashable {
    let id: Int
    @Indexed var name: String
}

@Stored struct Power: Hashable {
    @PrimaryKey let name: String
    var level: Int16
}

enum Side: String, StorableValue { case left, right }

struct Meta: Codable, Hashable, Sendable {
    var note: String
}

@Embedded struct Place: Hashable {
    var city: String
    @Indexed var year: Int
}

@Stored struct Fighter: Hashable {
    @PrimaryKey(.generated) var id: Int = 0
    var name: String
    var side: Side
    var born: Date?
    var token: UUID
    var worth: Decimal
    var tags: [String]
    var marks: [String: Int]
    var meta: Meta?
    var place: Place
    var site: URL?
    @StoredName("home") var studio: Reference<Studio>?
    var powers: [Power]
    @Relationship(onDelete: .weak) var rivals: Set<Studio>
}

@Stored struct Contract: Hashable {
    @PrimaryKey @Relationship(onDelete: .cascade) let fighter: Reference<Fighter>
    @PrimaryKey @Relationship(onDelete: .cascade) let studio: Reference<Studio>
    var since: Date
}

@Suite(
    .enabled(
        if: GeneratedProgram.isPossible,
        "The libraries are not where the tests look for them."
    )
)
struct LibraryTableTests {
    private func fill(_ client: SQLDBClient) async throws {
        let marvel = Studio(id: 1, name: "Marvel")
        let image = Studio(id: 2, name: "Image")
        try await client.insert([marvel, image])
        let fighter = Fighter(
            name: "Ada",
            side: .left,
            born: Date(timeIntervalSince1970: 1.5),
            token: UUID(),
            worth: Decimal(12.25),
            tags: ["a", "b"],
            marks: ["x": 1],
            meta: Meta(note: "n"),
            place: Place(city: "Köln", year: 1990),
            site: URL(string: "https://a.example"),
            studio: nil,
            powers: [Power(name: "flight", level: 3), Power(name: "ink", level: 1)],
            rivals: [image]
        )
        try await client.insert(fighter)
        try await client.insert(
            Contract(
                fighter: Reference(1),
                studio: Reference(1),
                since: Date(timeIntervalSince1970: 0)
            )
        )
        try client.close()
    }

    private func check(
        _ models: GeneratedModels,
        at location: String,
        in folder: TemporaryFolder
    ) throws {
        #expect(models.notices == [])
        #expect(
            models.files.map(\.name) == [
                "Contract.swift", "Fighter.swift", "JSONValue.swift", "Power.swift", "Studio.swift",
            ]
        )
        let output = try GeneratedProgram(models, "LibraryTables", in: folder.url).run(location)
        #expect(
            output.lines == [
                "rows Studio", "rows Power", "rows Fighter", "rows Contract",
                #"found powers ["flight", "ink"], rivals ["Image"]"#, "found contracts 0",
            ]
        )
    }

    @Test func tablesOfTheLibraryOnSQLiteGetTheirModelsBack() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.file("own.sqlite")
        try await fill(try SQLDBClient.sqlite(at: url))
        try check(try await ModelGenerator().models(of: .sqlite(url)), at: url.path, in: folder)
    }

    @Test(.enabled(if: Server.isThere, "There is no server."))
    func tablesOfTheLibraryOnPostgreSQLGetTheirModelsBack() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await Server.withSchemas(["own"]) { schemas in
            let url = Server.url ?? ""
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schemas[0]
            try await fill(try await SQLDBClient.postgreSQL(url, configuration: configuration))
            let models = try await ModelGenerator().models(of: .postgreSQL(url, schema: schemas[0]))
            try check(models, at: "\(url)#\(schemas[0])", in: folder)
        }
    }
}
