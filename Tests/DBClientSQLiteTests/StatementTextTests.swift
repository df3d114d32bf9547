import DBClientCore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Testing

@Suite struct StatementTextTests {
    private static let columns =
        #""id", "name", "team", "power", "isActive", "badge", "aliases""#

    private func client() throws -> SQLDBClient {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert([
            Hero(id: 1, name: "Iron Man", team: "Avengers", power: 9),
            Hero(id: 2, name: "Iron Fist", power: 7),
            Hero(id: 3, name: "Thor", team: "Avengers", power: 10),
        ])
        return client
    }

    /// Checks the words after the table, the plan's first step and the rows.
    private func check(
        _ request: FetchRequest<Hero>,
        _ tail: String,
        _ plan: String,
        _ ids: [Int],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let client = try client()
        let lines = try client.blocking.read { try $0.explain(request) }
            .split(separator: "\n").map(String.init)
        #expect(
            lines.first == #"SELECT \#(Self.columns) FROM "Hero""# + tail,
            sourceLocation: location
        )
        #expect(lines.dropFirst().first == plan, sourceLocation: location)
        let found = try client.blocking.fetch(request).map(\.id)
        #expect(found == ids, sourceLocation: location)
    }

    @Test func aRequestIsPinnedWithItsTextPlanAndRows() async throws {
        let client = try client()
        let request = Hero.where { $0.team == "Avengers" && $0.power > 9 }
        try await client.assertRequest(request) {
            """
            SELECT \(Self.columns) FROM "Hero" WHERE ("team" = ? AND "power" > ?) ORDER BY "id"
            SEARCH Hero USING INDEX Hero_team_index (team=?)
            Hero(id: 3, name: "Thor", team: "Avengers", power: 10.0, isActive: 1, badge: nil, \
            aliases: "[]")
            """
        }
        let other = try await client.snapshot(of: request.limit(1))
        await #expect(throws: StoreExpectationFailure.self) {
            try await client.assertRequest(request) { other }
        }
    }

    @Test func everyRow() throws {
        try check(Hero.all, #" ORDER BY "id""#, "SCAN Hero", [1, 2, 3])
    }

    @Test func anEqualFieldUsesItsIndex() throws {
        try check(
            Hero.where { $0.team == "Avengers" },
            #" WHERE "team" = ? ORDER BY "id""#,
            "SEARCH Hero USING INDEX Hero_team_index (team=?)",
            [1, 3]
        )
    }

    @Test func aPrefixIsARangeOfAnIndex() throws {
        try check(
            Hero.where { $0.name.hasPrefix("Iron") }.sorted { $0.name },
            #" WHERE ("name" >= ? AND "name" < ?) ORDER BY "name", "id""#,
            "SEARCH Hero USING INDEX Hero_name_index (name>? AND name<?)",
            [2, 1]
        )
    }

    @Test func aNegationCountsUnknownAsFalse() throws {
        try check(
            Hero.where { !($0.team == "Avengers") },
            #" WHERE ("team" = ?) IS NOT TRUE ORDER BY "id""#,
            "SCAN Hero",
            [2]
        )
    }

    @Test func anOrderSaysWhereNullsAreOnlyWhenItMust() throws {
        try check(
            Hero.all.sorted { $0.team },
            #" ORDER BY "team", "id""#,
            "SCAN Hero USING INDEX Hero_team_index",
            [2, 1, 3]
        )
        try check(
            Hero.all.sorted { [$0.team.ascending.nilsLast] },
            #" ORDER BY "team" NULLS LAST, "id""#,
            "SCAN Hero USING INDEX Hero_team_index",
            [1, 3, 2]
        )
    }

    @Test func aWindowIsBound() throws {
        try check(
            Hero.all.sorted { $0.power.descending }.limit(1).offset(1),
            #" ORDER BY "power" DESC, "id" LIMIT ? OFFSET ?"#,
            "SCAN Hero",
            [1]
        )
        try check(
            Hero.all.offset(2),
            #" ORDER BY "id" LIMIT -1 OFFSET ?"#,
            "SCAN Hero",
            [3]
        )
    }

    @Test func anElementOfAListIsAskedFor() throws {
        try check(
            Hero.where { $0.aliases.contains("Tony") },
            " WHERE EXISTS (SELECT 1 FROM json_each(\"Hero\".\"aliases\") AS element WHERE "
                + "element.type = 'text' AND element.value = json_extract(?, '$[0]')) "
                + "ORDER BY \"id\"",
            "SCAN Hero",
            []
        )
    }
}
