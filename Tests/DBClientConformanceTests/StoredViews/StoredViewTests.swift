import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// Views whose rows the commits keep that change them.
@Suite(.serialized) struct StoredViewTests {
    private static let lines = (1...30).map {
        Ordered.Line(id: $0, category: ["a", "b", "c"][$0 % 3], amount: $0 % 7)
    }

    private func withStore(
        _ backend: ConformanceBackend,
        _ body: (ConformanceStore) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        try await body(store)
    }

    private func withClient(
        _ backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        try await withStore(backend) { store in
            let client = try await store.open()
            defer { try? client.close() }
            try await body(client)
        }
    }

    @Test(arguments: Backends.chosen)
    func followsEveryKindOfWrite(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            #expect(try await client.count(Ordered.Revenue.all) == 0)
            try await client.insert(Self.lines)
            try await expectKept(client)
            #expect(try await client.count(Ordered.Revenue.all) == 3)
            try await client.update(Ordered.Line.self, key: 4) { $0.set(\.category, to: "d") }
            try await expectKept(client)
            try await client.update(Ordered.Line.where { $0.category == "a" }) {
                $0.set(\.isOpen, to: false)
            }
            try await expectKept(client)
            try await client.update(Ordered.Line.where { $0.amount > 3 }) {
                $0.set(\.amount) { $0.amount + 1 }
            }
            try await expectKept(client)
            try await client.upsert([
                Ordered.Line(id: 5, category: "e", amount: 9, weight: 0.1),
                Ordered.Line(id: 50, category: "a", amount: 1, weight: 0.2),
            ])
            try await expectKept(client)
            try await client.delete(Ordered.Line.where { $0.category == "b" })
            try await expectKept(client)
            #expect(try await client.find(Ordered.Revenue.self, key: "b") == nil)
            try await client.delete(Ordered.Line.self, keys: [5, 50])
            try await expectKept(client)
            try await client.delete(Ordered.Line.all)
            #expect(try await client.count(Ordered.Revenue.all) == 0)
            #expect(try await client.count(Ordered.Open.all) == 0)
        }
    }

    @Test(arguments: Backends.chosen)
    func isAsWrittenInsideItsTransaction(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            try await client.write { transaction in
                try transaction.insert(Ordered.Line(id: 40, category: "z", amount: 3))
                #expect(try transaction.find(Ordered.Revenue.self, key: "z")?.total == 3)
                #expect(throws: Undone.self) {
                    try transaction.write { nested in
                        try nested.insert(Ordered.Line(id: 41, category: "z", amount: 4))
                        #expect(try nested.find(Ordered.Revenue.self, key: "z")?.total == 7)
                        try nested.delete(Ordered.Line.where { $0.category == "a" })
                        #expect(try nested.find(Ordered.Revenue.self, key: "a") == nil)
                        throw Undone()
                    }
                }
                #expect(try transaction.find(Ordered.Revenue.self, key: "z")?.total == 3)
                #expect(try transaction.find(Ordered.Revenue.self, key: "a") != nil)
                try transaction.write { nested in
                    try nested.insert(Ordered.Line(id: 42, category: "y", amount: 4))
                }
            }
            try await expectKept(client)
            _ = try? await client.write { transaction in
                try transaction.delete(Ordered.Line.all)
                throw Undone()
            }
            try await expectKept(client)
            #expect(try await client.find(Ordered.Revenue.self, key: "y")?.lines == 1)
        }
    }

    @Test(arguments: Backends.chosen)
    func isWrittenByTheLibraryAlone(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            let view = Ordered.Open(id: 99, category: "x", doubled: 1)
            let error = await #expect(throws: DBClientError.self) { try await client.insert(view) }
            #expect(error?.code == .readOnly && error?.entity == "OrderOpen")
            let deletion = await #expect(throws: DBClientError.self) {
                try await client.delete(Ordered.Revenue.all)
            }
            #expect(deletion?.code == .readOnly)
            try await expectKept(client)
        }
    }

    /// Another program, or another version of this one, must not write rows of which it keeps no views.
    @Test(arguments: Backends.chosen)
    func othersAreRefused(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            let line = Ordered.PlainLine(id: 60, category: "p", amount: 1)
            let plain = await #expect(throws: DBClientError.self) { try await client.insert(line) }
            #expect(plain?.code == .schemaMismatch)
            let update = await #expect(throws: DBClientError.self) {
                try await client.update(Ordered.PlainLine.all) { $0.set(\.amount, to: 1) }
            }
            #expect(update?.code == .schemaMismatch)
            let later = await #expect(throws: DBClientError.self) {
                try await client.delete(Ordered.LaterLine.self, keys: [1])
            }
            #expect(later?.code == .schemaMismatch)
            #expect(try await client.count(Ordered.PlainLine.all) == 30)
            if client is SQLDBClient {
                // Before and after the transaction itself has written.
                for writesFirst in [false, true] {
                    let error = await #expect(throws: DBClientError.self) {
                        try await client.write { transaction in
                            if writesFirst {
                                try transaction.update(Ordered.Line.self, key: 1) {
                                    $0.set(\.amount, to: 1)
                                }
                            }
                            try transaction.execute("DELETE FROM \"OrderLine\" WHERE \"id\" = 2")
                        }
                    }
                    #expect(error?.code == .schemaMismatch)
                }
                let view = await #expect(throws: DBClientError.self) {
                    try await client.execute("UPDATE \"OrderRevenue\" SET \"total\" = 1")
                }
                #expect(view?.code == .schemaMismatch)
            }
            try await expectKept(client)
        }
    }

    @Test(arguments: Backends.chosen)
    func manyStoredRowsNeedAMigration(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(
                (1...10_001).map {
                    Ordered.PlainLine(id: $0, category: "\($0 % 10)", amount: $0 % 7)
                }
            )
            let read = await #expect(throws: DBClientError.self) {
                try await client.fetch(Ordered.Revenue.all)
            }
            #expect(read?.code == .migrationRequired)
            let write = await #expect(throws: DBClientError.self) {
                try await client.insert(Ordered.Line(id: 20_000, category: "n", amount: 1))
            }
            #expect(write?.code == .migrationRequired)
            let steps = [Migration.adapt(Ordered.Line.self), .adapt(Ordered.Revenue.self)]
            let pending = try await client.pendingChanges(of: steps)
            #expect(
                pending.map(\.kinds) == [[.viewed(["OrderRevenue", "OrderBusy", "OrderOpen"])]]
            )
            #expect(try await client.migrate(steps).count == 1)
            try await expectKept(client)
            #expect(try await client.migrate(steps).isEmpty)
            try await client.insert(Ordered.Line(id: 20_000, category: "n", amount: 1))
            try await expectKept(client)
        }
    }

    /// Few rows are the write's to build views of.
    @Test(arguments: Backends.chosen)
    func aWriteBuildsViewsOfFewRows(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(
                (1...20).map { Ordered.PlainLine(id: $0, category: "\($0 % 3)", amount: $0) }
            )
            // What a savepoint builds is undone with it.
            try await client.write { transaction in
                #expect(throws: Undone.self) {
                    try transaction.write { nested in
                        try nested.insert(Ordered.Line(id: 21, category: "x", amount: 1))
                        throw Undone()
                    }
                }
                try transaction.insert(Ordered.Line(id: 22, category: "x", amount: 2))
            }
            try await expectKept(client)
            #expect(try await client.find(Ordered.Revenue.self, key: "x")?.total == 2)
        }
    }

    @Test(arguments: Backends.chosen)
    func aChangedDefinitionIsBuiltByAMigration(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            let read = await #expect(throws: DBClientError.self) {
                try await client.fetch(Ordered.LaterRevenue.all)
            }
            #expect(read?.code == .migrationRequired)
            let changes = try await client.migrate(to: Ordered.LaterLine.self)
            #expect(changes.map(\.kinds) == [[.viewed(["OrderRevenue"])]])
            try await client.verify(Ordered.LaterRevenue.self)
            try await client.insert(Ordered.LaterLine(id: 70, category: "l", amount: 6))
            #expect(try await client.find(Ordered.LaterRevenue.self, key: "l")?.total == 6)
            // Now the former version is the one that is refused.
            let former = await #expect(throws: DBClientError.self) {
                try await client.insert(Ordered.Line(id: 71, category: "l", amount: 6))
            }
            #expect(former?.code == .schemaMismatch)
            let formerRead = await #expect(throws: DBClientError.self) {
                try await client.fetch(Ordered.Revenue.all)
            }
            #expect(formerRead?.code == .migrationRequired)
            // What no model names any more is kept no longer.
            let unkept = await #expect(throws: DBClientError.self) {
                try await client.fetch(Ordered.Open.all)
            }
            #expect(unkept?.code == .migrationRequired)
            try await client.migrate(to: Ordered.Line.self)
            try await expectKept(client)
        }
    }

    @Test(arguments: Backends.chosen)
    func isObserved(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            let request = Ordered.Revenue.where { $0.total > 0 }
            var observed = client.observe(request).makeAsyncIterator()
            _ = try await observed.next()
            try await client.insert(Ordered.Line(id: 80, category: "w", amount: 5))
            let change = try await observed.next()
            let values = change.map { Array($0.objects) } ?? []
            let added = values.first { $0.category == "w" }
            #expect(added?.total == 5)
            let fresh = try await client.fetch(request)
            #expect(values == fresh)
        }
    }

    @Test func isRefusedWhereItCannotBeKept() async throws {
        let client = InMemoryDBClient()
        let limited = await #expect(throws: DBClientError.self) {
            try await client.insert(Unkept.Limited(id: 1))
        }
        #expect(limited?.code == .invalidSchema && limited?.entity == "LimitedView")
        let keyed = await #expect(throws: DBClientError.self) {
            try await client.insert(Unkept.Keyed(id: 1, category: "a"))
        }
        #expect(keyed?.code == .invalidSchema && keyed?.entity == "KeyedView")
        let unnamed = await #expect(throws: DBClientError.self) {
            try await client.fetch(Unkept.UnnamedView.all)
        }
        #expect(unnamed?.code == .invalidSchema && unnamed?.entity == "UnnamedView")
    }

    /// What of a copy is a view to its program, is built there anew.
    @Test(arguments: Backends.chosen)
    func aCopyIsBuiltAnew(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            let source = InMemoryDBClient()
            try await source.insert(Self.lines)
            try await client.copy(Ordered.PlainLine.self, from: source)
            try await client.migrate(to: Ordered.Line.self)
            try await expectKept(client)
        }
    }

    /// A store that is opened again has its views.
    @Test(arguments: Backends.chosen.filter { $0.exclusions[.persistence] == nil })
    func staysWithTheStore(_ backend: ConformanceBackend) async throws {
        try await withStore(backend) { store in
            for round in 0..<3 {
                let client = try await store.open()
                try await client.insert(
                    Ordered.Line(id: round, category: "\(round % 2)", amount: round)
                )
                try await expectKept(client)
                #expect(try await client.count(Ordered.Open.all) == round + 1)
                try client.close()
            }
        }
    }
}

struct Undone: Error {}

/// Expects each view to be what its definition comes to.
func expectKept(_ client: any DBClient) async throws {
    try await client.verify(Ordered.Revenue.self)
    try await client.verify(Ordered.Busy.self)
    try await client.verify(Ordered.Open.self)
    let (stored, fresh) = try await client.read { transaction in
        (
            try transaction.fetch(Ordered.Revenue.all.sorted { $0.category }),
            try transaction.fetch(Ordered.Revenue.definition)
        )
    }
    #expect(stored == fresh)
}
