import DBClientCore
import Foundation
import Synchronization

/// Values of a former model that are converted, deleted or changed once.
enum ConversionCases {
    static let all: [ConformanceCase] = converting + generating + holding + once

    private static let toCodes = Migration.convert(Player2.self, to: Player4.self) { player in
        player.id == 13
            ? nil
            : Player4("p\(player.id)", name: player.name, score: Double(player.score) / 10)
    }

    private static func coded(_ players: [Player1]) -> [Player4] {
        players.filter { $0.id != 13 }
            .map { Player4("p\($0.id)", name: $0.name, score: Double($0.score) / 10) }
            .sorted { $0.code < $1.code }
    }

    private static let converting: [ConformanceCase] = [
        migrating("values are converted to another shape of their entity, once") { client in
            let former = MigrationCases.players.map(MigrationCases.adapted)
            try await client.insert(former)
            let changes = try await client.migrate([toCodes])
            try expectEqual(changes.map(\.entity), ["Player"])
            try expectEqual(changes[0].kinds, [.converted(from: "Player", count: 50)])
            try expectSame(try await client.findAll(Player4.self), coded(MigrationCases.players))
            try await client.insert(Player4("q", name: "q"))
            try expectEqual(try await client.migrate([toCodes]), [])
            try expectEqual(try await client.count(Player4.all), 50)
        },
        migrating("a store of any version is led to the last one") { client in
            let steps = [
                .convert(Player1.self, to: Player2.self) { MigrationCases.adapted($0) },
                toCodes,
            ]
            try await client.insert(MigrationCases.players)
            try expectEqual(try await client.migrate(steps).count, 2)
            try expectSame(try await client.findAll(Player4.self), coded(MigrationCases.players))
            try expectEqual(try await client.migrate(steps), [])
            let adapting = [MigrationCases.adaptation, toCodes]
            try expectEqual(try await client.migrate(adapting), [])
            try expectSame(try await client.findAll(Player4.self), coded(MigrationCases.players))
        },
        migrating("steps that lead from no version that is stored are refused") { client in
            try await client.insert(MigrationCases.players)
            for _ in 0..<2 {
                let error = try await expectError(.migrationRequired) {
                    try await client.migrate([toCodes])
                }
                try expectEqual(error.entity, "Player")
            }
            try expectSame(try await client.findAll(Player1.self), MigrationCases.players)
        },
        migrating("values are converted to another entity, and the former one is gone") { client in
            try await client.insert(MigrationCases.players)
            try await client.insert(Contestant(100, title: "x"))
            let step = Migration.convert(Player1.self, to: Contestant.self) {
                Contestant($0.id, title: $0.name)
            }
            try await client.migrate([step])
            try expectEqual(try await client.count(Contestant.all), 51)
            try expectEqual(try await client.count(Player1.all), 0)
            try expectEqual(try await client.migrate([step]), [])
            // Nothing is left of the shape, either.
            try await client.insert(Player4("a", name: "a"))
            try expectEqual(try await client.findAll(Player4.self).map(\.code), ["a"])
        },
        migrating("a value that is there already is not replaced by a converted one") { client in
            try await client.insert(MigrationCases.players)
            try await client.insert(Contestant(7, title: "seven"))
            try await expectError(.duplicateKey) {
                try await client.migrate([
                    .convert(Player1.self, to: Contestant.self) {
                        Contestant($0.id, title: $0.name)
                    }
                ])
            }
            try expectEqual(try await client.findAll(Contestant.self).map(\.title), ["seven"])
            try expectSame(try await client.findAll(Player1.self), MigrationCases.players)
        },
        migrating("an entity that no model has any more is deleted by its name") { client in
            try await client.insert(MigrationCases.players)
            try await client.insert(Hero(1))
            let changes = try await client.migrate([.delete("Player"), .delete("Nobody")])
            try expectEqual(changes.map(\.kinds), [[.deleted]])
            try expectEqual(try await client.count(Player4.all), 0)
            try await client.insert(Player4("a", name: "a"))
            try expectEqual(try await client.count(Player4.all), 1)
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
    ]

    private static let pinning = Migration.convert(Note1.self, to: Note2.self) { note in
        note.title == "-" ? nil : Note2(id: note.id, title: note.title, isPinned: true)
    }

    private static let generating: [ConformanceCase] = [
        generating("keys that the store makes go on after those of converted values") { client in
            try await client.insert((1...3).map { Note1(title: "\($0)") })
            try await client.delete(Note1.self, key: 3)
            try await client.migrate([pinning])
            try expectEqual(try await client.insert(Note2(title: "4")).id, 4)
            try await client.migrate([.convert(Note2.self, to: Note1.self) { _ in nil }])
            // Nothing is left, and many keys are made at once.
            let made = try await client.insert((5...50).map { Note1(title: "\($0)") })
            try expectEqual(made.map(\.id), Array(5...50))
            try expectEqual(try await client.count(Note1.all), 46)
        },
        generating("a key that was given is not made again after a conversion") { client in
            try await client.insert([Note1(id: 40, title: "a"), Note1(id: 60, title: "b")])
            try await client.delete(Note1.self, key: 60)
            try await client.migrate([pinning])
            try expectEqual(try await client.insert(Note2(title: "c")).id, 61)
            // One that a model of given keys has written, and the conversion leaves out.
            try await client.insert([Loose<Fitting>(7, 1), Loose<Fitting>(9, 2)])
            try await client.migrate([
                .convert(Loose<Fitting>.self, to: Loose<Numbered>.self) {
                    $0.id == 9 ? nil : Loose($0.id, $0.other)
                }
            ])
            try expectEqual(try await client.insert(Loose<Numbered>(0, 3)).id, 10)
        },
        generating("a conversion that is undone leaves the keys that the store makes") { client in
            try await client.insert((1...3).map { Note1(title: "\($0)") })
            try await client.delete(Note1.self, key: 3)
            for _ in 0..<2 {
                do {
                    try await client.write { transaction in
                        try transaction.migrate([pinning])
                        try expectEqual(try transaction.insert(Note2(title: "4")).id, 4)
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
            }
            let id = try await client.insert(Note1(title: "4")).id
            try expect(id > 3, "the key \(id) was made again")
            try expectEqual(try await client.count(Note1.all), 3)
        },
    ]

    private static let studios = [Studio(1, "one"), Studio(2, "two")]
    private static let skills = [Skill("a", 1), Skill("b", 2)]

    private static let holding: [ConformanceCase] = [
        migrating("what values hold is held by what they are converted to") { client in
            try await client.insert([
                Band1(1, name: "x", label: studios[0], skills: skills),
                Band1(2, name: "xyz", label: studios[1], skills: [skills[1]]),
            ])
            try await client.migrate([
                .convert(Band1.self, to: Band2.self) {
                    Band2($0.id, rank: $0.name.count, label: $0.label, skills: $0.skills)
                }
            ])
            try expectEqual(
                try await client.findAll(Band2.self),
                [
                    Band2(1, rank: 1, label: studios[0], skills: skills),
                    Band2(2, rank: 3, label: studios[1], skills: [skills[1]]),
                ]
            )
            try expectEqual(try await client.findAll(Studio.self), studios)
            try expectEqual(try await client.count(Skill.all), 2)
            // The rules of deletion know the new model.
            try await client.delete(studios[0])
            try await client.delete(Skill.self, key: "b")
            try expectEqual(
                try await client.findAll(Band2.self),
                [Band2(1, rank: 1, skills: [skills[0]]), Band2(2, rank: 3, label: studios[1])]
            )
        },
        migrating("an entity that others hold is not deleted") { client in
            try await client.insert(Band1(1, name: "x", label: studios[0], skills: skills))
            for name in ["Studio", "Skill"] {
                let error = try await expectError(.deletionDenied) {
                    try await client.migrate([.delete(name)])
                }
                try expectEqual(error.entity, "Band")
            }
            try await client.migrate([.delete("Band"), .delete("Studio"), .delete("Skill")])
            try expectEqual(try await client.count(Band1.all), 0)
            try expectEqual(try await client.count(Skill.all), 0)
            try await client.insert(Band1(1, name: "y"))
            try expectEqual(try await client.findAll(Band1.self), [Band1(1, name: "y")])
        },
    ]

    private static let once: [ConformanceCase] = [
        migrating("a named step runs once in the life of a store") { client in
            try await client.insert(MigrationCases.players)
            let steps: [Migration] = [
                .perform("double the scores") { transaction in
                    try transaction.modify(Player1.all) { $0.score *= 2 }
                },
                .perform("rename") { transaction in
                    try transaction.update(Player1.all) { $0.set(\.name, to: "n") }
                },
            ]
            try expectEqual(try await client.pendingChanges(of: steps).count, 2)
            let changes = try await client.migrate(steps)
            try expectEqual(changes.map(\.entity), ["double the scores", "rename"])
            try expectEqual(try await client.migrate(steps), [])
            let found = try await client.findAll(Player1.self)
            try expectEqual(found.map(\.score), MigrationCases.players.map { $0.score * 2 })
            try expectEqual(Set(found.map(\.name)), ["n"])
        },
        migrating("what a migration would change is told, and how far it is") { client in
            try await client.insert(MigrationCases.players)
            let steps = [MigrationCases.adaptation, toCodes, .delete("Hero")]
            let pending = try await client.pendingChanges(of: steps)
            try expectEqual(
                pending.map(\.description),
                ["Player: add level, motto, titles, joined"]
            )
            try expectSame(try await client.findAll(Player1.self), MigrationCases.players)
            let told = Mutex<[MigrationProgress]>([])
            try await client.migrate(steps) { progress in
                told.withLock { $0.append(progress) }
            }
            let progress = told.withLock { $0 }
            try expectEqual(Set(progress.map(\.index)), [0, 1])
            try expectEqual(Set(progress.map(\.count)), [3])
            for index in 0...1 {
                let fractions = progress.filter { $0.index == index }.map(\.fraction)
                try expectEqual(fractions, fractions.sorted())
                try expectEqual(fractions.first, 0)
                try expectEqual(fractions.last, 1)
            }
            try expectEqual(
                progress.last?.change.kinds,
                [.converted(from: "Player", count: 50)]
            )
        },
    ]

    private static func generating(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        MigrationCases.migrating(name, [.generatedKeys], run: run)
    }

    private static func migrating(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        MigrationCases.migrating(name, run: run)
    }
}
