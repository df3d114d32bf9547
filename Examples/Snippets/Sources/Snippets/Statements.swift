import DBClientCore
import DBClientSQL

func ask(_ client: SQLDBClient, since year: Int) async throws {
    // snippet: raw-sql
    let rows = try await client.rows(
        """
        SELECT publisher, count(*) AS heroes FROM "Character"
        WHERE "firstAppearance_year" >= \(year) GROUP BY publisher
        """
    )
    for row in rows { print(try row.value("publisher", as: Int.self), row["heroes"] ?? 0) }
    let heroes = try await client.fetch(
        Character.self,
        sql: "SELECT * FROM \(identifier: "Character") ORDER BY random() LIMIT 5"
    )
    let changed = try await client.execute(
        "UPDATE \"Character\" SET \"realName\" = NULL WHERE publisher = \(6)"
    )
    // end snippet
    _ = (heroes, changed)
}

/// A hero whose model has gained a field, under a stored name of its own.
@Stored("Hero2") struct StrongerHero {
    let id: Int
    var name: String
    var power: Double
}

/// The model that wrote the store, as far as it is still read.
@Stored("Hero") private struct FormerHero {
    let id: Int
    var name: String
}

func copyHeroes(in client: any DBClient) async throws {
    // snippet: copy-model
    try await client.write { transaction in
        guard try transaction.count(StrongerHero.all) == 0 else { return }
        let former = try transaction.findAll(FormerHero.self)
        try transaction.insert(former.map { StrongerHero(id: $0.id, name: $0.name, power: 0) })
        try transaction.deleteAll(FormerHero.self)
    }
    // end snippet
}
