import DBClientCore
import Foundation

/// Stores that are made to fit the models of a program.
enum MigrationCases {
    static let all: [ConformanceCase] = adapting

    static let players = (0..<50).map { id in
        Player1(id, name: "n\(id % 7)", nickname: id % 3 == 0 ? nil : "k\(id)", score: id * 10)
    }

    static let adaptation = Migration.adapt(Player2.self) {
        $0.set(\.level, to: 3)
        $0.set(\.titles, to: ["a", "b"])
        $0.set(\.joined, to: Date(timeIntervalSince1970: 86_400))
    }

    static func adapted(_ player: Player1) -> Player2 {
        Player2(
            player.id,
            name: player.name,
            nickname: player.nickname,
            score: player.score,
            level: 3,
            titles: ["a", "b"],
            joined: Date(timeIntervalSince1970: 86_400)
        )
    }

    private static let adapting: [ConformanceCase] = [
        migrating("new fields are nil or what is set, and every other keeps its value") { client in
            try await client.insert(players)
            let changes = try await client.migrate([adaptation])
            try expectEqual(changes.map(\.entity), ["Player"])
            try expectEqual(changes[0].kinds, [.added(["level", "motto", "titles", "joined"])])
            try expectSame(try await client.findAll(Player2.self), players.map(adapted))
            let high = Player2.where { $0.level >= 3 && $0.name == "n3" }
            try expectEqual(
                try await client.fetch(high).map(\.id),
                players.filter { $0.name == "n3" }.map(\.id)
            )
            try await client.update(Player2.self, key: 4) {
                $0.set(\.motto, to: "first")
                $0.set(\.level, to: 9)
            }
            try await client.insert(Player2(90, name: "x", level: 9))
            try expectEqual(
                try await client.fetch(Player2.where { $0.level == 9 }).map(\.id),
                [4, 90]
            )
            try await expectError(.uniqueViolation) {
                try await client.insert(Player2(91, name: "y", motto: "first"))
            }
            try await client.delete(Player2.self, keys: [0, 1])
            try expectEqual(try await client.count(Player2.all), 49)
        },
        migrating("what fits, and what is not stored, is left alone") { client in
            try expectEqual(try await client.migrate([adaptation]), [])
            try await client.insert(players.map(adapted))
            try expectEqual(try await client.migrate([adaptation]), [])
            try expectEqual(try await client.migrate(to: Player2.self, Hero.self), [])
            try expectEqual(try client.blocking.migrate(to: Player2.self, Hero.self), [])
            try expectEqual(try await client.run(.pendingChanges(of: [adaptation])), [])
            try expectEqual(try await client.run(.migrate([adaptation])), [])
            try expectSame(try await client.findAll(Player2.self), players.map(adapted))
        },
        migrating("a required field that is not set is refused, and nothing is changed") { client in
            try await client.insert(players)
            let error = try await expectError(.migrationRequired) {
                try await client.migrate([
                    .adapt(Player2.self) {
                        $0.set(\.titles, to: [])
                        $0.set(\.joined, to: Date())
                    }
                ])
            }
            try expectEqual(error.entity, "Player")
            try expectEqual(error.field, "level")
            try await expectError(.migrationRequired) {
                _ = try await client.pendingChanges(of: [.adapt(Player2.self)])
            }
            let modified = try await expectError(.invalidRequest) {
                try await client.migrate([.adapt(Player2.self) { $0.modify(\.level) { $0 += 1 } }])
            }
            try expectEqual(modified.field, "level")
            try expectSame(try await client.findAll(Player1.self), players)
        },
        migrating("fields that are named are taken away, and others may come to be absent") {
            client in
            try await client.insert(players)
            try await client.migrate([adaptation])
            let error = try await expectError(.migrationRequired) {
                try await client.migrate([.adapt(Player3.self)])
            }
            try expect(["nickname", "score"].contains(error.field), "another field is named")
            let step = Migration.adapt(Player3.self, removing: ["nickname", "score", "other"])
            let kinds = try await client.migrate([step])[0].kinds
            try expectEqual(kinds, [.relaxed(["name"]), .removed(["nickname", "score"])])
            try await client.insert(Player3(90, name: nil, level: 4))
            let found = try await client.findAll(Player3.self)
            try expectEqual(found.map(\.name), players.map(\.name) + [nil])
            try expectEqual(found.map(\.level), players.map { _ in 3 } + [4])
            try expectEqual(found.map(\.titles), players.map { _ in ["a", "b"] } + [[]])
            try expectEqual(
                try await client.fetch(Player3.where { $0.name == nil }).map(\.id),
                [90]
            )
        },
        migrating("a field may come to be absent and nothing else change") { client in
            try await client.insert([Loose<Fitting>(1, 5), Loose<Fitting>(2, 6)])
            let changes = try await client.migrate(to: Relaxed.self)
            try expectEqual(changes.map(\.kinds), [[.relaxed(["other"])]])
            try await client.insert(Relaxed(3, other: nil))
            try expectEqual(try await client.findAll(Relaxed.self).map(\.other), [5, 6, nil])
        },
        migrating("a field of another type, and another key, are not adapted") { client in
            try await client.insert(Hero(1))
            try await expectError(.migrationRequired) {
                try await client.migrate(to: OtherHero.self)
            }
            try await client.insert(players)
            try await expectError(.migrationRequired) { try await client.migrate(to: Player4.self) }
            try expectSame(try await client.findAll(Player1.self), players)
        },
        migrating("a field of every type can be added") { client in
            try await client.insert([Bare(1), Bare(2)])
            try await client.migrate([.adapt(EveryType.self, EveryType.assignAll)])
            try expectSame(
                try await client.findAll(EveryType.self),
                [EveryType.full(1), EveryType.full(2)]
            )
        },
        migrating("many values are adapted in whole") { client in
            let many = (0..<10_000).map { Player1($0, name: "n\($0 % 100)", score: $0) }
            try await client.insert(many)
            try await client.migrate([adaptation])
            try expectEqual(try await client.count(Player2.where { $0.level == 3 }), 10_000)
            try expectEqual(try await client.sum(\.score, of: Player2.all), 49_995_000)
            let few = Player2.where { $0.name == "n42" }
            try expectEqual(try await client.fetch(few).map(\.id), (0..<100).map { $0 * 100 + 42 })
        },
        migrating("keys that the store makes go on after those before", [.generatedKeys]) {
            client in
            try await client.insert((1...3).map { Note1(title: "\($0)") })
            try await client.delete(Note1.self, key: 3)
            try await client.migrate([.adapt(Note2.self) { $0.set(\.isPinned, to: true) }])
            try expectEqual(try await client.insert(Note2(title: "4")).id, 4)
            try expectEqual(
                try await client.findAll(Note2.self).map(\.isPinned),
                [true, true, false]
            )
        },
    ]

    static func migrating(
        _ name: String,
        _ requirements: Set<Capability> = [],
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(
            .migrations,
            name,
            requires: requirements.union([.migrations]),
            run: run
        )
    }
}
