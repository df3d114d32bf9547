import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// What observers of a database's own views are told, on each engine that speaks SQL.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ViewObservationTests {
    private static let backends = Backends.chosen.filter {
        $0.name.hasPrefix("SQLite") || $0.name == "PostgreSQL"
    }

    /// Has the next change of a view.
    private func next<Value: Stored>(
        _ changes: inout ChangeStream<Value>.AsyncIterator
    ) async throws -> [Value] {
        switch try await changes.next() {
        case .initial(let rows): return Array(rows)
        case .update(let change): return Array(change.objects)
        case nil: return []
        }
    }

    @Test("Views are observed through the tables that they read", arguments: backends)
    func ownCommits(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        try await client.insert(Parcel(id: 1, weight: 5))
        try await client.insert(Carrier(id: 1, name: "a"))
        for statement: SQL in [
            #"CREATE VIEW "Heavy" AS SELECT "id", "weight" FROM "Parcel" WHERE "weight" > 10"#,
            #"CREATE VIEW "Heavier" AS SELECT "id", "weight" + 1 AS "weight" FROM "Heavy""#,
        ] { try await client.execute(statement) }
        var heavy = client.observe(HeavyParcel.all).makeAsyncIterator()
        var heavier = client.observe(HeavierParcel.all).makeAsyncIterator()
        #expect(try await next(&heavy) == [])
        #expect(try await next(&heavier) == [])

        try await client.insert((2...40).map { Parcel(id: $0, weight: $0 - 20) })
        let rows = (31...40).map { HeavyParcel(id: $0, weight: $0 - 20) }
        #expect(try await next(&heavy) == rows)
        #expect(
            try await next(&heavier) == rows.map { HeavierParcel(id: $0.id, weight: $0.weight + 1) }
        )

        try await client.update(Parcel(id: 40, weight: 99))
        #expect(try await next(&heavy).last == HeavyParcel(id: 40, weight: 99))
        #expect(try await next(&heavier).last == HeavierParcel(id: 40, weight: 100))

        try await client.delete(Parcel.where { $0.id > 31 })
        #expect(try await next(&heavy) == [rows[0]])
        #expect(try await next(&heavier).map(\.id) == [31])

        try await client.upsert(Parcel(id: 31, weight: 50))
        #expect(try await next(&heavy) == [HeavyParcel(id: 31, weight: 50)])
        try await client.update(Parcel.self, key: 31) { $0.set(\.weight, to: 60) }
        #expect(try await next(&heavy) == [HeavyParcel(id: 31, weight: 60)])
    }

    @Test(
        "A view that joins tables, or is made anew, is observed through all of them",
        arguments: backends
    )
    func joinedTables(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try #require(try await store.open() as? SQLDBClient)
        defer { try? client.close() }
        try await client.insert(Parcel(id: 1, weight: 5))
        try await client.insert(Carrier(id: 1, name: "abc"))
        try await client.execute(
            """
            CREATE VIEW "Heavy" AS SELECT p."id", p."weight" + length(c."name") AS "weight"
            FROM "Parcel" p JOIN "Carrier" c ON c."id" = p."id"
            """
        )
        var heavy = client.observe(HeavyParcel.all).makeAsyncIterator()
        #expect(try await next(&heavy) == [HeavyParcel(id: 1, weight: 8)])
        try await client.update(Carrier(id: 1, name: "abcdef"))
        #expect(try await next(&heavy) == [HeavyParcel(id: 1, weight: 11)])
        try await client.update(Parcel(id: 1, weight: 6))
        #expect(try await next(&heavy) == [HeavyParcel(id: 1, weight: 12)])

        try await client.write { transaction in
            try transaction.execute(#"DROP VIEW "Heavy""#)
            try transaction.execute(
                #"CREATE VIEW "Heavy" AS SELECT "id", 7 AS "weight" FROM "Carrier""#
            )
        }
        #expect(try await next(&heavy) == [HeavyParcel(id: 1, weight: 7)])
        try await client.insert(Carrier(id: 2, name: ""))
        #expect(try await next(&heavy).map(\.id) == [1, 2])
    }
}

@Stored("Parcel") private struct Parcel: Equatable {
    let id: Int
    var weight: Int
}

@Stored("Carrier") private struct Carrier: Equatable {
    let id: Int
    var name: String
}

@Stored("Heavy") private struct HeavyParcel: Equatable {
    let id: Int
    var weight: Int
}

@Stored("Heavier") private struct HeavierParcel: Equatable {
    let id: Int
    var weight: Int
}
