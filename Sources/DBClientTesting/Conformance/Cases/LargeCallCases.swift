import DBClientCore

/// Calls on more values than an engine takes at once: they mean what calls on few values mean.
enum LargeCallCases {
    static let all: [ConformanceCase] = [
        promise(.upsert, "a key is made among thousands in order", requires: [.generatedKeys]) {
            client in
            let given = (1...1_100).map { Ticket(id: $0, title: "given") }
            try await client.insert(given)
            let outcome = try await client.upsert([Ticket(title: "new")] + given)
            try expectEqual(outcome.inserted.map(\.title), ["new"])
            try expectEqual(outcome.updated, given)
            let made = outcome.inserted[0]
            try expect(made.id > 1_100, "the key \(made.id) was made")
            try expectEqual(try await client.find(Ticket.self, key: 0), nil)
            try expectEqual(try await client.find(Ticket.self, key: made.id), made)
            try expectEqual(try await client.count(Ticket.all), 1_101)
        },
        promise(
            .upsert,
            "a key is made between thousands below it and thousands above",
            requires: [.generatedKeys]
        ) { client in
            let below = (-1_050 ... -1).map { Ticket(id: $0, title: "below") }
            let above = (1...1_050).map { Ticket(id: $0 + 5_000, title: "above") }
            let outcome = try await client.upsert(below + [Ticket(title: "new")] + above)
            try expectEqual(outcome.updated, [])
            let made = outcome.inserted[1_050]
            try expectEqual(made.title, "new")
            try expect(made.id > 0, "the key \(made.id) was made")
            try expectEqual(outcome.inserted, below + [made] + above)
            try expectEqual(try await client.find(Ticket.self, key: 0), nil)
            try expectEqual(try await client.count(Ticket.all), 2_101)
        },
        promise(.insert, "a value that cannot be stored is told before any key that is taken") {
            client in
            try await client.insert(Hero(1, "old"))
            let heroes = (1...3_000).map { Hero($0) }
            for heroes in [heroes, heroes.reversed()] {
                let values = heroes + [Hero(9_000, power: .nan)]
                try await expectError(.invalidValue) { try await client.insert(values) }
                try await client.write { transaction in
                    try expectErrorInside(.invalidValue) { try transaction.insert(values) }
                    try expectEqual(try transaction.count(Hero.all), 1)
                }
                try await expectError(.duplicateKey) { try await client.insert(heroes) }
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "old")])
        },
        promise(.insert, "of 140,000 values one that cannot be stored is told first") { client in
            try await client.insert(TextKeyed("0"))
            let values = (0..<140_000).map { TextKeyed("\($0)") }
            try await expectError(.invalidValue) {
                try await client.insert(values + [TextKeyed("last", "\0")])
            }
            try expectEqual(try await client.count(TextKeyed.all), 1)
        },
        promise(
            .upsert,
            "a value that cannot be stored is told before any unique value that is taken",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(Account(9_999, email: "taken"))
            let accounts = [Account(1, email: "taken")] + (2...2_500).map { Account($0) }
            for accounts in [accounts, accounts.reversed()] {
                let values = accounts + [Account(9_000, email: "\0")]
                try await expectError(.invalidValue) { try await client.upsert(values) }
                try await client.write { transaction in
                    try expectErrorInside(.invalidValue) { try transaction.upsert(values) }
                    try expectEqual(try transaction.count(Account.all), 1)
                }
                try await expectError(.uniqueViolation) { try await client.upsert(accounts) }
            }
            try expectEqual(try await client.findAll(Account.self).map(\.id), [9_999])
        },
        promise(.update, "a value that cannot be stored is told before any that is missing") {
            client in
            let heroes = (1...2_500).map { Hero($0) }
            try await client.insert(heroes)
            let values = [Hero(0)] + heroes.dropLast() + [Hero(2_500, power: .nan)]
            try await expectError(.invalidValue) { try await client.update(values) }
            try await expectError(.notFound) { try await client.update([Hero(0)] + heroes) }
            try expectEqual(try await client.findAll(Hero.self), heroes)
        },
    ]
}
