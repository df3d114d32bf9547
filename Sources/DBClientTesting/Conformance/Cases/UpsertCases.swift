import DBClientCore
import Foundation

/// Inserting or replacing, and the truth about which of the two was done.
enum UpsertCases {
    static let all: [ConformanceCase] = [
        promise(.upsert, "a key twice in a batch is one insertion, the last value wins") { client in
            let outcome = try await client.upsert([
                Hero(1, "a"), Hero(2, "b"), Hero(1, "c"), Hero(3, "d"), Hero(1, "e"),
            ])
            try expectEqual(outcome.inserted.map(\.name), ["b", "d", "e"])
            try expectEqual(outcome.updated, [])
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["e", "b", "d"])
        },
        promise(.upsert, "a stored key twice in a batch is one update, the last value wins") {
            client in
            try await client.insert(Hero(1))
            let outcome = try await client.upsert([Hero(1, "a"), Hero(1, "b")])
            try expectEqual(outcome.inserted, [])
            try expectEqual(outcome.updated, [Hero(1, "b")])
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "b")])
        },
        promise(.upsert, "keys that only Unicode holds to be equal are two") { client in
            let outcome = try await client.upsert([
                TextKeyed("\u{E9}", "1"), TextKeyed("e\u{301}", "2"), TextKeyed("\u{E9}", "3"),
            ])
            try expectEqual(outcome.inserted.map(\.note), ["2", "3"])
        },
        promise(.upsert, "an empty batch does nothing") { client in
            let outcome = try await client.upsert([Hero]())
            try expectEqual(outcome.inserted, [])
            try expectEqual(outcome.updated, [])
        },
        promise(.upsert, "an equal stored value still counts as updated") { client in
            try await client.insert(Hero(1))
            try expectEqual(try await client.upsert(Hero(1)).isUpdated, true)
        },
        promise(.upsert, "what the transaction itself inserted or deleted counts") { client in
            try await client.insert(Hero(1))
            try await client.write { transaction in
                try transaction.delete(Hero.self, key: 1)
                try expectEqual(try transaction.upsert(Hero(1)).isUpdated, false)
                try transaction.insert(Hero(2))
                try expectEqual(try transaction.upsert(Hero(2)).isUpdated, true)
            }
        },
        promise(.upsert, "what a roll-back took back counts as not stored") { client in
            try? await client.write { transaction in
                try transaction.insert(Hero(1))
                throw SuiteError.deliberate
            }
            try expectEqual(try await client.upsert(Hero(1)).isUpdated, false)
        },
        promise(.upsert, "a taken unique value undoes the batch", requires: [.uniqueIndexes]) {
            client in
            try await client.insert([Account(1, email: "a@x"), Account(2, email: "b@x")])
            try await expectError(.uniqueViolation) {
                try await client.upsert([
                    Account(3, email: "c@x"), Account(2, email: "a@x"), Account(1, email: "d@x"),
                ])
            }
            try expectEqual(
                try await client.findAll(Account.self).map(\.email),
                ["a@x", "b@x"]
            )
        },
        promise(
            .upsert,
            "a unique value is free once a value before has given it up, and not sooner",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(Account(1, email: "a@x"))
            try await expectError(.uniqueViolation) {
                try await client.upsert([Account(2, email: "a@x"), Account(1, email: "b@x")])
            }
            try expectEqual(try await client.findAll(Account.self).map(\.email), ["a@x"])
            let outcome = try await client.upsert([
                Account(1, email: "b@x"), Account(2, email: "a@x"),
            ])
            try expectEqual(outcome.inserted.map(\.id), [2])
            try expectEqual(try await client.findAll(Account.self).map(\.email), ["b@x", "a@x"])
        },
        promise(
            .upsert,
            "a taken unique value does not delete its holder",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(Account(1, email: "a@x"))
            try await expectError(.uniqueViolation) {
                try await client.upsert(Account(2, email: "a@x"))
            }
            try expectEqual(try await client.findAll(Account.self).map(\.id), [1])
        },
        promise(.upsert, "every field of a stored value is replaced") { client in
            try await client.insert(EveryType.full(1))
            try await client.upsert(EveryType(1))
            try expectEqual(try await client.findAll(EveryType.self), [EveryType(1)])
            try expectEqual(
                try await client.count(EveryType.where { $0.optionalText == nil }),
                1
            )
        },
        promise(.upsert, "5,000 values, half of them stored") { client in
            try await client.insert((0..<5_000).filter { $0 % 2 == 0 }.map { Hero($0) })
            let outcome = try await client.upsert((0..<5_000).reversed().map { Hero($0, "new") })
            try expectEqual(outcome.inserted.count, 2_500)
            try expect(outcome.inserted.allSatisfy { $0.id % 2 == 1 }, "odd keys were inserted")
            try expectEqual(
                outcome.updated.map(\.id),
                stride(from: 4_998, through: 0, by: -2).map(\.self)
            )
            try expectEqual(try await client.count(Hero.where { $0.name == "new" }), 5_000)
        },
    ]
}

/// An error of the suite's own, thrown by transaction bodies.
enum SuiteError: Error, Equatable {
    case deliberate
}
