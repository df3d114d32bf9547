import DBClientCore
import Foundation

/// Stores that went through several versions of a model, and programs that are of another version than the store.
enum VersionHistoryCases {
    private typealias First = Retyped<Storing<Int>>
    private typealias Second = Retyped<Storing<String>>
    private typealias Third = Retyped<Storing<[String]>>

    static let all: [ConformanceCase] = [
        MigrationCases.migrating("a store enters the path of its steps where it is") { client in
            let expected = (1...3).map { Third($0, ["\($0 * 10)"]) }
            try await client.insert((1...3).map { First($0, $0 * 10) })
            try expectEqual(try await client.migrate([toSecond, toThird]).count, 2)
            for _ in 0..<2 {
                try expectSame(try await client.findAll(Third.self), expected)
                try expectEqual(try await client.pendingChanges(of: [toSecond, toThird]), [])
                try expectEqual(try await client.migrate([toSecond, toThird]), [])
            }
            try await client.migrate([.delete("Retyped")])
            try await client.insert((1...3).map { Second($0, "\($0 * 10)") })
            try expectEqual(try await client.migrate([toSecond, toThird]).count, 1)
            try expectSame(try await client.findAll(Third.self), expected)
        },
        MigrationCases.migrating("a program that went back a version changes nothing by itself") {
            client in
            try await client.insert((1...3).map { First($0, $0) })
            try await client.migrate([toSecond, toThird])
            let steps: [[Migration]] = [
                [.adapt(First.self)], [.adapt(Second.self)], [toSecond],
                [toSecond, .adapt(Second.self)],
            ]
            for steps in steps {
                try await expectError(.migrationRequired) { try await client.migrate(steps) }
                try await expectError(.migrationRequired) {
                    _ = try await client.pendingChanges(of: steps)
                }
            }
            try await expectError(.schemaMismatch) { _ = try await client.findAll(First.self) }
            try await expectError(.schemaMismatch) { try await client.upsert(Second(1, "x")) }
            try expectEqual(
                try await client.findAll(Third.self).map(\.value),
                [["1"], ["2"], ["3"]]
            )
            // It says how to go back, and the newer one comes again.
            let back = Migration.convert(Third.self, to: First.self) {
                First($0.id, Int($0.value[0]).map { $0 + 1 } ?? 0)
            }
            try expectEqual(try await client.migrate([back]).count, 1)
            try expectEqual(try await client.migrate([back]), [])
            try expectEqual(try await client.findAll(First.self).map(\.value), [2, 3, 4])
            try await client.insert(First(4, 40))
            try expectEqual(try await client.migrate([toSecond, toThird]).count, 2)
            try expectEqual(
                try await client.findAll(Third.self).map(\.value),
                [["2"], ["3"], ["4"], ["40"]]
            )
        },
        MigrationCases.migrating("steps that lead back to where they began are refused") { client in
            let back = Migration.convert(Second.self, to: First.self) {
                First($0.id, (Int($0.value) ?? 0) * 2)
            }
            let around = [toSecond, back]
            let fields = Migration.adapt(Note1.self, removing: ["isPinned"])
            let pinned = Migration.convert(Note1.self, to: Note2.self) {
                Note2(id: $0.id, title: $0.title + "!", isPinned: true)
            }
            for isFilled in [false, true] {
                if isFilled {
                    try await client.insert(First(1, 10))
                    try await client.insert(Note1(title: "a"))
                }
                for steps in [around, [toSecond, toThird, back], [pinned, fields]] {
                    try await expectError(.invalidRequest) { try await client.migrate(steps) }
                    try await expectError(.invalidRequest) {
                        _ = try await client.pendingChanges(of: steps)
                    }
                    try await expectError(.invalidRequest) {
                        try await client.write { _ = try $0.migrate(steps) }
                    }
                }
            }
            try expectEqual(try await client.findAll(First.self).map(\.value), [10])
            try expectEqual(try await client.findAll(Note1.self).map(\.title), ["a"])
        },
        MigrationCases.migrating("what a version added stays when the one before is at work again")
        {
            client in
            try await client.insert(MigrationCases.players)
            try await client.migrate([MigrationCases.adaptation])
            let adapted = MigrationCases.players.map(MigrationCases.adapted)
            for _ in 0..<2 {
                // Where the former version is not refused, it leaves the new fields as they are.
                do {
                    try await client.update(Player1.self, key: 3) { $0.set(\.score, to: 77) }
                } catch let error as DBClientError where error.code == .schemaMismatch {
                    try await client.update(Player2.self, key: 3) { $0.set(\.score, to: 77) }
                }
                try expectEqual(try await client.migrate([MigrationCases.adaptation]), [])
                let found = try await client.findAll(Player2.self)
                try expectEqual(found.map(\.level), adapted.map(\.level))
                try expectEqual(found.map(\.titles), adapted.map(\.titles))
                try expectEqual(found.first { $0.id == 3 }?.score, 77)
            }
        },
        ConformanceCase(
            .migrations,
            "versions that take turns in a store are answered by their own shape alone",
            requires: [.migrations, .severalClients, .persistence]
        ) { context in
            let (former, newer) = (context.client, try await context.another())
            try await former.insert((1...3).map { First($0, $0) })
            for round in 0..<4 {
                try expectEqual(try await newer.migrate([toSecond]).count, 1)
                try await expectError(.schemaMismatch) { _ = try await former.findAll(First.self) }
                try await expectError(.schemaMismatch) { try await former.upsert(First(9, 9)) }
                try expectEqual(
                    try await newer.findAll(Second.self).map(\.value),
                    (1...3 + round).map(String.init)
                )
                let back = Migration.convert(Second.self, to: First.self) {
                    First($0.id, Int($0.value) ?? 0)
                }
                try expectEqual(try await former.migrate([back]).count, 1)
                try await former.insert(First(4 + round, 4 + round))
                try await expectError(.schemaMismatch) { _ = try await newer.count(Second.all) }
                try await expectError(.schemaMismatch) {
                    try await newer.delete(Second.where { $0.id > 0 })
                }
                try expectEqual(try await former.count(First.all), 4 + round)
            }
        },
    ]

    private static let toSecond = Migration.convert(First.self, to: Second.self) {
        Second($0.id, String($0.value))
    }

    private static let toThird = Migration.convert(Second.self, to: Third.self) {
        Third($0.id, [$0.value])
    }
}
