import DBClientCore
import DBClientTesting
import Synchronization
import Testing

/// Tells by which call of a client a body came, as an engine sees it.
private final class Entrances: DBClientDecorator {
    let base: any DBClient = InMemoryDBClient()
    private let names = Mutex<[String]>([])

    func take() -> [String] {
        names.withLock { names in
            defer { names = [] }
            return names
        }
    }

    private func note(_ name: String = #function) {
        names.withLock { $0.append(String(name.prefix { $0 != "(" })) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        note()
        return try await base.read(body)
    }

    func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        note()
        return try await base.readOnce(body)
    }

    func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
        note()
        return try base.readBlocking(body)
    }

    func readOnceBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
        note()
        return try base.readOnceBlocking(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        note()
        return try await base.write(body)
    }

    func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        note()
        return try await base.writeOnce(body)
    }

    func writeBlocking<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        note()
        return try base.writeBlocking(body)
    }

    func writeOnceBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        note()
        return try base.writeOnceBlocking(body)
    }
}

/// Says of itself nothing but what every decorator must.
private struct Plain: DBClientDecorator {
    let base: any DBClient
}

/// Refuses writes by the calls that every decorator had from the start.
private struct Refusing: DBClientDecorator {
    let base: any DBClient

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        throw DBClientError(.permission, "Not here.")
    }

    func writeBlocking<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        throw DBClientError(.permission, "Not here.")
    }
}

@Suite("Calls by themselves through decorators")
struct SingleCallTests {
    private let store = Entrances()
    private let hero = Character(identifier: 1, name: "Hero")

    /// Makes a call of each kind, and returns how they reached the store.
    private func entrances(through client: any DBClient) async throws -> [String] {
        try await client.upsert(hero)
        try client.blocking.upsert(hero)
        #expect(try await client.find(Character.self, key: 1) == hero)
        #expect(try client.blocking.count(Character.all) == 1)
        return store.take()
    }

    private let single = ["writeOnce", "writeOnceBlocking", "readOnce", "readOnceBlocking"]
    private let whole = ["write", "writeBlocking", "read", "readBlocking"]

    @Test("They reach the store as calls where the decorator has nothing against it")
    func forwarded() async throws {
        #expect(try await entrances(through: RetryingDBClient(store)) == single)
        #expect(try await entrances(through: ValidatingDBClient(store, rules: [])) == single)
        let nested = RetryingDBClient(ValidatingDBClient(RetryingDBClient(store), rules: []))
        #expect(try await entrances(through: nested) == single)
        let reader = ReadOnlyDBClient(store)
        #expect(try await reader.find(Character.self, key: 1) == hero)
        #expect(try reader.blocking.find(Character.self, key: 1) == hero)
        #expect(store.take() == ["readOnce", "readOnceBlocking"])
    }

    @Test("Reads that must be seen once are transactions")
    func seenOnce() async throws {
        let entered = ["writeOnce", "writeOnceBlocking", "read", "readBlocking"]
        #expect(try await entrances(through: SpyDBClient(store)) == entered)
        #expect(try await entrances(through: FailingDBClient(store, atCall: 99)) == entered)
    }

    @Test("A decorator that says nothing of them sees every call as a transaction")
    func transactions() async throws {
        #expect(try await entrances(through: Plain(base: store)) == whole)
        let refusing = Refusing(base: store)
        for write in [
            { try await refusing.insert(hero) }, { try refusing.blocking.insert(hero) },
            { _ = try await refusing.delete(hero) },
        ] as [() async throws -> Void] {
            let failure = await #expect(throws: DBClientError.self) { try await write() }
            #expect(failure?.code == .permission)
        }
        #expect(store.take() == [])
    }

    @Test("Whatever reads by one call is one")
    func everyRead() async throws {
        try await store.base.insert(hero)
        let entity = Character.schema.entity
        let all = DynamicRequest(entity)
        _ = try await store.fetch(all)
        _ = try await store.find(entity, key: [1])
        _ = try await store.count(all)
        _ = try await store.aggregate(.minimum, "identifier", of: all)
        _ = try await store.distinct("name", of: all)
        _ = try await store.fetch(Character.all.select(\.name))
        _ = try await store.fetch(Character.all.grouped(by: \.name).select(.count))
        _ = try await store.findKey(of: Character.self) { $0.name == "Hero" }
        _ = try await store.aggregate(.maximum, of: Character.all) { $0.name }
        _ = try await store.load(Reference<Character>(1))
        #expect(store.take() == Array(repeating: "readOnce", count: 10))
        _ = try store.blocking.fetch(all)
        _ = try store.blocking.find(entity, key: [1])
        _ = try store.blocking.count(all)
        _ = try store.blocking.aggregate(.minimum, "identifier", of: all)
        _ = try store.blocking.distinct("name", of: all)
        _ = try store.blocking.fetch(Character.all.select(\.name))
        _ = try store.blocking.findKey(of: Character.self) { $0.name == "Hero" }
        _ = try store.blocking.aggregate(.maximum, of: Character.all) { $0.name }
        _ = try store.blocking.load(Reference<Character>(1))
        #expect(store.take() == Array(repeating: "readOnceBlocking", count: 9))
    }

    @Test("Transactions stay transactions")
    func wholeTransactions() async throws {
        let hero = hero
        let client = RetryingDBClient(ValidatingDBClient(store, rules: []))
        try await client.write { _ = try $0.upsert([hero]) }
        try client.writeBlocking { _ = try $0.upsert([hero]) }
        #expect(try await client.read { try $0.find(Character.self, key: 1) } == hero)
        #expect(try client.readBlocking { try $0.count(Character.all) } == 1)
        #expect(store.take() == whole)
    }
}
