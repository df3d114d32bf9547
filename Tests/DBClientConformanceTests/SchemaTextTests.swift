import DBClientCore
import DBClientSQL
import DBClientTesting
import Foundation
import Testing

/// Entities as text, and a store that is made what a text says.
@Suite struct SchemaTextTests {
    @Test("A text says of entities what they are, and is read as those entities")
    func roundTrip() throws {
        let catalog = try EntityCatalog([Crew.self, LaterVessel.self, OddlyNamed.self])
        #expect(
            catalog.schemaText
                == """
                entity Crew
                  field id int64
                  field name text
                  key id

                entity Vessel
                  field captain int64, the key of Crew optional
                  field code uuid optional
                  field id int64
                  field name text optional
                  field tags json[text]
                  key id
                  index captain
                  index code, name
                  index name
                  relationship captain toOne Crew nullify
                  relationship crew set Crew nullify

                entity "a \\"b\\", c"
                  field "d, e" int64
                  field "f optional" date
                  key "d, e", "f optional"
                  unique "f optional"

                """
        )
        let read = try EntityCatalog(schemaText: "# A comment\n" + catalog.schemaText)
        for (entity, other) in zip(
            read.entities,
            catalog.entities.sorted { $0.exactName < $1.exactName }
        ) {
            #expect(entity.name == other.name)
            for field in entity.fields {
                let position = try #require(other.position(of: field.name))
                #expect(field.holds(other.fields[position]) && other.fields[position].holds(field))
            }
            #expect(
                entity.primaryKey.map { entity.fields[$0].name }
                    == other.primaryKey.map { other.fields[$0].name }
            )
            #expect(entity.indexes.count == other.indexes.count)
        }
        #expect(try EntityCatalog(schemaText: "").entities.isEmpty)
    }

    @Test(
        "A text that is none is refused with its line",
        arguments: [
            ("field id int64", 1), ("entity A\nfield id nothing", 2), ("entity A\nkey id", 2),
            ("entity A\n  field id int64\n  words", 3), ("entity \"A", 1), ("entity", 1),
            ("entity A\n  field id int64\n\n  unique id, name", 4),
        ]
    )
    func malformed(_ text: String, _ line: Int) {
        let error = #expect(throws: DBClientError.self) { try EntityCatalog(schemaText: text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("Line \(line) ") == true, "\(String(describing: error))")
    }

    @Test("A text of an entity that cannot be is refused")
    func invalid() {
        let error = #expect(throws: DBClientError.self) {
            try EntityCatalog(schemaText: "entity A\n  field id int64")
        }
        #expect(error?.code == .invalidSchema)
    }

    @Test("A store is adapted to the entities of a text", arguments: Backends.chosen)
    func adaptation(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        let crew = [Crew(id: 1, name: "a"), Crew(id: 2, name: "b")]
        try await client.insert(
            FormerVessel(id: 1, name: "x", tags: ["t"], captain: crew[0], crew: Set(crew))
        )
        let text = try EntityCatalog([LaterVessel.self]).schemaText
        let steps = try EntityCatalog(schemaText: text).entities.map { Migration.adapt($0) }
        let changes: [MigrationChange.Kind] = [
            .added(["code"]), .relaxed(["name"]),
        ]
        // In memory there are no indexes to build, and rows have the fields of their model alone.
        let isSQL = client is SQLDBClient
        let indexed: [MigrationChange.Kind] =
            client is InMemoryDBClient ? [] : [.indexed([["name"]])]
        let kinds = changes + indexed
        #expect(try await client.pendingChanges(of: steps).map(\.kinds) == [kinds])
        let statements = try await client.pendingStatements(of: steps)
        #expect(try client.blocking.pendingStatements(of: steps) == statements)
        #expect(try await client.run(.pendingStatements(of: steps)) == statements)
        if isSQL {
            #expect(
                statements.contains { $0.hasPrefix("ALTER TABLE \"Vessel\" ADD COLUMN \"code\"") }
            )
            #expect(statements.count { $0.hasPrefix("CREATE INDEX ") } == 2)
            // The same as of the model.
            #expect(
                try await client.pendingStatements(of: [.adapt(LaterVessel.self)]).sorted()
                    == statements.sorted()
            )
        } else {
            #expect(statements.isEmpty)
        }
        #expect(try await client.pendingChanges(of: steps).map(\.kinds) == [kinds])
        #expect(try await client.migrate(steps).map(\.kinds) == [kinds])
        #expect(try await client.pendingChanges(of: steps).isEmpty)
        #expect(try await client.pendingStatements(of: steps).isEmpty)
        #expect(try await client.pendingChanges(of: [.adapt(LaterVessel.self)]).isEmpty)
        let vessel = LaterVessel(
            id: 1,
            name: "x",
            tags: ["t"],
            captain: crew[0],
            crew: Set(crew),
            code: nil
        )
        #expect(try await client.findAll(LaterVessel.self) == [vessel])
        try await client.delete(crew[0])
        let left = try await client.find(LaterVessel.self, key: 1)
        #expect(left?.captain == nil && left?.crew == [crew[1]])
        try await client.insert(
            LaterVessel(id: 2, name: nil, tags: [], captain: nil, crew: [], code: UUID())
        )
        // What the stored values have no value for is refused, and what is taken away has to be named.
        let required = try EntityCatalog(
            schemaText: text.replacing("field code uuid optional", with: "field mass double")
                .replacing("index code, name", with: "index mass, name")
        ).entities
        let error = await #expect(throws: DBClientError.self) {
            try await client.migrate(required.map { .adapt($0, removing: ["code"]) })
        }
        #expect(error?.code == .migrationRequired && error?.field == "mass")
        let fewer = try EntityCatalog(
            schemaText: text.split(separator: "\n").filter { !$0.contains("code") }
                .joined(separator: "\n")
        ).entities
        if isSQL {
            #expect(try await client.migrate(fewer.map { .adapt($0) }).isEmpty)
        } else {
            let refusal = await #expect(throws: DBClientError.self) {
                try await client.migrate(fewer.map { .adapt($0) })
            }
            #expect(refusal?.code == .migrationRequired && refusal?.field == "code")
        }
        let removing = fewer.map { Migration.adapt($0, removing: ["code"]) }
        #expect(try await client.migrate(removing).map(\.kinds) == [[.removed(["code"])]])
        let vessels = try await EntityCatalog(storedIn: client).entity(named: "Vessel")
        #expect(try await client.count(DynamicRequest(vessels)) == 2)
    }
}

@Stored private struct Crew: Hashable {
    let id: Int
    var name: String
}

@Stored("Vessel") private struct FormerVessel: Equatable {
    let id: Int
    var name: String
    var tags: [String]
    @Relationship(onDelete: .nullify) var captain: Crew?
    var crew: Set<Crew>
}

@Stored("Vessel") private struct LaterVessel: Equatable {
    static var indexes: [StoredIndex<Self>] { [StoredIndex(\.code, \.name)] }

    let id: Int
    @Indexed var name: String?
    var tags: [String]
    @Relationship(onDelete: .nullify) var captain: Crew?
    var crew: Set<Crew>
    var code: UUID?
}

@Stored("a \"b\", c") private struct OddlyNamed {
    @PrimaryKey @StoredName("d, e") let first: Int
    @PrimaryKey @Unique @StoredName("f optional") let second: Date
}
