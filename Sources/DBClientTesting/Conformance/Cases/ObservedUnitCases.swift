import DBClientCore

/// Change sets follow commits: one for each, or one for several when the observer is slow.
enum ObservedUnitCases {
    private static func observing(
        _ name: String,
        _ run: @escaping @Sendable (any DBClient, inout Observer<Hero>) async throws -> Void
    ) -> ConformanceCase {
        DBClientTesting.observing(name) { client in
            try await client.insert([Hero(10), Hero(20), Hero(30)])
            var observer = try await Observer(client.observe(Hero.all))
            try await run(client, &observer)
            // Nothing else was delivered: the next change set is that of the next write.
            try await client.insert(Hero(100_000))
            let last = try await observer.update()
            try expectEqual(last.insertions, [last.objects.count - 1], "what came last:")
            try expectEqual(Array(last.objects), try await client.findAll(Hero.self))
        }
    }

    static let all: [ConformanceCase] = [
        observing("a transaction is one change set") { client, observer in
            try await client.write { transaction in
                try transaction.delete(Hero.self, key: 10)
                try transaction.insert([Hero(5), Hero(15), Hero(16)])
                try transaction.update(Hero(30, "new"))
                try transaction.delete(Hero.self, key: 16)
            }
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [0])
            try expectEqual(changes.insertions, [0, 1])
            try expectEqual(changes.modifications.map { [$0.old, $0.new] }, [[2, 3]])
        },
        observing("fields that are modified are told as they become") { client, observer in
            let count = try await client.update(Hero.where { $0.id > 10 }) {
                $0.modify(\.power) { $0 += 7 }
                $0.set(\.bio, to: "b")
            }
            try expectEqual(count, 2)
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map { [$0.old, $0.new] }, [[1, 1], [2, 2]])
            try expectEqual(
                Array(changes.objects),
                [Hero(10), Hero(20, power: 7, bio: "b"), Hero(30, power: 7, bio: "b")]
            )
        },
        DBClientTesting.observing("a transaction that writes through two models keeps the order") {
            client in
            try await client.insert([Hero(1, "c"), Hero(2, "f")])
            let byName = Hero.all.sorted { $0.name }
            var observer = try await Observer(client.observe(byName))
            var counts = client.observeCount(Hero.where { $0.name < "d" }).makeAsyncIterator()
            try expectEqual(try await counts.next(), 1)
            var feed = client.changes(of: Hero.self).makeAsyncIterator()
            try await client.write { transaction in
                try transaction.update(Hero(1, "g"))
                try transaction.update(SameHero(Hero(1, "a")))
                try transaction.update(Hero(1, "h"))
                try transaction.update(SameHero(Hero(2, "b")))
                try transaction.update(Hero(2, "e"))
                try transaction.update(SameHero(Hero(2, "g")))
            }
            let changes = try await observer.update()
            try expectEqual(changes.objects.map(\.name), ["g", "h"])
            try expectEqual(try await counts.next(), 0)
            try expectEqual(
                try await feed.next()?.updated,
                [
                    .init(before: Hero(1, "c"), after: Hero(1, "h")),
                    .init(before: Hero(2, "f"), after: Hero(2, "g")),
                ]
            )
        },
        observing("a transaction that throws delivers nothing") { client, observer in
            do {
                try await client.write { transaction in
                    try transaction.insert(Hero(1))
                    try transaction.deleteAll(Hero.self)
                    throw SuiteError.deliberate
                }
            } catch SuiteError.deliberate {}
            try await expectError(.duplicateKey) {
                try await client.insert([Hero(1), Hero(2), Hero(10)])
            }
        },
        observing("what a savepoint undid is not told") { client, observer in
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                do {
                    try transaction.write { nested in
                        try nested.insert(Hero(2))
                        try nested.delete(Hero.self, key: 1)
                        try nested.update(Hero(10, "undone"))
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
                try transaction.write { _ = try $0.insert(Hero(3)) }
                do {
                    try transaction.insert([Hero(4), Hero(3)])
                } catch let error as DBClientError {
                    try expectEqual(error.code, .duplicateKey)
                }
            }
            let changes = try await observer.update()
            try expectEqual(changes.insertions, [0, 1])
            try expectEqual(changes.objects.map(\.id), [1, 3, 10, 20, 30])
            try expectEqual(changes.modifications.count, 0)
        },
        observing("each commit is a change set for who listens") { client, observer in
            for key in 1...5 {
                try await client.insert(Hero(key))
                let changes = try await observer.update()
                try expectEqual(changes.insertions, [key - 1])
            }
        },
        observing("who is slow gets one change set for all that was missed") { client, observer in
            for key in 1...50 { try await client.insert(Hero(key + 100)) }
            try await client.delete(Hero.self, key: 10)
            try await client.update(Hero(20, "new"))
            try await client.delete(Hero.where { $0.id > 120 })
            // Deliveries follow commits by a little: what is there by then comes as one.
            try await observer.settle { try await client.findAll(Hero.self) }
            try expect(observer.copy.updates < 50, "nothing was merged")
        },
        observing("changes that undo each other before they are told are not told") {
            client,
            observer in
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                try transaction.update(Hero(10, "other"))
                try transaction.delete(Hero.self, key: 1)
                try transaction.update(Hero(10))
            }
        },
        observing("commits of many tasks come in order") { client, observer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<16 {
                    group.addTask {
                        for round in 0..<10 {
                            try await client.write { transaction in
                                let hero = try transaction.find(Hero.self, key: 10)
                                let power = (hero?.power ?? 0) + 1
                                try transaction.update(Hero.self, key: 10) {
                                    $0.set(\.power, to: power)
                                }
                                try transaction.upsert(Hero(1_000 + task, "\(round)"))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            var last = 0.0
            while last < 160 {
                let power = try await observer.update().objects.first { $0.id == 10 }?.power ?? -1
                try expect(power > last, "the commits came out of order")
                last = power
            }
            try await observer.settle { try await client.findAll(Hero.self) }
        },
        DBClientTesting.observing("who begins among writers misses nothing") { client in
            let writer = Task {
                for key in 1...60 { try await client.insert(Hero(key)) }
            }
            var followers: [Follower<Hero>] = []
            for _ in 0..<20 {
                followers.append(Follower(client.observe(Hero.all)))
                // Each begins beside other writes.
                try await Task.sleep(for: .milliseconds(1))
            }
            try await writer.value
            for follower in followers {
                try await follower.settle { try await client.findAll(Hero.self) }
            }
        },
        ConformanceCase(
            .observation,
            "what another client of the store writes is told",
            requires: [.severalClients, .observation]
        ) { context in
            let client = context.client
            let other = try await context.another()
            try await watched {
                try await client.insert(Hero(1))
                var first = try await Observer(client.observe(Hero.all))
                var second = try await Observer(other.observe(Hero.all))
                try await other.insert(Hero(2))
                try expectEqual(try await first.update().insertions, [1])
                try expectEqual(try await second.update().insertions, [1])
                try await client.delete(Hero.self, key: 1)
                try expectEqual(try await first.update().deletions, [0])
                try expectEqual(try await second.update().deletions, [0])
                try other.close()
                try await client.insert(Hero(3))
                try expectEqual(try await first.update().insertions, [1])
                try await expectError(.closed) { _ = try await second.update() }
            }
        },
    ]
}
