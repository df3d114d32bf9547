import DBClientCore
import Foundation

/// Read and write transactions, and what they isolate.
enum TransactionCases {
    static let all: [ConformanceCase] = writing + reading

    private static let writing: [ConformanceCase] = [
        promise(.transactions, "a write returns what its body returns and keeps what it wrote") {
            client in
            let count = try await client.write { transaction in
                try transaction.insert([Hero(1), Hero(2)])
                try transaction.insert(KeyOnly(1))
                return try transaction.count(Hero.all)
            }
            try expectEqual(count, 2)
            try expectEqual(try await client.count(Hero.all), 2)
            try expectEqual(try await client.count(KeyOnly.all), 1)
        },
        promise(.transactions, "a throwing body undoes everything and its error comes through") {
            client in
            try await client.insert([Hero(1, "old"), Hero(2)])
            do {
                try await client.write { transaction in
                    try transaction.update(Hero(1, "new"))
                    try transaction.delete(Hero.self, key: 2)
                    try transaction.insert([Hero(3), Hero(4)])
                    try transaction.insert(Account(1, email: "a@x"))
                    throw SuiteError.deliberate
                }
                throw ConformanceFailure("nothing was thrown")
            } catch SuiteError.deliberate {}
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "old"), Hero(2)])
            try expectEqual(try await client.count(Account.all), 0)
            try await client.insert(Account(2, email: "a@x"))
        },
        promise(.transactions, "a throwing blocking body undoes everything") { client in
            do {
                try client.writeBlocking { transaction in
                    try transaction.insert(Hero(1))
                    throw SuiteError.deliberate
                }
                throw ConformanceFailure("nothing was thrown")
            } catch SuiteError.deliberate {}
            try expectEqual(try client.blocking.count(Hero.all), 0)
            try client.blocking.insert(Hero(1))
        },
        promise(.transactions, "a write sees what it wrote") { client in
            try await client.insert((1...3).map { Hero($0, "a", power: Double($0)) })
            try await client.write { transaction in
                try transaction.insert(Hero(4, "a", power: 0))
                try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "b") }
                try transaction.delete(Hero.self, key: 2)
                try expectEqual(
                    try transaction.fetch(Hero.where { $0.name == "a" }).map(\.id),
                    [3, 4]
                )
                try expectEqual(
                    try transaction.fetch(Hero.all.sorted { $0.power }).map(\.id),
                    [4, 1, 3]
                )
                try expectEqual(try transaction.find(Hero.self, key: 2), nil)
                try expectEqual(try transaction.count(Hero.all), 3)
                try expectEqual(try transaction.max(\.power, of: Hero.all), 3)
                try expectEqual(try transaction.distinct(\.name, of: Hero.all), ["a", "b"])
            }
        },
        promise(.transactions, "a call that throws undoes itself and no more") { client in
            try await client.write { transaction in
                try transaction.insert([Hero(1), Hero(2)])
                try expectErrorInside(.duplicateKey) { try transaction.insert([Hero(3), Hero(1)]) }
                try expectErrorInside(.notFound) {
                    try transaction.update([Hero(1, "x"), Hero(9)])
                }
                try expectErrorInside(.invalidValue) {
                    try transaction.upsert([Hero(1, "x"), Hero(4, power: .nan)])
                }
                try expectEqual(try transaction.findAll(Hero.self), [Hero(1), Hero(2)])
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1), Hero(2)])
        },
        promise(.transactions, "a write of nothing changes nothing") { client in
            try await client.insert(Hero(1))
            try await client.write { _ in }
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(.transactions, "a thousand calls in one write") { client in
            try await client.write { transaction in
                for id in 0..<1_000 {
                    try transaction.insert(Hero(id))
                    if id % 3 == 0 { try transaction.delete(Hero.self, key: id) }
                    if id % 3 == 1 {
                        try transaction.update(Hero.self, key: id) { $0.set(\.power, to: 1) }
                    }
                }
            }
            try expectEqual(try await client.count(Hero.all), 666)
            try expectEqual(try await client.count(Hero.where { $0.power == 1 }), 333)
        },
        promise(.transactions, "a handle used after its write has ended throws") { client in
            let kept = Kept<WriteTransaction>()
            try await client.write { kept.keep($0) }
            try await expectError(.transactionEnded) { _ = try kept.get().findAll(Hero.self) }
            try await expectError(.transactionEnded) { try kept.get().insert(Hero(1)) }
            try await expectError(.transactionEnded) { try kept.get().upsert([Hero(1)]) }
            try await expectError(.transactionEnded) { try kept.get().deleteAll(Hero.self) }
            try await expectError(.transactionEnded) { try kept.get().write { _ in } }
            try? await client.write { transaction in
                kept.keep(transaction)
                throw SuiteError.deliberate
            }
            try await expectError(.transactionEnded) { try kept.get().insert(Hero(1)) }
            try expectEqual(try await client.count(Hero.all), 0)
        },
    ]

    private static let reading: [ConformanceCase] = [
        promise(.transactions, "a read returns what its body returns, and its error comes through")
        {
            client in
            try await client.insert([Hero(1), Hero(2)])
            let found = try await client.read { transaction in
                (try transaction.count(Hero.all), try transaction.find(Hero.self, key: 2))
            }
            try expectEqual(found.0, 2)
            try expectEqual(found.1, Hero(2))
            do {
                try await client.read { _ in throw SuiteError.deliberate }
                throw ConformanceFailure("nothing was thrown")
            } catch SuiteError.deliberate {}
        },
        promise(.transactions, "a handle used after its read has ended throws") { client in
            let kept = Kept<ReadTransaction>()
            try await client.read { kept.keep($0) }
            try await expectError(.transactionEnded) { _ = try kept.get().count(Hero.all) }
            try await expectError(.transactionEnded) { _ = try kept.get().find(Hero.self, key: 1) }
            try client.readBlocking { kept.keep($0) }
            try await expectError(.transactionEnded) { _ = try kept.get().fetch(Hero.all) }
        },
        promise(.transactions, "a read inside a read shares its snapshot") { client in
            try await client.insert(Hero(1))
            let counts = try client.readBlocking { outer in
                try client.readBlocking { inner in
                    [try outer.count(Hero.all), try inner.count(Hero.all)]
                }
            }
            try expectEqual(counts, [1, 1])
        },
        promise(.transactions, "a read inside a write sees what it wrote") { client in
            let count = try client.writeBlocking { transaction in
                try transaction.insert(Hero(1))
                return try client.blocking.count(Hero.all)
            }
            try expectEqual(count, 1)
        },
        promise(.transactions, "a read inside an async write sees what it wrote") { client in
            let count = try await client.write { transaction in
                try transaction.insert(Hero(1))
                return try client.blocking.count(Hero.all)
            }
            try expectEqual(count, 1)
        },
        promise(.transactions, "a write inside a read is refused") { client in
            try await expectError(.invalidRequest) {
                try client.readBlocking { _ in _ = try client.blocking.insert(Hero(1)) }
            }
            try await expectError(.invalidRequest) {
                try await client.read { _ in _ = try client.blocking.insert(Hero(1)) }
            }
            try expectEqual(try await client.count(Hero.all), 0)
        },
        promise(.transactions, "a read keeps its snapshot while others write") { client in
            try await client.insert((1...3).map { Hero($0, "old", power: 1) })
            let observed = try await onThread {
                try client.readBlocking { transaction in
                    let before = try transaction.count(Hero.all)
                    // A store with one connection writes only when this read is over.
                    let written = DispatchSemaphore(value: 0)
                    Task {
                        try await client.write { transaction in
                            try transaction.deleteAll(Hero.self)
                            try transaction.insert([Hero(1, "new", power: 2), Hero(9, "new")])
                        }
                        written.signal()
                    }
                    _ = written.wait(timeout: .now() + 0.3)
                    return [
                        before, try transaction.count(Hero.all),
                        try transaction.count(Hero.where { $0.name == "new" }),
                        try transaction.find(Hero.self, key: 9) == nil ? 0 : 1,
                        try transaction.fetch(Hero.all.sorted { $0.power }).map(\.id).count,
                    ]
                }
            }
            try expectEqual(observed, [3, 3, 0, 0, 3])
            // A write that comes after the other one shows that it has ended.
            try await client.write { _ in }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 9])
        },
        promise(
            .transactions,
            "a write ends while a read goes on",
            requires: [.concurrentReads]
        ) { client in
            try await client.insert(Hero(1))
            let ended = try await onThread {
                try client.readBlocking { transaction in
                    _ = try transaction.count(Hero.all)
                    let written = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        _ = try? client.blocking.insert(Hero(2))
                        written.signal()
                    }
                    return written.wait(timeout: .now() + 10) == .success
                }
            }
            try expect(ended, "the write waited for the read")
            try expectEqual(try await client.count(Hero.all), 2)
        },
    ]
}
