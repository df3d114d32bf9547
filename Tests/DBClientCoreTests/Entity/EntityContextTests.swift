import DBClientCore
import Testing

@Suite("Live rows")
struct EntityContextTests {
    private let client = FakeClient()

    private func insert(_ count: Int) async throws -> Int {
        try await client.insert((0..<count).map { Character(identifier: $0, name: "a") })
        return client.fake.calls.count
    }

    @Test("A flush writes the changed columns of the changed entities alone")
    func writesChangedColumns() async throws {
        let before = try await insert(10)
        try await client.write { transaction in
            let context = try transaction.entities
            let entities = try context.find(Character.self, keys: Array(0..<10))
            try entities[2].set(\Character.name, to: "b")
            try entities[5].set(\Character.power, to: 3)
            try entities[5].set(\Character.isAlive, to: false)
            // Set to what it is, and set back.
            try entities[6].set(\Character.name, to: "a")
            try entities[7].set(\Character.name, to: "c")
            try entities[7].set(\Character.name, to: "a")
        }
        #expect(client.fake.calls[before...] == ["lookUp 10", "set [1]", "set [3, 5]"])
    }

    @Test("New and deleted entities are written in one call each")
    func writesBatches() async throws {
        let before = try await insert(10)
        try await client.write { transaction in
            let context = try transaction.entities
            for entity in try context.find(Character.self, keys: Array(0..<5)) {
                try context.delete(entity)
            }
            for key in 10..<30 { try context.insert(Character(identifier: key, name: "b")) }
            // Never stored.
            try context.delete(context.insert(Character(identifier: 99, name: "c")))
        }
        // The scan reads which relationships the store knows, once for a transaction that deletes.
        #expect(client.fake.calls[before...] == ["lookUp 5", "insert 20", "scan", "delete 5"])
        #expect(try await client.count(Character.all) == 25)
    }

    @Test("Entities in use are not read again, and those out of use are let go")
    func readsOnce() async throws {
        let before = try await insert(3)
        try await client.read { transaction in
            let context = try transaction.entities
            var one = try context.find(Character.self, key: 1)
            let found = try context.find(Character.self, keys: [0, 1, 2])
            #expect(found[1] === one)
            weak let released = one
            one = nil
            _ = found.count
            #expect(released != nil)
        }
        #expect(client.fake.calls[before...] == ["lookUp 1", "lookUp 2"])
        let object = try await client.read { transaction in
            let context = try transaction.entities
            weak let entity = try context.find(Character.self, key: 1)
            return entity == nil
        }
        #expect(object)
    }

    @Test("A transaction that uses no entities makes no call more")
    func costsNothing() async throws {
        let before = try await insert(1)
        try await client.write { transaction in
            _ = try transaction.find(Character.self, key: 0)
            _ = try transaction.entities
        }
        #expect(client.fake.calls[before...] == ["get 1"])
    }
}
