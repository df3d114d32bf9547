import DBClientCore
import Foundation

/// Replacing whole values by their keys.
enum UpdateCases {
    static let all: [ConformanceCase] = [
        promise(.crud, "upsert of thousands is the same in any order") { client in
            // Finer than a microsecond, which no engine keeps.
            let fine = Date(timeIntervalSince1970: 1.000_000_4)
            let known = (0..<3_000).filter { $0 % 3 == 0 }
            let heroes = (0..<3_000).map { id in
                var hero = Hero(id, "new \(id)")
                if id == 2_000 { hero.createdAt = fine }
                return hero
            }
            // The one with the value that counts is in its last place.
            let twice = [heroes[1_999], heroes[4]]
            for rows in [heroes, heroes.shuffled(), twice + heroes, heroes + twice] {
                try await client.upsert(known.map { Hero($0, "old") })
                try await client.write { transaction in
                    try expectErrorInside(.invalidValue) {
                        try transaction.upsert(heroes + [Hero(9_000, "a\0b")])
                    }
                    try expectEqual(try transaction.fetch(Hero.all), known.map { Hero($0, "old") })
                }
                let outcome = try await client.upsert(rows)
                let stored = try await client.findAll(Hero.self)
                try expectEqual(stored.map(\.name), heroes.map(\.name))
                try expectEqual(outcome.updated.sorted { $0.id < $1.id }.map(\.id), known)
                try expectEqual(
                    (outcome.inserted + outcome.updated).sorted { $0.id < $1.id },
                    stored
                )
                try await client.deleteAll(Hero.self)
            }
        },
        promise(.update, "a missing key undoes the whole batch") { client in
            try await client.insert([Hero(1), Hero(3)])
            let error = try await expectError(.notFound) {
                try await client.update([Hero(1, "x"), Hero(2, "x"), Hero(3, "x")])
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(try await client.findAll(Hero.self), [Hero(1), Hero(3)])
        },
        promise(.update, "updateExisting of nothing stored changes nothing") { client in
            try expectEqual(try await client.updateExisting([Hero(1), Hero(2)]), [])
            try expectEqual(try await client.updateExisting([Hero]()), [])
            try expectEqual(try await client.count(Hero.all), 0)
        },
        promise(.update, "updateExisting returns what is stored") { client in
            try await client.insert([Hero(1), Hero(3)])
            let precise = Date(timeIntervalSince1970: 1.000_000_4)
            let updated = try await client.updateExisting([
                Hero(1, createdAt: precise), Hero(2, createdAt: precise), Hero(3),
            ])
            try expectEqual(updated.map(\.id), [1, 3])
            try expectEqual(updated[0].createdAt, Date(timeIntervalSince1970: 1))
            try expectEqual(updated, try await client.findAll(Hero.self))
        },
        promise(.update, "the same key twice in a batch leaves the last") { client in
            try await client.insert(Hero(1))
            try await client.update([Hero(1, "a"), Hero(1, "b")])
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["b"])
        },
        promise(.update, "every field can become nil and stop being nil") { client in
            try await client.insert([EveryType.full(1), EveryType(2)])
            var emptied = EveryType.full(1)
            for clear in EveryType.clearings { clear(&emptied) }
            let filled = EveryType.full(2)
            try await client.update([emptied, filled])
            try expectEqual(try await client.findAll(EveryType.self), [emptied, filled])
        },
        promise(.update, "an indexed field is found by its new value alone") { client in
            try await client.insert([
                Hero(1, "old", publisherId: 1), Hero(2, "old", publisherId: 1),
            ])
            try await client.update(Hero(1, "new", publisherId: 2))
            try expectEqual(try await client.fetch(Hero.where { $0.name == "old" }).map(\.id), [2])
            try expectEqual(try await client.fetch(Hero.where { $0.name == "new" }).map(\.id), [1])
            let both = Hero.where { $0.publisherId == 2 && $0.name == "new" }
            try expectEqual(try await client.fetch(both).map(\.id), [1])
        },
        promise(.update, "a value keeps its own unique value", requires: [.uniqueIndexes]) {
            client in
            try await client.insert([Account(1, email: "a@x"), Account(2, email: "b@x")])
            try await client.update(Account(1, email: "a@x", balance: 5))
            try expectEqual(try await client.find(Account.self, key: 1)?.balance, 5)
        },
        promise(.update, "of two errors the earlier value's counts", requires: [.uniqueIndexes]) {
            client in
            let stored = [Account(1, email: "a@x"), Account(2, email: "b@x")]
            try await client.insert(stored)
            let (missing, taken) = (Account(3), Account(2, email: "a@x"))
            try await expectError(.notFound) { try await client.update([missing, taken]) }
            try await expectError(.uniqueViolation) { try await client.update([taken, missing]) }
            try expectEqual(try await client.findAll(Account.self), stored)
        },
        promise(.update, "a taken unique value undoes the batch", requires: [.uniqueIndexes]) {
            client in
            let accounts = [Account(1, email: "a@x"), Account(2, email: "b@x")]
            try await client.insert(accounts)
            try await expectError(.uniqueViolation) {
                try await client.update([Account(1, email: "c@x"), Account(2, email: "c@x")])
            }
            try expectEqual(try await client.findAll(Account.self), accounts)
        },
        promise(.update, "a unique value that was given up is free", requires: [.uniqueIndexes]) {
            client in
            try await client.insert([Account(1, email: "a@x"), Account(2, email: "b@x")])
            try await client.update([Account(1, email: "c@x"), Account(2, email: "a@x")])
            try await client.insert(Account(3, email: "b@x"))
            try await client.delete(Account.self, key: 1)
            try await client.insert(Account(4, email: "c@x"))
            try expectEqual(
                try await client.findAll(Account.self).map(\.email),
                ["a@x", "b@x", "c@x"]
            )
        },
        promise(
            .update,
            "unique values are checked row by row, in the order given",
            requires: [.uniqueIndexes]
        ) { client in
            let accounts = [Account(1, email: "a@x"), Account(2, email: "b@x")]
            try await client.insert(accounts)
            try await expectError(.uniqueViolation) {
                try await client.update([Account(2, email: "a@x"), Account(1, email: "c@x")])
            }
            try await expectError(.uniqueViolation) {
                try await client.upsert([Account(2, email: "a@x"), Account(1, email: "c@x")])
            }
            try expectEqual(try await client.findAll(Account.self), accounts)
            try await client.upsert([Account(1, email: "c@x"), Account(2, email: "a@x")])
        },
        promise(.update, "5,000 values in one batch") { client in
            try await client.insert((0..<5_000).map { Hero($0) })
            try await client.update((0..<5_000).shuffled().map { Hero($0, "new") })
            try expectEqual(try await client.count(Hero.where { $0.name == "new" }), 5_000)
        },
    ]
}

extension EveryType {
    /// What makes each optional field nil.
    static let clearings: [@Sendable (inout EveryType) -> Void] = [
        { ($0.optionalFlag, $0.optionalInt8, $0.optionalInt16) = (nil, nil, nil) },
        { ($0.optionalInt32, $0.optionalInt64, $0.optionalUint8) = (nil, nil, nil) },
        { ($0.optionalUint16, $0.optionalUint32, $0.optionalUint64) = (nil, nil, nil) },
        { ($0.optionalUint, $0.optionalFloat, $0.optionalDouble) = (nil, nil, nil) },
        { ($0.optionalText, $0.optionalData, $0.optionalDate) = (nil, nil, nil) },
        { ($0.optionalUuid, $0.optionalUrl, $0.optionalDecimal) = (nil, nil, nil) },
        { ($0.optionalMood, $0.optionalLevel, $0.optionalTags) = (nil, nil, nil) },
        { ($0.optionalNumbers, $0.optionalScores) = (nil, nil) },
        { ($0.optionalOrigin, $0.optionalPlace) = (nil, nil) },
    ]
}
