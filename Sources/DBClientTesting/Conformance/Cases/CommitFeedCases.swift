import DBClientCore

/// The feed of commits tells each commit's values before and after.
enum CommitFeedCases {
    static let all: [ConformanceCase] = [
        observing("a commit tells what it inserted, updated and deleted") { client in
            try await client.insert([Hero(1), Hero(2), Hero(3)])
            var feed = client.changes(of: Hero.self).makeAsyncIterator()
            try await client.write { transaction in
                try transaction.insert([Hero(5), Hero(4)])
                try transaction.update(Hero(2, "new"))
                try transaction.delete(Hero.self, key: 1)
                try transaction.update(Hero(3))
                try transaction.insert(Account(1, email: "a@x"))
            }
            let commit = try await feed.next()
            try expectEqual(commit?.inserted, [Hero(4), Hero(5)])
            try expectEqual(commit?.updated, [.init(before: Hero(2), after: Hero(2, "new"))])
            try expectEqual(commit?.deleted, [Hero(1)])
            try expectEqual(commit?.hasUntrackedChanges, false)
        },
        observing("each commit is told apart, in order") { client in
            var feed = client.changes(of: Hero.self).makeAsyncIterator()
            for key in 1...20 { try await client.insert(Hero(key)) }
            for key in 1...20 { try expectEqual(try await feed.next()?.inserted, [Hero(key)]) }
        },
        observing("a value occurs once in a commit, with its first and last state") { client in
            try await client.insert([Hero(1), Hero(2), Hero(3)])
            var feed = client.changes(of: Hero.self).makeAsyncIterator()
            try await client.write { transaction in
                try transaction.insert(Hero(9))
                try transaction.delete(Hero.self, key: 9)
                try transaction.update(Hero(1, "a"))
                try transaction.update(Hero.self, key: 1) { $0.set(\.power, to: 2) }
                try transaction.delete(Hero.self, key: 2)
                try transaction.insert(Hero(2, "again"))
                try transaction.update(Hero(3, "b"))
                try transaction.update(Hero(3))
            }
            let commit = try await feed.next()
            try expectEqual(
                commit?.updated,
                [
                    .init(before: Hero(1), after: Hero(1, "a", power: 2)),
                    .init(before: Hero(2), after: Hero(2, "again")),
                ]
            )
            try expectEqual(commit?.inserted, [])
            try expectEqual(commit?.deleted, [])
        },
        observing("what is undone is not told, nor a commit without an effect") { client in
            try await client.insert(Hero(1))
            var feed = client.changes(of: Hero.self).makeAsyncIterator()
            do {
                try await client.write { transaction in
                    try transaction.insert(Hero(2))
                    throw SuiteError.deliberate
                }
            } catch SuiteError.deliberate {}
            try await client.update(Hero(1))
            try await client.insert(Account(1, email: "a@x"))
            try await client.insert(Hero(3))
            try expectEqual(try await feed.next()?.inserted, [Hero(3)])
        },
        observing("a listener far behind gets commits merged, and none is missed") { client in
            var feed = client.changes(of: Hero.self).makeAsyncIterator()
            var observer = try await Observer(client.observe(Hero.where { $0.id == 1 }))
            try await client.insert((1...100).map { Hero($0) })
            for round in 1...400 {
                try await client.write { transaction in
                    try transaction.update(Hero.all) { $0.set(\.power, to: Double(round)) }
                }
            }
            // The same hub tells the observer, so that the commits have come to the feed by now.
            try await observer.settle { try await client.fetch(Hero.where { $0.id == 1 }) }
            var powers: [Int: Double] = [:]
            var commits = 0
            while powers.count < 100 || powers.contains(where: { $0.value < 400 }) {
                guard let commit = try await feed.next() else {
                    throw ConformanceFailure("the feed ended")
                }
                commits += 1
                for hero in commit.inserted {
                    try expect(powers.updateValue(hero.power, forKey: hero.id) == nil, "twice")
                }
                for update in commit.updated {
                    try expectEqual(powers[update.before.id], update.before.power)
                    powers[update.after.id] = update.after.power
                }
            }
            try expect(commits < 400, "nothing was merged")
        },
        observing("closing the client ends the feed") { client in
            var feed = client.changes(of: Hero.self).makeAsyncIterator()
            try client.close()
            try await expectError(.closed) { _ = try await feed.next() }
            try expect(try await feed.next() == nil, "the feed went on")
        },
    ]
}
