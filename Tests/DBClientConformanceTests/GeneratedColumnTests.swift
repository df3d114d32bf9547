import DBClientCore
import DBClientSQL
import DBClientTesting
import Foundation
import Testing

/// Columns that the database computes, and keys that it makes and takes none of, on each engine that speaks SQL.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct GeneratedColumnTests {
    private static let backends = Backends.chosen.filter {
        $0.name.hasPrefix("SQLite") || $0.name == "PostgreSQL"
    }
    private static let servers = backends.filter { $0.name == "PostgreSQL" }

    private func withTable(
        of backend: ConformanceBackend,
        _ body: (SQLDBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        if backend.name.hasPrefix("SQLite") {
            try await client.execute(
                """
                CREATE TABLE "OrderLine" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL,
                    "total" INTEGER NOT NULL GENERATED ALWAYS AS ("price" * "count") STORED,
                    "price" INTEGER NOT NULL, "count" INTEGER NOT NULL,
                    "key" TEXT GENERATED ALWAYS AS (lower("name")) VIRTUAL)
                """
            )
        } else {
            try await client.execute(
                """
                CREATE TABLE "OrderLine" ("id" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    "name" text NOT NULL,
                    "total" bigint NOT NULL GENERATED ALWAYS AS ("price" * "count") STORED,
                    "price" bigint NOT NULL, "count" bigint NOT NULL,
                    "key" text GENERATED ALWAYS AS (lower("name")) STORED)
                """
            )
        }
        try await body(client)
    }

    /// A line as it is given, with what is nothing the database would compute.
    private func line(_ id: Int, _ number: Int) -> OrderLine {
        OrderLine(id: id, name: "N\(number)", total: -1, price: number, count: 3, key: "?")
    }

    /// The line as it is stored.
    private func stored(_ id: Int, _ number: Int) -> OrderLine {
        OrderLine(
            id: id,
            name: "N\(number)",
            total: number * 3,
            price: number,
            count: 3,
            key: "n\(number)"
        )
    }

    @Test("Computed values are returned, and not written", arguments: backends, [1, 3, 40, 2_000])
    func everyWrite(_ backend: ConformanceBackend, count: Int) async throws {
        try await withTable(of: backend) { client in
            let inserted = try await client.insert((1...count).map { line(0, $0) })
            let ids = inserted.map(\.id)
            #expect(inserted == zip(ids, 1...count).map { stored($0, $1) })
            #expect(Set(ids).count == count)
            #expect(try await client.findAll(OrderLine.self) == inserted)

            let more = zip(ids, 1...count).map { line($0, $1 + 10) }
            let upserted = try await client.upsert(more + [line(0, 7)])
            #expect(upserted.updated == zip(ids, 1...count).map { stored($0, $1 + 10) })
            #expect(upserted.inserted.map(\.total) == [21])
            try await client.delete(upserted.inserted)

            try await client.update(zip(ids, 1...count).map { line($0, $1 + 20) })
            let updated = try await client.findAll(OrderLine.self)
            #expect(updated == zip(ids, 1...count).map { stored($0, $1 + 20) })

            try await client.update(OrderLine.self, key: ids[0]) { $0.set(\.count, to: 5) }
            #expect(try await client.find(OrderLine.self, key: ids[0])?.total == 21 * 5)
            try await client.update(OrderLine.self, keys: ids) { row, _ in row.set(\.count, to: 4) }
            try await client.update(OrderLine.where { $0.total > 0 }) { $0.set(\.name, to: "AB") }
            #expect(
                try await client.fetch(OrderLine.all).map(\.total)
                    == (1...count).map { ($0 + 20) * 4 }
            )
            let last = OrderLine.where { $0.key == "ab" && $0.total >= 84 }
                .sorted { $0.total.descending }
            #expect(try await client.fetchOne(last)?.price == count + 20)
            #expect(try await client.delete(OrderLine.where { $0.total > 0 }) == count)
        }
    }

    @Test("Observers are told what is computed", arguments: backends)
    func observers(_ backend: ConformanceBackend) async throws {
        try await withTable(of: backend) { client in
            var changes = client.observe(OrderLine.all).makeAsyncIterator()
            func next() async throws -> [OrderLine] {
                guard case .update(let change)? = try await changes.next() else { return [] }
                return Array(change.objects)
            }
            _ = try await changes.next()
            let ids = try await client.insert([line(0, 1), line(0, 2)]).map(\.id)
            #expect(try await next() == [stored(ids[0], 1), stored(ids[1], 2)])
            try await client.update(line(ids[0], 5))
            #expect(try await next().map(\.total) == [15, 6])
            try await client.update(OrderLine.self, key: ids[0]) { $0.set(\.count, to: 10) }
            #expect(try await next().map(\.total) == [50, 6])
            try await client.update(OrderLine.all) { $0.set(\.price, to: 1) }
            #expect(try await next().map(\.total) == [10, 3])
            try await client.upsert([line(ids[0], 9)])
            #expect(
                try await next() == [stored(ids[0], 9)] + [
                    OrderLine(id: ids[1], name: "N2", total: 3, price: 1, count: 3, key: "n2")
                ]
            )
        }
    }

    @Test("To set a computed field is refused", arguments: backends)
    func assignments(_ backend: ConformanceBackend) async throws {
        try await withTable(of: backend) { client in
            let id = try await client.insert(line(0, 1)).id
            let errors = [
                await #expect(throws: DBClientError.self) {
                    try await client.update(OrderLine.self, key: id) { $0.set(\.total, to: 1) }
                },
                await #expect(throws: DBClientError.self) {
                    try await client.update(OrderLine.all) { $0.set(\.total, to: 1) }
                },
                await #expect(throws: DBClientError.self) {
                    try await client.update(OrderLine.self, keys: [id]) { row, _ in
                        row.set(\.total, to: 1)
                    }
                },
            ]
            #expect(errors.allSatisfy { $0?.code == .invalidRequest && $0?.field == "total" })
            #expect(try await client.findAll(OrderLine.self) == [stored(id, 1)])
        }
    }

    @Test("A live row has what is computed", arguments: backends)
    func liveRows(_ backend: ConformanceBackend) async throws {
        try await withTable(of: backend) { client in
            let id = try await client.insert(line(0, 1)).id
            try await client.write { transaction in
                let context = try transaction.entities
                let entity = try #require(try context.find(OrderLine.self, key: id))
                try entity.set(\OrderLine.count, to: 7)
                try context.flush()
                #expect(try entity.value(\OrderLine.total) == 7)
                let made = try context.insert(line(0, 5))
                try context.flush()
                #expect(try made.value(\OrderLine.total) == 15)
                #expect(try made.value(\OrderLine.key) == "n5")
                try entity.set(\OrderLine.price, to: 2)
            }
            let error = await #expect(throws: DBClientError.self) {
                try await client.write { transaction in
                    let entity = try transaction.entities.find(OrderLine.self, key: id)
                    try entity?.set(\OrderLine.total, to: 1)
                }
            }
            #expect(error?.code == .invalidRequest && error?.field == "total")
            #expect(try await client.find(OrderLine.self, key: id)?.total == 14)
        }
    }

    @Test("A program without models leaves computed values out", arguments: backends)
    func withoutModels(_ backend: ConformanceBackend) async throws {
        try await withTable(of: backend) { client in
            let catalog = try await EntityCatalog(storedIn: client)
            let entity = try catalog.entity(named: "OrderLine")
            #expect(entity.keyGeneration == .generated)
            let row = try await client.insert([
                DynamicRow(entity, ["name": "N2", "price": 2, "count": 3])
            ])
            #expect(row.map { $0["total"] } == [6])
            #expect(try await client.findAll(OrderLine.self).map(\.total) == [6])
        }
    }

    @Test("A key is refused where the database makes every key", arguments: servers)
    func givenKeys(_ backend: ConformanceBackend) async throws {
        try await withTable(of: backend) { client in
            let first = try await client.insert(line(0, 1))
            for count in [1, 40] {
                let given = (0..<count).map { line(1_000 + $0, $0) }
                let errors = [
                    await #expect(throws: DBClientError.self) { try await client.insert(given) },
                    await #expect(throws: DBClientError.self) {
                        try await client.upsert(given + [line(first.id, 9)])
                    },
                ]
                #expect(errors.allSatisfy { $0?.code == .invalidValue && $0?.field == "id" })
            }
            #expect(try await client.findAll(OrderLine.self) == [first])
            // Nor was the sequence moved.
            #expect(try await client.insert(line(0, 2)).id < 100)
        }
    }
}

@Stored private struct OrderLine: Equatable {
    @PrimaryKey(.generated) let id: Int
    var name: String
    var total: Int
    var price: Int
    var count: Int
    var key: String?
}
