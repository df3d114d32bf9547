import DBClientCore
import DBClientTesting
import Testing

/// What becomes of stored views over time: with several clients, versions of a program, and damage.
@Suite(.serialized) struct KeptViewTests {
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

    /// A second client writes, one of another version migrates, and the first is told by its next write.
    @Test(arguments: Backends.chosen.filter { $0.exclusions[.persistence] == nil })
    func otherClientsKeepItOrAreRefused(_ backend: ConformanceBackend) async throws {
        try await withStore(backend) { store in
            let first = try await store.open()
            let second = try await store.open()
            defer {
                try? first.close()
                try? second.close()
            }
            try await first.insert(Self.lines)
            try await second.insert(Ordered.Line(id: 40, category: "s", amount: 4))
            #expect(try await first.find(Ordered.Revenue.self, key: "s")?.total == 4)
            let plain = await #expect(throws: DBClientError.self) {
                try await second.insert(Ordered.PlainLine(id: 41, category: "s", amount: 4))
            }
            #expect(plain?.code == .schemaMismatch)
            var observed = first.observe(Ordered.Revenue.where { $0.category == "s" })
                .makeAsyncIterator()
            _ = try await observed.next()
            try await second.update(Ordered.Line.self, key: 40) { $0.set(\.amount, to: 9) }
            #expect(try await observed.next()?.objects.first?.total == 9)
            try await expectKept(first)
            // Now the second is updated, and the first is not.
            try await second.migrate(to: Ordered.LaterLine.self)
            let former = await #expect(throws: DBClientError.self) {
                try await first.insert(Ordered.Line(id: 42, category: "s", amount: 4))
            }
            #expect(former?.code == .schemaMismatch)
            try await second.insert(Ordered.LaterLine(id: 43, category: "s", amount: 8))
            try await second.verify(Ordered.LaterRevenue.self)
            #expect(try await second.find(Ordered.LaterRevenue.self, key: "s")?.total == 17)
        }
    }

    /// Rows of a view that are changed past all guards are found by `verify`, whichever way they differ.
    @Test(arguments: Backends.chosen)
    func verifyTellsDamage(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            try await client.verify(Ordered.Revenue.self)
            let entity = Ordered.Revenue.schema.entity
            func damage(
                _ change: @escaping @Sendable (any EngineWriter) throws -> Void
            ) async throws {
                try await client.write { transaction in
                    let writer = try #require(
                        try transaction.storeReader as? any EngineWriter
                    )
                    try change(writer)
                    transaction.noteUntrackedWrite()
                }
            }
            func expectDamage(_ key: String) async throws {
                let error = await #expect(throws: DBClientError.self) {
                    try await client.verify(Ordered.Revenue.self)
                }
                #expect(error?.code == .corrupt && error?.entity == "OrderRevenue")
                #expect(error?.key?.contains(key) == true)
                try await client.verify(Ordered.Busy.self)
            }
            let isA = RowCondition.compare(column: 0, .equal, .text("a"), .binary)
            try await damage { _ = try $0.delete(RowQuery(entity, where: isA)) }
            try await expectDamage("a")
            // The next write to the group makes its row what it must be.
            try await client.update(Ordered.Line.self, key: 3) { $0.set(\.amount, to: 1) }
            try await expectKept(client)
            try await damage { writer in
                let name: StaticString = "ghost"
                let text = UnsafeRawBufferPointer(
                    start: name.utf8Start,
                    count: name.utf8CodeUnitCount
                )
                let slots: [Slot] = [.text(text), .integer(1), .integer(1), .null, .null]
                let rows = RowBuffer(entity)
                try slots.withUnsafeBufferPointer { slots in
                    let start = try #require(slots.baseAddress)
                    rows.append(
                        copying: RowBatch(slots: start, columnCount: 5, count: 1, entity: entity)
                    )
                }
                try writer.insert(rows)
            }
            try await expectDamage("ghost")
        }
    }

    /// Explaining a request names the views that it reads, and those that a write keeps.
    @Test(arguments: Backends.chosen)
    func explainNamesViews(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            let read = try await client.explain(Ordered.Revenue.where { $0.total > 3 })
            #expect(read.contains("OrderRevenue is a stored view, kept by each write to OrderLine"))
            let written = try await client.explain(Ordered.Line.where { $0.id == 3 })
            #expect(
                written.contains(
                    "each write to OrderLine keeps the stored views OrderRevenue, OrderBusy, OrderOpen"
                )
            )
            let plain = try await client.explain(Ordered.PlainLine.all)
            #expect(!plain.contains("stored view"))
        }
    }

    /// A property that no view looks at is added without building the views anew.
    @Test(arguments: Backends.chosen)
    func anUnusedPropertyLeavesViewsAsTheyAre(_ backend: ConformanceBackend) async throws {
        try await withClient(backend) { client in
            try await client.insert(Self.lines)
            let changes = try await client.migrate(to: Wider.Line.self)
            #expect(changes.map(\.kinds) == [[.added(["region"])]])
            try await client.verify(Wider.Revenue.self)
            try await client.insert(Wider.Line(id: 60, region: "r", category: "w", amount: 2))
            #expect(try await client.find(Wider.Revenue.self, key: "w")?.total == 2)
            try await client.update(Wider.Line.all) { $0.set(\.region, to: "n") }
            try await client.verify(Wider.Revenue.self)
            try await client.verify(Wider.Busy.self)
            try await client.verify(Wider.Open.self)
        }
    }

    /// A definition is known by its mark in every version of the library: where what is written down changes, so must the
    /// number of the version in `ViewText`, and stores are built anew by a migration.
    @Test func marksStayTheSame() throws {
        let marks = [
            Ordered.Line.schema.entity, Ordered.Revenue.schema.entity, Ordered.Busy.schema.entity,
            Ordered.Open.schema.entity, Sold.Revenue.schema.entity, Sold.Label.schema.entity,
        ]
        .map { $0.views.mark ?? "" }
        #expect(
            marks == [
                "0bf017d8452e9f07", "4ba1137581b91dec", "b1b8ccb926374bc5",
                "3736eabcce3850d6", "5d8c6d74022da236", "d58ae2ef54af9811",
            ]
        )
        #expect(Wider.Line.schema.entity.views.mark == marks[0])
        #expect(Ordered.LaterLine.schema.entity.views.mark != marks[0])
    }
}
