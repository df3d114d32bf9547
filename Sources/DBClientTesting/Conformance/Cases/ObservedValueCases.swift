import DBClientCore

/// Single values, counts and aggregates that are observed, and the feed of commits.
enum ObservedValueCases {
    static let all: [ConformanceCase] = [
        observing("a value is observed by its key") { client in
            try await client.insert([Hero(1), Hero(2)])
            var values = client.observe(Hero.self, key: 1).makeAsyncIterator()
            try expectEqual(try await values.next() ?? nil, Hero(1))
            try await client.update(Hero(2, "other"))
            try await client.update(Hero(1))
            try await client.update(Hero(1, "new"))
            try expectEqual(try await values.next() ?? nil, Hero(1, "new"))
            try await client.delete(Hero.self, key: 1)
            try expectEqual(try await values.next(), .some(nil), "the deletion:")
            try await client.insert(Hero(1, "again"))
            try expectEqual(try await values.next() ?? nil, Hero(1, "again"))
        },
        observing("a value with a key of several fields is observed") { client in
            let first = Issue("a", 1, title: "lead")
            var values = client.observe(Issue.self, key: first.primaryKey).makeAsyncIterator()
            try expectEqual(try await values.next(), .some(nil))
            try await client.insert(Issue("a", 2))
            try await client.insert(first)
            try expectSame(try await values.next() ?? nil, first)
        },
        observing("a count is observed") { client in
            let strong = Hero.where { $0.power > 5 }
            var counts = client.observeCount(strong).makeAsyncIterator()
            try expectEqual(try await counts.next(), 0)
            try await client.insert([Hero(1, power: 1), Hero(2, power: 9)])
            try expectEqual(try await counts.next(), 1)
            try await client.update(Hero.self, key: 2) { $0.set(\.name, to: "same count") }
            try await client.insert(Hero(3, power: 3))
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: 6) }
            try expectEqual(try await counts.next(), 2)
            try await client.deleteAll(Hero.self)
            try expectEqual(try await counts.next(), 0)
        },
        observing("a value that one call deletes twice counts once") { client in
            try await client.insert((1...4).map { Hero($0) })
            var counts = client.observeCount(Hero.all).makeAsyncIterator()
            try expectEqual(try await counts.next(), 4)
            try expectEqual(try await client.delete(Hero.self, keys: [1, 1, 2, 9, 2]), 2)
            try expectEqual(try await counts.next(), 2)
            try await client.insert(Hero(1))
            try expectEqual(try await counts.next(), 3)
            // A number below zero would be beyond all numbers here.
            var none = client.observeCount(Hero.all.offset(.max)).makeAsyncIterator()
            try expectEqual(try await none.next(), 0)
        },
        observing("an aggregate is observed") { client in
            let all = Hero.where { $0.isActive == true }
            try await client.insert([Hero(1, power: 1), Hero(2, power: 9)])
            var sums = client.observe(all) { try $0.sum(\.power, of: all) }.makeAsyncIterator()
            var most = client.observe(all) { try $0.max(\.power, of: all) }.makeAsyncIterator()
            try expectEqual(try await sums.next(), 10)
            try expectEqual(try await most.next(), 9)
            try await client.insert(Hero(3, power: 100, isActive: false))
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: 4) }
            try expectEqual(try await sums.next(), 13)
            try await client.delete(Hero.self, key: 2)
            try expectEqual(try await sums.next(), 4)
            try expectEqual(try await most.next(), 4)
        },
        observing("functions over a field are observed") { client in
            let strong = Hero.where { $0.power > 0 }
            var least = client.observeMin(\.power, of: strong).makeAsyncIterator()
            var most = client.observeMax(\.power, of: strong).makeAsyncIterator()
            var sum = client.observeSum(\.power, of: strong).makeAsyncIterator()
            var average = client.observeAverage(\.power, of: strong).makeAsyncIterator()
            var first = client.observeMin(\.bio, of: strong).makeAsyncIterator()
            var last = client.observeMax(\.publisherId, of: strong).makeAsyncIterator()
            var balance = client.observeSum(\.balance, of: Account.all).makeAsyncIterator()
            var publishers = client.observeSum(\.publisherId, of: strong).makeAsyncIterator()
            try expectEqual(try await least.next(), .some(nil))
            try expectEqual(try await most.next(), .some(nil))
            try expectEqual(try await sum.next(), 0)
            try expectEqual(try await average.next(), .some(nil))
            try expectEqual(try await first.next(), .some(nil))
            try expectEqual(try await last.next(), .some(nil))
            try expectEqual(try await balance.next(), 0)
            try expectEqual(try await publishers.next(), 0)
            try await client.insert([Hero(1, publisherId: 7, power: 3, bio: "b"), Hero(2)])
            try expectEqual(try await least.next(), 3)
            try expectEqual(try await most.next(), 3)
            try expectEqual(try await sum.next(), 3)
            try expectEqual(try await average.next(), 3)
            try expectEqual(try await first.next(), "b")
            try expectEqual(try await last.next(), 7)
            try expectEqual(try await publishers.next(), 7)
            try await client.insert([
                Hero(3, publisherId: 2, power: 6, bio: "a"), Hero(4, power: 3),
            ])
            try expectEqual(try await most.next(), 6)
            try expectEqual(try await sum.next(), 12)
            try expectEqual(try await average.next(), 4)
            try expectEqual(try await first.next(), "a")
            try expectEqual(try await publishers.next(), 9)
            try await client.deleteAll(Hero.self)
            try expectEqual(try await least.next(), .some(nil))
            try expectEqual(try await last.next(), .some(nil))
            try await client.insert([Account(1, balance: .max), Account(2, balance: 1)])
            try await expectError(.invalidValue) { _ = try await balance.next() }
        },
        observing("text is told anew when other scalars make the same characters") { client in
            let (composed, decomposed) = ("\u{E9}", "e\u{301}")
            try await client.insert(Hero(1, power: 1, bio: decomposed))
            var bio = client.observeMin(\.bio, of: Hero.all).makeAsyncIterator()
            let first = try await bio.next() ?? nil
            try expectEqual(first.map { Array($0.utf8) }, Array(decomposed.utf8))
            try await client.update(Hero.self, key: 1) { $0.set(\.bio, to: composed) }
            let second = try await bio.next() ?? nil
            try expectEqual(second.map { Array($0.utf8) }, Array(composed.utf8))
        },
        observing("who observes an equal function later has its value at once") { client in
            try await client.insert([Hero(1, power: 3), Hero(2, power: 4)])
            let strong = Hero.where { $0.power > 3 }
            var sums = client.observeSum(\.power, of: strong).makeAsyncIterator()
            try expectEqual(try await sums.next(), 4)
            try await client.insert(Hero(3, power: 5))
            try expectEqual(try await sums.next(), 9)
            var later: ValueStream<Double>.AsyncIterator? =
                client.observeSum(\.power, of: strong).makeAsyncIterator()
            try expectEqual(try await later?.next(), 9)
            try await client.delete(Hero.self, key: 2)
            try expectEqual(try await sums.next(), 5)
            try expectEqual(try await later?.next(), 5)
            later = nil
            try await client.delete(Hero.self, key: 3)
            try expectEqual(try await sums.next(), 0)
        },
        observing("observations of values end as others do") { client in
            try await expectError(.invalidRequest) {
                for try await _ in client.observeCount(Hero.all.offset(-1)) {}
            }
            var counts = client.observeCount(Hero.all).makeAsyncIterator()
            try expectEqual(try await counts.next(), 0)
            var sums = client.observeSum(\.power, of: Hero.all).makeAsyncIterator()
            try expectEqual(try await sums.next(), 0)
            try client.close()
            try await expectError(.closed) { _ = try await counts.next() }
            try await expectError(.closed) { _ = try await sums.next() }
            try expect(try await counts.next() == nil, "the observation went on")
            try await expectError(.closed) {
                for try await _ in client.observe(Hero.self, key: 1) {}
            }
        },
        observing("only some fields are observed") { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            let byName = Hero.all.sorted { $0.name }
            var observer = client.observe(byName, fields: \.name, \.power).makeAsyncIterator()
            _ = try await observer.next()
            try await client.update(Hero.self, key: 1) { $0.set(\.bio, to: "unseen") }
            try await client.update(Hero.self, key: 2) { $0.set(\.power, to: 3) }
            guard case .update(let changes)? = try await observer.next() else {
                throw ConformanceFailure("no update came")
            }
            try expectEqual(changes.modifications.map(\.new), [1])
            try expectEqual(changes.objects[0].bio, "unseen")
            try await client.write { transaction in
                try transaction.update(Hero.self, key: 1) { $0.set(\.realName, to: "unseen") }
                try transaction.insert(Hero(3, "c"))
            }
            guard case .update(let more)? = try await observer.next() else {
                throw ConformanceFailure("no update came")
            }
            try expectEqual(more.insertions, [2])
            try expectEqual(more.modifications.count, 0)
            try await expectError(.invalidRequest) {
                for try await _ in client.observe(byName, fields: \.shout) {}
            }
        },
    ]
}
