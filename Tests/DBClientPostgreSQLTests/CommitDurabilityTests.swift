import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// What a commit survives, by the settings of the server and of the client.
@Suite(.serialized) struct CommitDurabilityTests {
    @Test(
        "Commits wait for the disk whatever a role has set, unless the client asks for less",
        .enabled(if: Server.isThere)
    )
    func durability() async throws {
        try await Server.withClient { client, _ in
            // As the server is set, whose settings are the test's own.
            #expect(client.postgreSQLDurability == .local)
            let role = "hasty_\(Int.random(in: 0..<1_000_000))"
            try await client.execute("CREATE ROLE \(identifier: role) LOGIN")
            try await client.execute(
                "ALTER ROLE \(identifier: role) SET synchronous_commit = off"
            )
            for (durability, level, told) in [
                (Durability.full, "on", PostgreSQLDurability.local), (.relaxed, "off", .delayed),
            ] {
                for keeps in [true, false] {
                    var configuration = PostgreSQLConfiguration()
                    configuration.durability = durability
                    configuration.keepsPreparedStatements = keeps
                    let hasty = try await SQLDBClient.postgreSQL(
                        try Server.url(role: role),
                        configuration: configuration
                    )
                    let query: SQL = "SELECT current_setting('synchronous_commit') AS level"
                    let found = try await hasty.write { try $0.rows(query).first }
                    #expect(found?["level", as: String.self] == level, "\(durability) \(keeps)")
                    #expect(hasty.postgreSQLDurability == told)
                    try hasty.close()
                }
            }
            try await client.execute("DROP ROLE \(identifier: role)")
        }
    }

    @Test("What a commit survives is told by the server's settings")
    func durabilityBySettings() {
        func told(
            _ level: String,
            _ isSynchronizing: Bool,
            _ hasStandbys: Bool
        ) -> PostgreSQLDurability {
            PostgreSQLDurability(
                commitLevel: level,
                isSynchronizing: isSynchronizing,
                hasSynchronousStandbys: hasStandbys
            )
        }
        #expect(told("on", false, true) == .cached)
        #expect(told("off", true, true) == .delayed)
        #expect(told("local", true, true) == .local)
        #expect(told("on", true, false) == .local)
        for level in ["on", "remote_write", "remote_apply"] {
            #expect(told(level, true, true) == .replicated)
        }
        #expect(PostgreSQLDurability.delayed < .local && PostgreSQLDurability.cached < .delayed)
    }
}
