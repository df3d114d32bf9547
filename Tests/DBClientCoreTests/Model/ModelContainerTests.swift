import DBClientCore
import Testing

@Stored private struct Part: Codable, Hashable {
    let id: Int
}

/// Only its schemas are asked for.
private struct Whole: Stored {
    let id: Int
    var list: [Part]?
    var set: Set<Part>?
    var table: [String: Part]
    var lists: [[Part]]
    var names: [String: [String]]?

    static let schema = Schema<Whole>(
        name: "Whole",
        fields: [.field(\.id, "id", primaryKey: .given)]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        (list, set, table, lists, names) = (nil, nil, [:], [], nil)
    }

    func write(to row: inout RowWriter) throws { try row.write(id) }
}

@Suite struct ModelContainerTests {
    @Test func aCollectionOfModelsThatIsNoRelationshipIsRefused() {
        func failure(_ field: SchemaField<Whole>) -> DBClientError? {
            Schema<Whole>(
                name: "Whole",
                fields: [.field(\.id, "id", primaryKey: .given), field]
            ).entity.failure
        }
        for field: SchemaField<Whole> in [
            .field(\.list, "parts"), .field(\.set, "parts"), .field(\.table, "parts"),
            .field(\.lists, "parts"),
        ] {
            #expect(failure(field)?.code == .invalidSchema)
            #expect(failure(field)?.field == "parts")
        }
        #expect(failure(.field(\.names, "names")) == nil)
    }
}
