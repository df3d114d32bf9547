import DBClientCore
import DBClientTesting
import Synchronization
import Testing

private struct Nameless: Error {}

/// A client whose transactions fail some times before they run.
private final class BusyClient: DBClientDecorator {
    let base: any DBClient = InMemoryDBClient()
    let failures: Mutex<[DBClientError.Code]>
    let tries = Mutex(0)

    init(_ failures: [DBClientError.Code]) {
        self.failures = Mutex(failures)
    }

    private func fail() throws {
        tries.withLock { $0 += 1 }
        let code = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let code { throw DBClientError(code, "It is made to fail.") }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try fail()
        return try await base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try fail()
        return try await base.write(body)
    }

    func writeBlocking<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        try fail()
        return try base.writeBlocking(body)
    }
}

@Suite("Decorators")
struct DecoratorTests {
    private let store = InMemoryDBClient()
    private let heroes = (1...3).map { Character(identifier: $0, name: "Hero \($0)") }

    private var validating: ValidatingDBClient {
        ValidatingDBClient(
            store,
            rules: [.rule(Character.self) { if $0.name.isEmpty { throw Nameless() } }]
        )
    }

    @Test("What results read of their snapshot goes through the decorators")
    func results() async throws {
        try await store.insert(heroes)
        let spy = SpyDBClient(ReadOnlyDBClient(store))
        // A snapshot that outlives a busy machine: without it the keys would be read once more.
        let lasting = FetchedResultsOptions(maximumSnapshotAge: .seconds(3_600))
        let results = try await spy.results(of: Character.all, options: lasting)
        _ = try results[2]
        _ = try results.values(in: 0..<2)
        #expect(spy.calls.map(\.kind) == [.select, .find, .find])
        let failing = FailingDBClient(store, atCall: 2)
        let some = try await failing.results(of: Character.all, options: lasting)
        #expect(throws: DBClientError.self) { try some[0] }
        #expect(try some[0] == heroes[0])
    }

    @Test("A client that only reads refuses every write, however it is asked")
    func readOnly() async throws {
        try await store.insert(heroes)
        let client = ReadOnlyDBClient(store)
        #expect(try await client.findAll(Character.self) == heroes)
        #expect(try client.blocking.count(Character.all) == 3)
        #expect(try await client.fetch(Character.all.select(\.identifier)) == [1, 2, 3])
        func code(_ body: () async throws -> Void) async -> DBClientError.Code? {
            await #expect(throws: DBClientError.self) { try await body() }?.code
        }
        #expect(await code { try await client.insert(heroes) } == .readOnly)
        #expect(await code { try client.blocking.deleteAll(Character.self) } == .readOnly)
        #expect(await code { try await client.run(.deleteAll(Character.self)) } == .readOnly)
        let row = try DynamicRow(Character.schema.entity, ["identifier": 9])
        #expect(await code { try await client.insert([row]) } == .readOnly)
        // A read that has joined a write must not reach the writer through the back door.
        try store.writeBlocking { outer in
            try client.readBlocking { (inner) throws -> Void in
                #expect(throws: DBClientError.self) { try inner.engineReader }
                #expect(throws: DBClientError.self) { try inner.storeReader }
                #expect(!(inner is WriteTransaction) && !inner.writesRows)
                #expect(try inner.count(Character.all) == 3)
            }
            try outer.insert(Character(identifier: 4, name: "x"))
        }
        #expect(try await client.count(Character.all) == 4)
    }

    @Test("Values are checked before they are stored")
    func validation() async throws {
        let client = validating
        try await client.insert(heroes)
        let nameless = Character(identifier: 2, name: "")
        await #expect(throws: Nameless.self) { try await client.insert([nameless]) }
        await #expect(throws: Nameless.self) { try await client.update(nameless) }
        await #expect(throws: Nameless.self) { try await client.updateExisting([nameless]) }
        await #expect(throws: Nameless.self) { try await client.upsert(nameless) }
        await #expect(throws: Nameless.self) {
            try await client.update(Character.self, key: 1) { $0.set(\.name, to: "") }
        }
        await #expect(throws: Nameless.self) {
            try await client.update(Character.where { $0.name.hasPrefix("Hero") }) {
                $0.set(\.name, to: "")
            }
        }
        await #expect(throws: Nameless.self) {
            try await client.run(.modify(Character.self, key: 3) { $0.name = "" })
        }
        try await client.write { transaction in
            #expect(throws: Nameless.self) {
                try transaction.write { nested in
                    try nested.insert(Character(identifier: 8, name: "ok"))
                    try nested.insert(nameless)
                }
            }
        }
        #expect(try await store.findAll(Character.self) == heroes)
        try await client.update(Character.self, key: 1) { $0.set(\.name, to: "new") }
        #expect(try await store.find(Character.self, key: 1)?.name == "new")
    }

    @Test("Nothing is written past the rules")
    func validationOfRows() async throws {
        let client = validating
        try await client.insert(heroes)
        let entity = Character.schema.entity
        let failure = await #expect(throws: DBClientError.self) {
            try await client.update(entity, key: [1], set: ["name": ""])
        }
        #expect(failure?.code == .readOnly)
        #expect(try await client.find(entity, key: [1])?["name"] == "Hero 1")
        let names = try await client.write { try $0.fetch(Character.all.select(\.name)) }
        #expect(names == heroes.map(\.name))
    }

    @Test("A transaction runs again as long as the policy says")
    func retry() async throws {
        let policy = RetryingDBClient.Policy(attempts: 3, delay: .microseconds(1))
        for (failures, isWrite, tries, succeeds) in [
            ([DBClientError.Code.busy, .transactionConflict], true, 3, true),
            ([.busy, .busy, .busy], true, 3, false),
            ([.connectionLost], true, 1, false),
            ([.connectionLost, .timeout], false, 3, true),
            ([.duplicateKey], true, 1, false),
        ] {
            let busy = BusyClient(failures)
            let client = RetryingDBClient(busy, policy: policy)
            let error: (any Error)? = await {
                do {
                    if isWrite {
                        try await client.insert(heroes)
                    } else {
                        _ = try await client.count(Character.all)
                    }
                    return nil
                } catch { return error }
            }()
            #expect((error == nil) == succeeds)
            #expect(busy.tries.withLock { $0 } == tries)
        }
        let busy = BusyClient([.busy])
        try RetryingDBClient(busy, policy: policy).blocking.insert(heroes)
        #expect(busy.tries.withLock { $0 } == 2)
    }

    @Test("Live rows are reached through decorators, but not past rules")
    func liveRows() async throws {
        let client = SpyDBClient(RetryingDBClient(store))
        try await client.insert(heroes)
        try await client.write { transaction in
            try transaction.entities.find(Character.self, key: 1)?.set(\Character.name, to: "live")
        }
        #expect(try await store.find(Character.self, key: 1)?.name == "live")
        let checking = validating
        let failure = await #expect(throws: DBClientError.self) {
            try await checking.write { _ = try $0.entities }
        }
        #expect(failure?.code == .unsupported)
    }

    @Test("What a decorator does not change reaches the engine's own verbs")
    func forwarding() throws {
        let store = FakeClient()
        let client = ReadOnlyDBClient(store)
        try client.blocking.read { transaction in
            let reader = try transaction.engineReader
            let entity = Character.schema.entity
            let keys = RowBuffer(entity, columns: entity.primaryKey)
            try reader.lookUp(entity, keys: keys.batch) { _ in }
        }
        #expect(store.fake.calls.contains { $0.hasPrefix("lookUp") })
    }

    @Test("A decorated client is observed as the store behind it")
    func observation() async throws {
        let client = RetryingDBClient(ReadOnlyDBClient(SpyDBClient(store)))
        var changes = client.observe(Character.all).makeAsyncIterator()
        guard case .initial(let before) = try await changes.next() else {
            Issue.record("There is no initial result.")
            return
        }
        #expect(before.isEmpty)
        try await validating.insert(heroes)
        guard case .update(let change) = try await changes.next() else {
            Issue.record("There is no change.")
            return
        }
        #expect(change.insertions == [0, 1, 2])
    }

    @Test("Decorators compose, and closing reaches the store")
    func composition() async throws {
        let spy = SpyDBClient(validating)
        let client = RetryingDBClient(ReadOnlyDBClient(spy))
        try await spy.insert(heroes)
        await #expect(throws: Nameless.self) {
            try await spy.upsert(Character(identifier: 9, name: ""))
        }
        #expect(try await client.count(Character.where { $0.name == "Hero 1" }) == 1)
        #expect(
            spy.calls.map(\.shape) == [
                "insert Character (3)", "upsert Character (1)", "count Character where name = ?",
            ]
        )
        try client.close()
        let failure = await #expect(throws: DBClientError.self) {
            try await store.count(Character.all)
        }
        #expect(failure?.code == .closed)
    }
}
