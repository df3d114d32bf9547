import DBClientCore
import Foundation

/// Migrations that fail, are undone, or that others see.
enum MigrationFailureCases {
    static let all: [ConformanceCase] = failing + policies + seen

    private static let players = MigrationCases.players

    private static let throwing = Migration.convert(Player1.self, to: Player4.self) { player in
        if player.id == 40 { throw SuiteError.deliberate }
        return Player4("p\(player.id)", name: player.name)
    }

    private static let failing: [ConformanceCase] = [
        migrating("a step that throws undoes those before it") { client in
            try await client.insert(players)
            try await client.insert([Hero(1), Hero(2)])
            for _ in 0..<2 {
                do {
                    try await client.migrate([
                        .delete("Hero"), MigrationCases.adaptation,
                        .perform("fail") { _ in throw SuiteError.deliberate },
                    ])
                    throw ConformanceFailure("nothing was thrown")
                } catch SuiteError.deliberate {}
                try expectSame(try await client.findAll(Player1.self), players)
                try expectEqual(try await client.count(Hero.all), 2)
            }
            try await client.insert(Player1(60, name: "x"))
            try await client.migrate([MigrationCases.adaptation])
            try expectEqual(try await client.count(Player2.all), 51)
        },
        migrating("a transaction goes on after a migration that it caught") { client in
            try await client.insert(players)
            try await client.write { transaction in
                do {
                    try transaction.migrate([throwing])
                } catch SuiteError.deliberate {}
                try expectSame(try transaction.findAll(Player1.self), players)
                try transaction.migrate([MigrationCases.adaptation])
                // What is stored is of the second version, of which this step knows nothing.
                try expectErrorInside(.migrationRequired) { try transaction.migrate([throwing]) }
                try transaction.update(Player2.self, key: 1) { $0.set(\.motto, to: "m") }
                do {
                    try transaction.migrate([
                        .adapt(Player3.self, removing: ["nickname", "score"]),
                        .perform("fail") { _ in throw SuiteError.deliberate },
                    ])
                } catch SuiteError.deliberate {}
                try expectEqual(try transaction.find(Player2.self, key: 1)?.motto, "m")
                try transaction.insert(Player2(60, name: "x", nickname: "y"))
            }
            try expectEqual(try await client.find(Player2.self, key: 60)?.nickname, "y")
            try expectEqual(try await client.count(Player2.all), 51)
        },
        migrating("a transaction that is undone leaves the former shape") { client in
            try await client.insert(players)
            try? await client.write { transaction in
                try transaction.migrate([MigrationCases.adaptation])
                try expectEqual(try transaction.count(Player2.where { $0.level == 3 }), 50)
                throw SuiteError.deliberate
            }
            try await expectError(.schemaMismatch) { _ = try await client.count(Player2.all) }
            try expectSame(try await client.findAll(Player1.self), players)
            try await client.insert(Player1(60, name: "x"))
            try expectEqual(try await client.count(Player1.all), 51)
        },
        migrating("a client that checks what is written migrates nothing") { client in
            try await client.insert(players)
            for checked in [ReadOnlyDBClient(client), ValidatingDBClient(client, rules: [])]
                as [any DBClient]
            {
                try await expectError(.readOnly) {
                    try await checked.migrate([MigrationCases.adaptation])
                }
                try expectEqual(
                    try await checked.pendingChanges(of: [MigrationCases.adaptation]).count,
                    1
                )
            }
            try expectSame(try await client.findAll(Player1.self), players)
        },
    ]

    private static let policies: [ConformanceCase] = [
        migrating("what cannot be migrated is deleted on request, and the rest goes on") { client in
            try await client.insert(players)
            try await client.insert(Note1(id: 1, title: "a"))
            try await client.insert(Hero(1))
            let changes = try await client.migrate(
                [throwing, .adapt(Note2.self) { $0.set(\.isPinned, to: true) }, .delete("Hero")],
                onFailure: .deleteStored
            )
            try expectEqual(changes.map(\.entity), ["Player", "Note", "Hero"])
            try expectEqual(changes[0].kinds, [.deleted])
            try expectEqual(try await client.count(Player4.all), 0)
            try await client.insert(Player4("a", name: "a"))
            try expectEqual(try await client.findAll(Note2.self).map(\.isPinned), [true])
            try expectEqual(try await client.count(Hero.all), 0)
        },
        migrating("what fits no step is deleted on request") { client in
            try await client.insert(players)
            try await client.migrate(
                [.convert(Player2.self, to: Player4.self) { Player4("\($0.id)", name: $0.name) }],
                onFailure: .deleteStored
            )
            try expectEqual(try await client.count(Player4.all), 0)
            try await client.insert(Player4("a", name: "a"))
            try expectEqual(try await client.findAll(Player4.self).map(\.code), ["a"])
        },
        migrating("what does not fit is deleted on request where it is what a step leads to") {
            client in
            let step = Migration.convert(Hero.self, to: Player4.self) {
                Player4("\($0.id)", name: "")
            }
            try await client.insert(players)
            try await client.insert(Hero(1))
            // Its values come to where they do not fit.
            try await expectError(.schemaMismatch) { try await client.migrate([step]) }
            try expectSame(try await client.findAll(Player1.self), players)
            for isThere in [true, false] {
                let changes = try await client.migrate([step], onFailure: .deleteStored)
                try expectEqual(changes.map(\.entity), isThere ? ["Hero", "Player"] : ["Player"])
                try expect(changes.allSatisfy { $0.kinds == [.deleted] }, "all are deleted")
                try expectEqual(try await client.count(Hero.all), 0)
                try await client.insert(Player4("a", name: "a"))
                try expectEqual(try await client.findAll(Player4.self).map(\.code), ["a"])
                if isThere {
                    try await client.migrate([.delete("Hero"), .delete("Player")])
                    try await client.insert(players)
                }
            }
            // A later step knows what it is.
            try await client.migrate([.delete("Player")])
            try await client.insert(players)
            try await client.insert(Hero(1))
            let changes = try await client.migrate(
                [step, .convert(Player1.self, to: Player4.self) { Player4("\($0.id)", name: "") }],
                onFailure: .deleteStored
            )
            try expectEqual(changes.map(\.entity), ["Hero", "Player"])
            try expectEqual(try await client.count(Player4.all), players.count)
        },
    ]

    private static let seen: [ConformanceCase] = [
        ConformanceCase(
            .migrations,
            "observers of other entities go on, and those of a shape that has passed end",
            requires: [.migrations, .observation]
        ) { context in
            let client = context.client
            try await client.insert(players)
            try await client.insert(Hero(1))
            try await watched {
                var heroes = try await Observer(client.observe(Hero.all))
                var former = client.observe(Player1.all).makeAsyncIterator()
                _ = try await former.next()
                try await client.migrate([
                    MigrationCases.adaptation,
                    .adapt(Player3.self, removing: ["nickname", "score"]),
                ])
                try await expectError(.schemaMismatch) {
                    while try await former.next() != nil {}
                }
                try await client.insert(Hero(2))
                try await heroes.settle { try await client.findAll(Hero.self) }
                var latter = try await Observer(client.observe(Player3.where { $0.level > 3 }))
                try await client.update(Player3.self, key: 7) { $0.set(\.level, to: 4) }
                try expectEqual(try await latter.update().insertions, [0])
                try await client.migrate([.delete("Player")])
                try expectEqual(try await latter.update().deletions, [0])
            }
        },
        ConformanceCase(
            .migrations,
            "a store that was migrated is so when it is opened again",
            requires: [.migrations, .persistence]
        ) { context in
            try await context.client.insert(players)
            try await context.client.insert(Note1(id: 1, title: "a"))
            let client = try await context.reopen()
            try await client.migrate([MigrationCases.adaptation, .delete("Note")])
            let again = try await context.reopen()
            try expectSame(
                try await again.findAll(Player2.self),
                players.map(MigrationCases.adapted)
            )
            try expectEqual(try await again.migrate([MigrationCases.adaptation]), [])
            try expectEqual(try await again.count(Note2.all), 0)
            try await again.insert(Player2(60, name: "x", level: 9))
            try expectEqual(try await again.fetch(Player2.where { $0.level == 9 }).map(\.id), [60])
        },
        ConformanceCase(
            .migrations,
            "other clients of the store see what was migrated",
            requires: [.migrations, .severalClients]
        ) { context in
            let other = try await context.another()
            try await context.client.insert(players)
            try await context.client.insert(Note1(id: 1, title: "a"))
            try expectSame(try await other.findAll(Player1.self), players)
            try await other.update(Player1.self, key: 1) { $0.set(\.score, to: 5) }
            try expectEqual(try await other.count(Note1.all), 1)
            try await context.client.migrate([MigrationCases.adaptation, .delete("Note")])
            try expectEqual(try await other.find(Player2.self, key: 1)?.level, 3)
            try await other.update(Player2.self, key: 1) { $0.set(\.level, to: 8) }
            try expectEqual(
                try await context.client.fetch(Player2.where { $0.level == 8 }).map(\.id),
                [1]
            )
            try expectEqual(try await other.count(Note2.all), 0)
            try await other.insert(Note2(id: 7, title: "b"))
            try expectEqual(try await context.client.findAll(Note2.self).map(\.id), [7])
            try await context.client.migrate([
                .adapt(Player3.self, removing: ["nickname", "score"])
            ])
            try await expectError(.schemaMismatch) { _ = try await other.findAll(Player1.self) }
            try await expectError(.schemaMismatch) {
                try await other.update(Player1.self, key: 1) { $0.set(\.name, to: "z") }
            }
            try expectEqual(try await other.count(Player3.all), 50)
        },
    ]

    private static func migrating(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        MigrationCases.migrating(name, run: run)
    }
}
