import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// A table whose partitions are on four other servers.
@Suite(
    .serialized,
    .enabled(if: Shards.areThere, "It needs a server, and the extension postgres_fdw.")
)
struct ShardTests {
    /// One set of servers for all: to make a database takes longer than what is done with it.
    @Test("A table on four servers is read, written, totalled and observed like any other")
    func promises() async throws {
        try await Shards.with { shards in
            let steps: [(Shards) async throws -> Void] = [
                { try await rows($0, 3) }, { try await rows($0, 40) }, takenKey, reports,
            ]
            for step in steps {
                try await step(shards)
                try await Shards.run(["DELETE FROM \"Happening\""], at: shards.url)
            }
            try await tenants(shards)
            try await routes(shards)
            try await observation(shards)
            try await unnamed(shards)
            try await wrongKeys(shards)
        }
    }

    /// Rows are inserted, read by key, replaced, updated and deleted.
    private func rows(_ shards: Shards, _ count: Int) async throws {
        let client = try await shards.client()
        let events = try await client.insert(
            (0..<count).map { Happening(tenant: $0 % 3, "e\($0)") }
        )
        #expect(Set(events.map(\.id)).count == count)
        #expect(try await client.find(Happening.self, key: events[1].id) == events[1])
        #expect(try await client.find(Happening.self, keys: events.map(\.id)).count == count)

        let known = events.map { Happening($0.id, tenant: $0.tenant, "replaced") }
        let new = (0..<count).map { Happening(1_000 + $0, tenant: 9, "new") }
        let outcome = try await client.upsert(known + new)
        #expect(outcome.updated.count == count)
        #expect(outcome.inserted.count == count)
        #expect(try await client.upsert(Happening(1_000, tenant: 9, "again")).isUpdated)
        #expect(try await !client.upsert(Happening(5_000, tenant: 9, "once")).isUpdated)

        try await client.update(known.map { Happening($0.id, tenant: 7, "updated") })
        #expect(try await client.count(Happening.where { $0.tenant == 7 }) == count)
        #expect(try await client.delete(Happening.self, keys: new.map(\.id)) == count)
        #expect(try await client.count(Happening.all) == count + 1)
        let later = try await client.insert(Happening(tenant: 1, "later"))
        #expect(later.id > 5_000)
        if count > 16 { #expect(try await shards.counts(Happening.self).allSatisfy { $0 > 0 }) }
        try client.close()
    }

    /// A key that a shard has is reported as on any table.
    private func takenKey(_ shards: Shards) async throws {
        let client = try await shards.client()
        try await client.insert(Happening(40, tenant: 1, "first"))
        for others in [0, 30] {
            do {
                try await client.insert(
                    (0...others).map {
                        Happening($0 == others ? 40 : 100 + $0, tenant: 2, "second")
                    }
                )
                Issue.record("The key was taken twice.")
            } catch let error as DBClientError {
                #expect(error.code == .duplicateKey)
                #expect(error.key == "40")
                #expect(error.field == "id")
            }
        }
        #expect(try await client.fetch(Happening.all) == [Happening(40, tenant: 1, "first")])
        try client.close()
    }

    /// Requests, totals and groups are of all shards, one snapshot for each.
    private func reports(_ shards: Shards) async throws {
        let client = try await shards.client()
        try await client.insert((0..<120).map { Happening(tenant: $0 % 4, "e\($0 % 10)") })
        #expect(try await client.count(Happening.where { $0.text == "e3" }) == 12)
        #expect(try await client.sum(\.tenant, of: Happening.all) == 180)
        #expect(try await client.distinct(\.text, of: Happening.all).count == 10)
        let first = try await client.fetch(Happening.all.sorted { $0.id }.limit(5))
        #expect(first.map(\.text) == ["e0", "e1", "e2", "e3", "e4"])
        try client.close()
    }

    /// Observers are told, of this program's writes and by a journal of another's.
    private func observation(_ shards: Shards) async throws {
        let client = try await shards.client()
        try await client.installPostgreSQLJournal(for: Happening.self)
        let count = ObservedValue(client.observeCount(Happening.all))
        try await count.settle(0)
        try await client.insert((0..<20).map { Happening(tenant: $0, "own") })
        try await count.settle(20)
        try await Shards.run(
            ["INSERT INTO \"Happening\" (\"tenant\", \"text\") VALUES (1, 'foreign')"],
            at: shards.url
        )
        try await count.settle(21)
        try client.close()
    }

    /// A model with a shard key needs no word in the configuration, and one value of it is on one shard.
    private func tenants(_ shards: Shards) async throws {
        let client = try await shards.client([:])
        let patrons = (1...16).flatMap { tenant in
            (1...3).map { Patron(tenant: tenant, id: $0, name: "p\($0)") }
        }
        try await client.insert(patrons)
        let sales = patrons.map { Sale($0.tenant, $0.id, patron: $0.id, $0.tenant * 10 + $0.id) }
        try await client.insert(sales)
        #expect(try await shards.counts(Sale.self).allSatisfy { $0 > 0 && $0 % 3 == 0 })
        #expect(try await shards.counts(Sale.self) == shards.counts(Patron.self))
        #expect(try await client.find(Sale.self, keys: sales.map(\.primaryKey)) == sales)
        #expect(await code { try await client.insert(sales[5]) } == .duplicateKey)
        let outcome = try await client.upsert([sales[0], Sale(1, 4, patron: nil, 4)])
        #expect(outcome.updated == [sales[0]] && outcome.inserted.count == 1)
        #expect(
            await code {
                var sale = sales[0]
                sale.patron = Reference(to: patrons[5])
                try await client.update(sale)
            } == .invalidValue
        )
        let report = Sale.join(\.patron).where { sale, _ in sale.tenant == 2 }
        #expect(try await client.fetch(report.select { $1.name }) == ["p1", "p2", "p3"])
        let groups = try await client.fetch(
            Sale.where { $0.patron.name == "p2" }.grouped(by: \.tenant).select(.sum(\.amount))
        )
        #expect(groups.map(\.values) == (1...16).map { $0 * 10 + 2 })
        #expect(try await client.delete(Sale.self, key: Sale(1, 4, patron: nil, 4).primaryKey))
        try client.close()
    }

    /// What names the shard key, by itself or by what follows from the request, is asked of one shard, and `explain` says
    /// what is not.
    private func routes(_ shards: Shards) async throws {
        let client = try await shards.client()
        let key = Sale.PrimaryKey(tenant: 3, id: 1)
        let patron = Reference<Patron>(Patron.PrimaryKey(tenant: 3, id: 1))
        let few = (1...3).map { Sale.PrimaryKey(tenant: 3, id: $0) }
        let units: [@Sendable (WriteTransaction) throws -> Void] = [
            { _ = try $0.find(Sale.self, key: key) },
            { _ = try $0.find(Sale.self, keys: few) },
            { try $0.update(Sale(3, 1, patron: 1, 31)) },
            { try $0.insert(Sale(3, 9, patron: 1, 9)) },
            { _ = try $0.upsert([Sale(3, 9, patron: 2, 9)]) },
            { _ = try $0.delete(Sale.self, key: Sale.PrimaryKey(tenant: 3, id: 9)) },
            { _ = try $0.fetch(Sale.where { $0.patron == patron }) },
            { _ = try $0.sum(\.amount, of: Sale.where { $0.patron.tenant == 3 }) },
            { _ = try $0.fetch(Sale.where { $0.tenant == 3 && $0.patron.name == "p1" }) },
            {
                let buyers = Patron.where {
                    $0.tenant == 3 && $0.inverse(of: \Sale.patron).contains { $0.amount > 31 }
                }
                _ = try $0.fetch(buyers)
            },
            {
                let joined = Sale.join(\.patron).where { sale, _ in sale.tenant == 3 }
                _ = try $0.fetch(joined.select { ($0.amount, $1.name) })
            },
            {
                let buyers = Patron.where {
                    $0.tenant == 3 && $0.inverse(of: \Sale.patron).sum(\.amount) > 31
                }
                _ = try $0.fetch(buyers)
            },
            { _ = try $0.update(Sale.where { $0.patron == patron }) { $0.set(\.amount, to: 31) } },
            {
                let sorted = Sale.where { $0.tenant == 3 && $0.amount > 0 }.sorted {
                    [$0.patron.name.descending, $0.amount]
                }
                let found = try $0.fetch(sorted.limit(2)).map(\.id)
                #expect(found == [3, 2])
            },
        ]
        for (index, unit) in units.enumerated() {
            #expect(try await shards.asked(unit) == 1, "unit \(index)")
        }
        #expect(try await shards.asked { _ = try $0.count(Sale.all) } == Shards.count)

        let all = try await client.explain(Sale.where { $0.amount > 5 })
        #expect(all.contains("Every shard is asked for \"Sale\""))
        let one = try await client.explain(
            Sale.where { $0.patron == patron && $0.patron.name == "p1" }
        )
        #expect(!one.contains("Every shard") && !one.contains("Append"))
        let joined = try await client.explain(Sale.join(\.patron))
        #expect(joined.contains("for \"Sale\"") && joined.contains("for \"Patron\""))
        let sorted = Sale.where { $0.tenant == 3 }.sorted { $0.patron.name }
        #expect(try await client.fetch(sorted).map(\.id) == [1, 2, 3])
        #expect(try await !client.explain(sorted).contains("Every shard"))
        // Of two shards the sort is worked out on every one.
        for request in [Sale.where { $0.tenant.isIn([3, 4]) }, Sale.all] {
            let sorted = request.sorted { $0.patron.name }
            #expect(try await client.explain(sorted).contains("for \"Patron\""))
        }
        try client.close()
    }

    /// Without a word in the configuration the table is read, and not written.
    private func unnamed(_ shards: Shards) async throws {
        let client = try await shards.client([:])
        #expect(try await client.count(Happening.all) == 21)
        #expect(
            await code { try await client.insert(Happening(1, tenant: 1, "a")) }
                == .schemaMismatch
        )
        try client.close()
    }

    /// A key that shards cannot keep unique is refused, with what it must have.
    private func wrongKeys(_ shards: Shards) async throws {
        func message(_ tables: [String: [String]]) async throws -> String {
            let client = try await shards.client(tables)
            defer { try? client.close() }
            do {
                try await client.insert(Happening(1, tenant: 1, "a"))
                return ""
            } catch let error as DBClientError {
                #expect(error.code == .schemaMismatch)
                return error.message
            }
        }
        #expect(
            try await message(["Happening": ["tenant"]]).contains(
                "by which it is partitioned, id"
            )
        )
        // A partition of the server itself, without an index over the key.
        try await Shards.run(
            [
                "DROP FOREIGN TABLE \"Happening_0\"",
                """
                CREATE TABLE "Happening_0" PARTITION OF "Happening"
                FOR VALUES WITH (MODULUS 4, REMAINDER 0)
                """,
            ],
            at: shards.url
        )
        #expect(try await message(["Happening": ["id"]]).contains("Happening_0 has none"))
        try await Shards.run(
            ["CREATE UNIQUE INDEX ON \"Happening_0\" (\"id\")"],
            at: shards.url
        )
        #expect(try await message(["Happening": ["id"]]) == "")
    }

    @Test("What the servers behind a table cost", .enabled(if: Server.isLong))
    func costs() async throws {
        try await Shards.with { shards in
            let client = try await shards.client()
            let one = try await SQLDBClient.postgreSQL(shards.url)
            try await one.insert(Single(tenant: 0, "warm"))
            try await client.insert(Happening(tenant: 0, "warm"))
            let clock = ContinuousClock()
            func measure(
                _ name: String,
                _ times: Int,
                _ body: (Int) async throws -> Void
            ) async throws {
                var durations: [Duration] = []
                for index in 0..<times {
                    durations.append(try await clock.measure { try await body(index) })
                }
                print("\(name): \(durations.sorted()[times / 2])")
            }
            let bulk = 10_000
            try await measure("insert of 10,000, sharded", 3) { _ in
                try await client.insert((0..<bulk).map { Happening(tenant: $0 % 50, "e") })
            }
            try await measure("insert of 10,000, one table", 3) { _ in
                try await one.insert((0..<bulk).map { Single(tenant: $0 % 50, "e") })
            }
            try await measure("insert, sharded", 200) { _ in
                try await client.insert(Happening(tenant: 1, "e"))
            }
            try await measure("insert, one table", 200) { _ in
                try await one.insert(Single(tenant: 1, "e"))
            }
            try await measure("find by key, sharded", 200) { index in
                _ = try await client.find(Happening.self, key: index + 2)
            }
            try await measure("find by key, one table", 200) { index in
                _ = try await one.find(Single.self, key: index + 2)
            }
            try await measure("find of 20 keys, sharded", 50) { index in
                _ = try await client.find(Happening.self, keys: (index..<index + 20).map { $0 })
            }
            try await measure("find of 20 keys, one table", 50) { index in
                _ = try await one.find(Single.self, keys: (index..<index + 20).map { $0 })
            }
            try await measure("sum over 30,000, sharded", 20) { _ in
                _ = try await client.sum(\.tenant, of: Happening.all)
            }
            try await measure("sum over 30,000, one table", 20) { _ in
                _ = try await one.sum(\.tenant, of: Single.all)
            }
            try await measureTenants(shards, measure)
            let count = ObservedValue(client.observeCount(Happening.all))
            var expected = try await client.count(Happening.all)
            try await count.settle(expected)
            try await measure("insert until the observer of a count has it, sharded", 50) { _ in
                try await client.insert(Happening(tenant: 1, "e"))
                expected += 1
                try await count.settle(expected)
            }
            try one.close()
            try client.close()
        }
    }
}

extension ShardTests {
    /// The same of rows that are spread by their tenant, each with and without its shard key.
    private func measureTenants(
        _ shards: Shards,
        _ measure: (String, Int, (Int) async throws -> Void) async throws -> Void
    ) async throws {
        let client = try await shards.client([:])
        let patrons = (0..<5_000).map { Patron(tenant: $0 % 50, id: $0, name: "p\($0 % 100)") }
        try await client.insert(patrons)
        try await measure("insert of 10,000 of 50 tenants", 3) { round in
            try await client.insert(
                (0..<10_000).map {
                    Sale($0 % 50, $0 + round * 10_000, patron: $0 % 5_000, $0)
                }
            )
        }
        try await measure("insert of a tenant's", 200) { index in
            try await client.insert(Sale(index % 50, 100_000 + index, patron: nil, index))
        }
        try await measure("find of a tenant's by key", 200) { index in
            _ = try await client.find(
                Sale.self,
                key: Sale.PrimaryKey(tenant: index % 50, id: index)
            )
        }
        try await measure("sum of one tenant", 50) { index in
            _ = try await client.sum(\.amount, of: Sale.where { $0.tenant == index % 50 })
        }
        try await measure("sum of all tenants", 20) { _ in
            _ = try await client.sum(\.amount, of: Sale.all)
        }
        try await measure("count by the name of what one tenant's refer to", 50) { index in
            _ = try await client.count(
                Sale.where { $0.tenant == index % 50 && $0.patron.name == "p7" }
            )
        }
        try await measure("count by the name of what all refer to", 10) { _ in
            _ = try await client.count(Sale.where { $0.patron.name == "p7" })
        }
        try client.close()
    }
}

@Stored struct Single: Equatable {
    @PrimaryKey(.generated) let id: Int
    var tenant: Int
    var text: String

    init(_ id: Int = 0, tenant: Int, _ text: String) {
        self.id = id
        self.tenant = tenant
        self.text = text
    }
}
