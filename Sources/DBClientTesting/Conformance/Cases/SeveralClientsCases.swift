import DBClientCore
import Foundation

/// Two clients of one store in one process.
enum SeveralClientsCases {
    static let all: [ConformanceCase] = [
        sharing("what one client wrote the other sees") { first, second in
            try await first.insert(Hero(1))
            try expectEqual(try await second.findAll(Hero.self), [Hero(1)])
            try await second.update(Hero(1, "new"))
            try await second.insert(Account(1, email: "a@x"))
            try expectEqual(try await first.findAll(Hero.self).map(\.name), ["new"])
            try await expectError(.uniqueViolation) {
                try await first.insert(Account(2, email: "a@x"))
            }
        },
        sharing("writes of two clients lose no update") { first, second in
            try await first.insert(Hero(1, power: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<40 {
                    let client = caller % 2 == 0 ? first : second
                    group.addTask {
                        try await client.write { transaction in
                            let power = try transaction.find(Hero.self, key: 1)?.power ?? -1
                            try transaction.update(Hero.self, key: 1) {
                                $0.set(\.power, to: power + 1)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(try await second.find(Hero.self, key: 1)?.power, 40)
        },
        sharing("generated keys of two clients differ") { first, second in
            var ids: [Int] = []
            for round in 0..<10 {
                ids.append(try await first.insert(Ticket(title: "a\(round)")).id)
                ids.append(try await second.insert(Ticket(title: "b\(round)")).id)
            }
            try expectEqual(Set(ids).count, 20)
        },
        sharing("closing one client leaves the other open") { first, second in
            try await first.insert(Hero(1))
            try first.close()
            try await expectError(.closed) { _ = try await first.count(Hero.all) }
            try expectEqual(try await second.count(Hero.all), 1)
            try await second.insert(Hero(2))
            try expectEqual(try await second.count(Hero.all), 2)
        },
        sharing("a closed client is not served by what another one observes") { first, second in
            try await first.insert([Hero(1), Hero(2)])
            try await watched {
                var observer = try await Observer(second.observe(Hero.all))
                var held = try await Observer(second.observe(Artist.all))
                var counts = second.observeCount(Hero.all).makeAsyncIterator()
                try expectEqual(try await counts.next(), 2)
                try first.close()
                try await expectError(.closed) { for try await _ in first.observe(Hero.all) {} }
                try await expectError(.closed) { for try await _ in first.observe(Artist.all) {} }
                try await expectError(.closed) {
                    for try await _ in first.observeCount(Hero.all) {}
                }
                try await expectError(.closed) {
                    for try await _ in first.changes(of: Hero.self) {}
                }
                try await expectError(.closed) {
                    for try await _ in first.changes(of: Artist.self) {}
                }
                // The other one's observers go on.
                try await second.write { transaction in
                    try transaction.delete(Hero.self, key: 1)
                    _ = try transaction.upsert(Artist(1, studio: Studio(1, "a")))
                }
                try expectEqual(try await observer.update().deletions, [0])
                try expectEqual(try await held.update().insertions, [0])
                try expectEqual(try await counts.next(), 1)
            }
        },
        sharing("a read of one client keeps its snapshot while the other writes") {
            first,
            second in
            try await first.insert([Hero(1), Hero(2)])
            let counts = try await onThread {
                try first.readBlocking { transaction in
                    let before = try transaction.count(Hero.all)
                    let written = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        _ = try? second.blocking.insert(Hero(3))
                        written.signal()
                    }
                    _ = written.wait(timeout: .now() + 5)
                    return [before, try transaction.count(Hero.all)]
                }
            }
            try expectEqual(counts, [2, 2])
            try expectEqual(try await first.count(Hero.all), 3)
        },
    ]

    private static func sharing(
        _ name: String,
        run: @escaping @Sendable (any DBClient, any DBClient) async throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(.severalClients, name, requires: [.severalClients]) { context in
            try await run(context.client, try await context.another())
        }
    }
}
