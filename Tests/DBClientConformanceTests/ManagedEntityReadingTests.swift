import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// A line of a chain, kept as one flat row, which looks up the line that comes before it.
struct ChainLink: ManagedEntityConvertible, Equatable {
    let id: Int
    var text: String
    /// Together with the text of the line before.
    var whole: String

    var primaryKey: Int { id }

    init(_ id: Int, _ text: String, whole: String) {
        self.id = id
        self.text = text
        self.whole = whole
    }

    init(storage: ChainRow) {
        self.init(storage.id, storage.text, whole: "")
    }

    func storage(existing: ChainRow?) -> ChainRow {
        ChainRow(id: id, text: text)
    }

    init(entity: ManagedEntity) throws {
        let id = try entity.value(\ChainRow.id)
        let text = try entity.value(\ChainRow.text)
        let before = try entity.context.find(ChainRow.self, key: id - 1)
        self.init(id, text, whole: (try before?.value(\ChainRow.text) ?? "") + text)
    }

    func upsert(in context: EntityContext, existing: ManagedEntity?) throws -> ManagedEntity {
        let entity = try existing ?? context.insert(ChainRow.self, key: id)
        try entity.set(\ChainRow.text, to: text)
        return entity
    }
}

@Stored struct ChainRow: Equatable {
    let id: Int
    var text: String
}

@Suite("Models that read other entities than their own")
struct ManagedEntityReadingTests {
    @Test(
        "A flat model may look others up as it is read",
        arguments: ManagedEntityConvertibleTests.relational
    )
    func lookingUp(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert((1...4).map { ChainRow(id: $0, text: "\($0)") })
        let links = [
            ChainLink(1, "1", whole: "1"), ChainLink(2, "2", whole: "12"),
            ChainLink(3, "3", whole: "23"), ChainLink(4, "4", whole: "34"),
        ]
        // By one row, whose statement was all that the call needed so far, and by several.
        #expect(try await client.find(ChainLink.self, key: 3) == links[2])
        #expect(try client.blocking.find(ChainLink.self, key: 1) == links[0])
        #expect(try await client.find(ChainLink.self, keys: [4, 2]) == [links[3], links[1]])
        #expect(try await client.findAll(ChainLink.self) == links)
        #expect(try client.blocking.fetch(ChainLink.where { $0.text == "2" }) == [links[1]])
        #expect(try await client.fetchOne(ChainLink.where { $0.id > 3 }) == links[3])
        // A body that takes the refusal of its second statement for an answer is not believed.
        let counts = try await client.readOnce { transaction in
            let first = try transaction.count(ChainRow.all)
            return (first, try? transaction.count(ChainRow.where { $0.id > 1 }))
        }
        #expect(counts.0 == 4 && counts.1 == 3)
    }
}
