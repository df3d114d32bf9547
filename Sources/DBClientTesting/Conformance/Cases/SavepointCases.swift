import DBClientCore
import Foundation

/// Writes inside of a write, which are undone by themselves.
enum SavepointCases {
    static let all: [ConformanceCase] = [
        nested("a nested write that throws undoes itself, and the outer one goes on") { client in
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                do {
                    try transaction.write { nested in
                        try nested.insert(Hero(2))
                        try nested.update(Hero(1, "changed"))
                        try nested.deleteAll(KeyOnly.self)
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
                try expectEqual(try transaction.findAll(Hero.self), [Hero(1)])
                try transaction.insert(Hero(3))
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 3])
        },
        nested("a nested write that returns is kept with the outer one") { client in
            let value = try await client.write { transaction in
                try transaction.insert(Hero(1))
                let count = try transaction.write { nested in
                    try nested.insert(Hero(2))
                    return try nested.count(Hero.all)
                }
                try expectEqual(try transaction.count(Hero.all), 2)
                return count
            }
            try expectEqual(value, 2)
            try expectEqual(try await client.count(Hero.all), 2)
        },
        nested("a nested write is undone with the outer one") { client in
            try? await client.write { transaction in
                try transaction.write { _ = try $0.insert(Hero(1)) }
                throw SuiteError.deliberate
            }
            try expectEqual(try await client.count(Hero.all), 0)
        },
        nested("writes nest to any depth, each undone by itself") { client in
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                try transaction.write { second in
                    try second.insert(Hero(2))
                    try? second.write { third in
                        try third.insert(Hero(3))
                        try third.write { fourth in _ = try fourth.insert(Hero(4)) }
                        throw SuiteError.deliberate
                    }
                    try second.write { third in
                        try third.insert(Hero(5))
                        try? third.write { fourth in
                            try fourth.deleteAll(Hero.self)
                            throw SuiteError.deliberate
                        }
                    }
                }
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2, 5])
        },
        nested("thirty writes inside each other") { client in
            try await client.write { transaction in try descend(transaction, 30) }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), Array(1...30))
        },
        nested("an undone nested write gives unique values free again") { client in
            try await client.insert(Account(1, email: "a@x"))
            try await client.write { transaction in
                try? transaction.write { nested in
                    try nested.update(Account(1, email: "b@x"))
                    try nested.insert(Account(2, email: "c@x"))
                    throw SuiteError.deliberate
                }
                try expectErrorInside(.uniqueViolation) {
                    try transaction.insert(Account(3, email: "a@x"))
                }
                try transaction.insert([Account(3, email: "b@x"), Account(4, email: "c@x")])
            }
            try expectEqual(try await client.findAll(Account.self).map(\.id), [1, 3, 4])
        },
        nested("a library error in a nested write can be caught outside it") { client in
            try await client.insert(Hero(1))
            try await client.write { transaction in
                try expectErrorInside(.duplicateKey) {
                    try transaction.write { nested in
                        try nested.insert(Hero(2))
                        try nested.insert(Hero(1))
                    }
                }
                try transaction.insert(Hero(3))
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 3])
        },
        nested("a nested handle used after its write throws; the outer one goes on") { client in
            let kept = Kept<WriteTransaction>()
            try await client.write { transaction in
                try transaction.write { kept.keep($0) }
                try expectErrorInside(.transactionEnded) { try kept.get().insert(Hero(1)) }
                try transaction.insert(Hero(2))
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [2])
        },
        nested("a blocking write of the client inside its write is a savepoint") { client in
            try client.writeBlocking { transaction in
                try transaction.insert(Hero(1))
                try client.blocking.insert(Hero(2))
                try? client.writeBlocking { nested in
                    try nested.insert(Hero(3))
                    throw SuiteError.deliberate
                }
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2])
            try? await client.write { transaction in
                try client.blocking.insert(Hero(4))
                throw SuiteError.deliberate
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2])
        },
        nested("a blocking write inside the closure of a single call is a savepoint") { client in
            try await client.insert(Hero(1))
            try client.blocking.update(Hero.self, key: 1) { assignments in
                _ = try? client.blocking.insert([Hero(5), Hero(1)])
                try? client.writeBlocking { nested in
                    try nested.insert(Hero(6))
                    throw SuiteError.deliberate
                }
                assignments.set(\.name, to: "new")
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "new")])
        },
        nested("a nested write for each of some values, one of which throws") { client in
            try await client.insert((1...3).map { Hero($0) })
            try await client.write { transaction in
                for hero in try transaction.fetch(Hero.all) {
                    try? transaction.write { nested in
                        try nested.update(Hero(hero.id, "new"))
                        if hero.id == 2 { throw SuiteError.deliberate }
                    }
                }
            }
            try expectEqual(
                try await client.findAll(Hero.self).map(\.name),
                ["new", "Hero 2", "new"]
            )
        },
    ]

    private static func nested(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.savepoints, name, requires: [.savepoints], run: run)
    }

    private static func descend(_ transaction: WriteTransaction, _ depth: Int) throws {
        guard depth > 0 else { return }
        try transaction.insert(Hero(depth))
        try transaction.write { try descend($0, depth - 1) }
    }
}
