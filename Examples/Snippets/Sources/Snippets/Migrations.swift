import DBClientCore
import Foundation

enum Migrations {
    @Stored struct Hero: Equatable {
        @PrimaryKey let id: Int
        var name: String
        var power: Int
    }

    // snippet: former-model
    @Stored("Team") struct FormerTeam {
        @PrimaryKey let id: Int
        var members: String
    }

    @Stored struct Team {
        @PrimaryKey let id: Int
        var members: [String]
    }
    // end snippet

    static func migrate(_ client: any DBClient) async throws {
        // snippet: migrate
        try await client.migrate([
            .adapt(Hero.self) { $0.set(\.power, to: 1) },
            .delete("Villain"),
        ])
        // end snippet
    }

    static func migrateCache(_ client: any DBClient) async throws {
        // snippet: convert
        let toLists = Migration.convert(FormerTeam.self, to: Team.self) { former in
            Team(id: former.id, members: former.members.split(separator: ",").map(String.init))
        }
        // end snippet
        // snippet: perform
        let trim = Migration.perform("trim names") { transaction in
            try transaction.modify(Hero.all) {
                $0.name = $0.name.trimmingCharacters(in: .whitespaces)
            }
        }
        // end snippet
        // snippet: migrate-cache
        let steps = [toLists, trim]
        try await client.migrate(steps, onFailure: .deleteStored) { progress in
            print(progress.change, Int(progress.fraction * 100), "%")
        }
        // end snippet
    }

    static func adaptWithoutModels(_ client: any DBClient, text: String) async throws {
        // snippet: adapt-without-models
        let wanted = try EntityCatalog(schemaText: text)
        try await client.migrate(wanted.entities.map { .adapt($0) })
        // end snippet
    }
}
