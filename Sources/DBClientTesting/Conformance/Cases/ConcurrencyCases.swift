import DBClientCore
import Foundation

/// Calls that many callers make at once.
enum ConcurrencyCases {
    static let all: [ConformanceCase] = [
        promise(.concurrency, "every one of many concurrent inserts is kept") { client in
            try await inParallel(64) { try await client.insert(Hero($0)) }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), Array(0..<64))
        },
        promise(.concurrency, "read-then-write units lose no update") { client in
            try await client.insert(Hero(1, power: 0))
            try await inParallel(64) { _ in
                try await client.write { transaction in
                    let power = try transaction.find(Hero.self, key: 1)?.power ?? -1
                    try transaction.update(Hero.self, key: 1) { $0.set(\.power, to: power + 1) }
                }
            }
            try expectEqual(try await client.find(Hero.self, key: 1)?.power, 64)
        },
        promise(.concurrency, "a unit that throws takes no other one with it") { client in
            try await inParallel(60) { id in
                do {
                    try await client.write { transaction in
                        try transaction.insert(Hero(id))
                        if id % 3 == 0 { throw SuiteError.deliberate }
                        if id % 3 == 1 { try transaction.insert(Hero(id)) }
                    }
                    try expectEqual(id % 3, 2)
                } catch SuiteError.deliberate {
                    try expectEqual(id % 3, 0)
                } catch let error as DBClientError {
                    try expectEqual(error.code, .duplicateKey)
                    try expectEqual(id % 3, 1)
                }
            }
            let expected = (0..<60).filter { $0 % 3 == 2 }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), expected)
        },
        promise(.concurrency, "of callers that insert one key, one succeeds") { client in
            let outcomes = try await inParallel(32) { caller in
                do {
                    try await client.insert(Hero(1, "\(caller)"))
                    return true
                } catch let error as DBClientError where error.code == .duplicateKey {
                    return false
                }
            }
            try expectEqual(outcomes.count { $0 }, 1)
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(.concurrency, "of upserts of one key, one inserts") { client in
            let outcomes = try await inParallel(32) { caller in
                try await client.upsert(Hero(1, "\(caller)")).isUpdated
            }
            try expectEqual(outcomes.count { !$0 }, 1)
        },
        promise(.concurrency, "generated keys differ", requires: [.generatedKeys]) { client in
            let ids = try await inParallel(64) {
                try await client.insert(Ticket(title: "\($0)")).id
            }
            try expectEqual(Set(ids).count, 64)
            let stored = try await client.findAll(Ticket.self)
            try expectEqual(Set(stored.map(\.id)), Set(ids))
            for ticket in stored { try expectEqual(ids[Int(ticket.title) ?? 0], ticket.id) }
        },
        promise(.concurrency, "a reader sees whole units only") { client in
            try await client.insert([Account(1, balance: 500), Account(2, balance: 500)])
            async let moves: Void = {
                for amount in 1...100 {
                    try await client.write { transaction in
                        for (id, change) in [(1, -amount), (2, amount)] {
                            let balance = try transaction.find(Account.self, key: id)?.balance ?? 0
                            try transaction.update(Account.self, key: id) {
                                $0.set(\.balance, to: balance + change)
                            }
                        }
                    }
                }
            }()
            for _ in 0..<200 {
                let sum = try await client.read { transaction in
                    let first = try transaction.find(Account.self, key: 1)?.balance ?? 0
                    let second = try transaction.find(Account.self, key: 2)?.balance ?? 0
                    return first + second
                }
                try expectEqual(sum, 1_000)
            }
            try await moves
        },
        promise(.concurrency, "blocking and async callers mix") { client in
            try await inParallel(40) { id in
                if id % 2 == 0 {
                    _ = try await onThread { try client.blocking.insert(Hero(id)) }
                } else {
                    try await client.insert(Hero(id))
                }
                try expectEqual(try await client.find(Hero.self, key: id)?.id, id)
            }
            try expectEqual(try await client.count(Hero.all), 40)
        },
        promise(.concurrency, "blocking writes from many threads are kept") { client in
            try await inParallel(8) { thread in
                try await onThread {
                    for step in 0..<25 { try client.blocking.insert(Hero(thread * 25 + step)) }
                }
            }
            try expectEqual(try await client.count(Hero.all), 200)
        },
        promise(.concurrency, "whoever has written sees it at once") { client in
            try await inParallel(16) { caller in
                for step in 0..<10 {
                    let key = caller * 10 + step
                    try await client.upsert(Hero(key, "\(step)"))
                    try expectEqual(try await client.find(Hero.self, key: key)?.name, "\(step)")
                    let named = Hero.where { $0.id == key && $0.name == "\(step)" }
                    try expectEqual(try await client.count(named), 1)
                }
            }
        },
    ]

    /// Runs a body many times at once and returns what each returned, by number.
    @discardableResult
    private static func inParallel<Value: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for index in 0..<count { group.addTask { (index, try await body(index)) } }
            var values: [(Int, Value)] = []
            for try await value in group { values.append(value) }
            return values.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
