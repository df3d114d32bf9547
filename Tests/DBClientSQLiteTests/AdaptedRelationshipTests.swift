import DBClientCore
import DBClientSQL
import DBClientSQLite
import Testing

/// What a migration makes of a relationship whose column stays in the table.
@Suite struct AdaptedRelationshipTests {
    @Test func aRuleHoldsWhereTheModelLeavesItsColumn() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert([
            FormerHolder(id: 1, held: Held(id: 1)), FormerHolder(id: 2, held: Held(id: 2)),
        ])
        try client.blocking.migrate([.adapt(LatterHolder.self) { $0.set(\.rank, to: 3) }])
        #expect(try client.blocking.delete(Held.self, key: 1))
        #expect(
            try client.blocking.findAll(LatterHolder.self) == [
                LatterHolder(id: 1, rank: 3), LatterHolder(id: 2, rank: 3),
            ]
        )
        let held = try client.blocking.rows("SELECT held FROM \"Holder\" ORDER BY id")
        #expect(held.map { $0["held", as: Int.self] } == [nil, 2])
    }
}

@Stored private struct Held: Equatable {
    @PrimaryKey let id: Int
}

@Stored("Holder") private struct FormerHolder: Equatable {
    @PrimaryKey let id: Int
    var held: Held?
}

@Stored("Holder") private struct LatterHolder: Equatable {
    @PrimaryKey let id: Int
    var rank: Int
}
