import DBClientCore
import Foundation

/// Inserting: keys and unique values are new, or nothing is written.
enum InsertCases {
    static let all: [ConformanceCase] = [
        promise(.insert, "an existing key undoes the whole batch") { client in
            try await client.insert(Hero(3, "old"))
            let error = try await expectError(.duplicateKey) {
                try await client.insert([Hero(1), Hero(2), Hero(3, "new"), Hero(4)])
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(try await client.findAll(Hero.self), [Hero(3, "old")])
        },
        promise(.insert, "the same key twice in a batch is refused") { client in
            try await expectError(.duplicateKey) {
                try await client.insert([Hero(1, "a"), Hero(2), Hero(1, "b")])
            }
            try expectEqual(try await client.count(Hero.all), 0)
        },
        promise(.insert, "an empty batch does nothing") { client in
            try expectEqual(try await client.insert([Hero]()), [])
            try expectEqual(try await client.count(Hero.all), 0)
        },
        promise(.insert, "what ends a call of thousands undoes that call alone") { client in
            try await client.insert(Hero(2_500, "old"))
            let heroes = (1...5_000).map { Hero($0 + 2_500, "Hero \($0)") }
            let endings: [(hero: Hero, code: DBClientError.Code)] = [
                (Hero(9_000, "a\0b"), .invalidValue), (Hero(2_500, "new"), .duplicateKey),
                (heroes[0], .duplicateKey),
            ]
            for (number, ending) in endings.enumerated() {
                try await client.write { transaction in
                    try transaction.insert(Hero(number + 1))
                    try expectErrorInside(ending.code) {
                        try transaction.insert(heroes + [ending.hero])
                    }
                    try expectEqual(try transaction.count(Hero.all), number + 2)
                }
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2, 3, 2_500])
            try expectEqual(try await client.insert(heroes), heroes)
            try expectEqual(try await client.count(Hero.all), 5_004)
        },
        promise(.insert, "10,000 values in one batch") { client in
            let heroes = (0..<10_000).map { Hero($0, "Hero \($0 % 97)", power: Double($0)) }
            try expectEqual(try await client.insert(heroes.shuffled()).count, 10_000)
            try expectEqual(try await client.findAll(Hero.self), heroes)
            try expectEqual(try await client.count(Hero.where { $0.name == "Hero 5" }), 104)
        },
        promise(.insert, "thousands of values with few indexed ones, in any order") { client in
            let heroes = (0..<6_000).map { Hero($0, "Hero \($0 % 2)", publisherId: $0 % 3) }
            try await client.insert(Array(heroes[2_000..<4_000]))
            try await client.insert(heroes[4_000...].shuffled())
            try await client.insert(heroes[..<2_000].shuffled())
            for publisher in 0..<3 {
                let request = Hero.where { $0.publisherId == publisher }
                let expected = heroes.filter { $0.publisherId == publisher }
                try expectEqual(try await client.count(request), 2_000)
                try expectEqual(try await client.fetch(request), expected)
                try expectEqual(
                    try await client.fetch(request.filter { $0.name == "Hero 1" }),
                    expected.filter { $0.name == "Hero 1" }
                )
            }
            try expectEqual(try await client.delete(Hero.where { $0.publisherId == 1 }), 2_000)
            try expectEqual(try await client.count(Hero.where { $0.name == "Hero 0" }), 2_000)
        },
        promise(.insert, "thousands of values are returned as they are stored") { client in
            // Finer than a microsecond, which no engine keeps; the others are kept as they are.
            let fine = Date(timeIntervalSince1970: 1.000_000_4)
            for places in [[], [0], [2_999], [1_500, 1_501]] {
                var heroes = (0..<3_000).map { Hero($0) }
                for place in places { heroes[place].createdAt = fine }
                let stored = try await client.insert(heroes)
                try expectEqual(stored, try await client.findAll(Hero.self))
                try expectEqual(stored.map(\.id), heroes.map(\.id))
                try expectEqual(stored.indices.filter { stored[$0] != heroes[$0] }, places)
                try await client.deleteAll(Hero.self)
            }
        },
        promise(.insert, "of several values with taken keys the first is told") { client in
            try await client.insert([Hero(30), Hero(40)])
            let taken = [Hero(40, "b"), Hero(30, "c"), Hero(7, "d")]
            let keys: [Int] = [9, 7, 8, 20]
            for others in [keys, keys + (100..<3_000).reversed()] {
                let heroes = others.map { Hero($0) }
                for (values, key) in [(taken, "40"), (taken.reversed(), "7")] {
                    let error = try await expectError(.duplicateKey) {
                        try await client.insert(heroes + values)
                    }
                    try expectEqual(error.key, key)
                }
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(30), Hero(40)])
        },
        promise(.insert, "a batch larger than the library's chunks is one unit") { client in
            let keys = (0..<20_000).map { KeyOnly($0) }
            try await expectError(.duplicateKey) { try await client.insert(keys + [KeyOnly(0)]) }
            try expectEqual(try await client.count(KeyOnly.all), 0)
            try await client.insert(keys)
            try expectEqual(try await client.count(KeyOnly.all), 20_000)
        },
        promise(.insert, "a refused insert leaves the transaction usable") { client in
            try await client.insert(Hero(2))
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                try expectErrorInside(.duplicateKey) {
                    try transaction.insert([Hero(5), Hero(2)])
                }
                try expectEqual(try transaction.findAll(Hero.self).map(\.id), [1, 2])
                try transaction.insert(Hero(3))
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2, 3])
        },
        promise(
            .insert,
            "values get their keys in order, also after others are read",
            requires: [.generatedKeys]
        ) { client in
            try await client.write { transaction in
                for round in 0..<3 {
                    let titles = ["a", "b", "c"].map { "\($0)\(round)" }
                    let made = try transaction.insert(titles.map { Ticket(title: $0) })
                    try expectEqual(made.map(\.title), titles)
                    let stored = try transaction.findAll(Ticket.self)
                    try expectEqual(stored.suffix(3), made[...])
                    try expectEqual(stored.count, 3 * (round + 1))
                }
            }
        },
        promise(.insert, "a taken unique value undoes the batch", requires: [.uniqueIndexes]) {
            client in
            try await client.insert(Account(1, email: "a@x"))
            let error = try await expectError(.uniqueViolation) {
                try await client.insert([Account(2, email: "b@x"), Account(3, email: "a@x")])
            }
            try expectEqual(error.entity, "Account")
            try expectEqual(try await client.findAll(Account.self).map(\.id), [1])
            try await client.insert(Account(2, email: "b@x"))
        },
        promise(
            .insert,
            "a taken key comes before a taken unique value",
            requires: [.uniqueIndexes]
        ) {
            client in
            try await client.insert(Account(1, email: "a@x"))
            try await expectError(.duplicateKey) {
                try await client.insert(Account(1, email: "a@x"))
            }
        },
        promise(.insert, "a unique field may be nil many times", requires: [.uniqueIndexes]) {
            client in
            try await client.insert((1...5).map { Account($0, tenant: "t") })
            try expectEqual(try await client.count(Account.where { $0.email == nil }), 5)
        },
        promise(
            .insert,
            "a unique pair is refused when equal in both and neither is nil",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([
                Account(1, tenant: "t", login: "a"), Account(2, tenant: "t", login: "b"),
                Account(3, tenant: "u", login: "a"), Account(4, tenant: "t"),
                Account(5, tenant: "t"),
            ])
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(6, tenant: "t", login: "a"))
            }
            try expectEqual(try await client.count(Account.all), 5)
        },
        promise(.insert, "unique text is compared by its bytes", requires: [.uniqueIndexes]) {
            client in
            try await client.insert([
                Account(1, email: "\u{E9}"), Account(2, email: "e\u{301}"), Account(3, email: "a"),
                Account(4, email: "A"), Account(5, email: ""), Account(6, email: " "),
            ])
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(7, email: "e\u{301}"))
            }
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(7, email: ""))
            }
        },
        promise(.insert, "models of one client do not mix") { client in
            try await client.insert(Hero(1))
            try await client.insert(KeyOnly(1))
            try await client.insert(Account(1))
            try await client.deleteAll(Hero.self)
            try expectEqual(try await client.count(KeyOnly.all), 1)
            try expectEqual(try await client.count(Account.all), 1)
        },
        promise(.insert, "reading a model that was never written finds nothing") { client in
            try expectEqual(try await client.find(Hero.self, key: 1), nil)
            try expectEqual(try await client.findAll(Hero.self), [])
            try expectEqual(try await client.count(Hero.where { $0.name == "a" }), 0)
            try expectEqual(try await client.delete(Hero.self, key: 1), false)
            try expectEqual(try await client.update(Hero.all) { $0.set(\.power, to: 1) }, 0)
        },
    ]
}
