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
