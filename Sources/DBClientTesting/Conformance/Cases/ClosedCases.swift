import DBClientCore
import Foundation

/// A closed client refuses every call, and loses nothing.
enum ClosedCases {
    static let all: [ConformanceCase] = [
        promise(.closed, "every async call of a closed client is refused") { client in
            try await client.insert(Hero(1))
            try client.close()
            try await expectError(.closed) { _ = try await client.find(Hero.self, key: 1) }
            try await expectError(.closed) { _ = try await client.fetch(Hero.all) }
            try await expectError(.closed) { _ = try await client.count(Hero.all) }
            try await expectError(.closed) { try await client.insert(Hero(2)) }
            try await expectError(.closed) { try await client.update(Hero(1)) }
            try await expectError(.closed) { try await client.upsert([Hero(1)]) }
            try await expectError(.closed) { try await client.deleteAll(Hero.self) }
            try await expectError(.closed) { try await client.write { _ in } }
            try await expectError(.closed) { try await client.read { _ in } }
            try await expectError(.closed) { for try await _ in client.stream(Hero.all) {} }
        },
        promise(.closed, "every blocking call of a closed client is refused") { client in
            try client.blocking.insert(Hero(1))
            try client.close()
            try await expectError(.closed) { _ = try client.blocking.find(Hero.self, key: 1) }
            try await expectError(.closed) { try client.blocking.insert(Hero(2)) }
            try await expectError(.closed) { try client.readBlocking { _ in } }
            try await expectError(.closed) { try client.writeBlocking { _ in } }
        },
        promise(.closed, "closing twice does nothing") { client in
            try client.close()
            try client.close()
            try client.blocking.close()
        },
        promise(.closed, "closing inside a transaction is refused") { client in
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                try expectErrorInside(.invalidRequest) { try client.close() }
            }
            try client.writeBlocking { transaction in
                try transaction.insert(Hero(2))
                try expectErrorInside(.invalidRequest) { try client.close() }
            }
            try await client.read { transaction in
                try expectErrorInside(.invalidRequest) { try client.close() }
                try expectEqual(try transaction.count(Hero.all), 2)
            }
            try client.close()
        },
        promise(.closed, "writes under way when a client closes are whole or refused") { client in
            let tasks = (0..<40).map { id in
                Task { try await client.insert([Hero(id), Hero(id + 100)]) }
            }
            try await onThread { try client.close() }
            for task in tasks {
                if case .failure(let error) = await task.result {
                    try expectEqual((error as? DBClientError)?.code, .closed)
                }
            }
            try await expectError(.closed) { _ = try await client.count(Hero.all) }
        },
        ConformanceCase(
            .closed,
            "what was acknowledged before closing is there afterwards",
            requires: [.persistence]
        ) { context in
            let client = context.client
            let tasks = (0..<40).map { id in
                Task { try await client.insert([Hero(id), Hero(id + 100)]) }
            }
            try await onThread { try client.close() }
            var acknowledged: [Int] = []
            for (id, task) in tasks.enumerated() {
                if case .success = await task.result { acknowledged += [id, id + 100] }
            }
            let reopened = try await context.reopen()
            try expectEqual(
                try await reopened.findAll(Hero.self).map(\.id),
                acknowledged.sorted()
            )
        },
    ]
}
