import DBClientCore

/// What an observer is told of one change to the values of its request.
enum ObservationCases {
    private static let byName = Hero.where { $0.power > 0 }.sorted { $0.name }

    /// Three values at the positions 0, 1 and 2 of `byName`, and one that it does not have.
    private static let heroes = [
        Hero(3, "a", power: 1), Hero(1, "c", power: 1), Hero(2, "e", power: 1), Hero(4, "b"),
    ]

    private static func observing(
        _ name: String,
        _ run: @escaping @Sendable (any DBClient, inout Observer<Hero>) async throws -> Void
    ) -> ConformanceCase {
        DBClientTesting.observing(name) { client in
            try await client.insert(heroes)
            var observer = try await Observer(client.observe(byName))
            try await run(client, &observer)
            // Nothing else was delivered: the next change set is that of the next write.
            try await client.insert(Hero(99, "~", power: 1))
            let last = try await observer.update()
            try expectEqual(last.insertions, [last.objects.count - 1], "what came last:")
            try expectEqual(Array(last.objects), try await client.fetch(byName))
        }
    }

    static let all: [ConformanceCase] = [
        DBClientTesting.observing("the first element has the values in their order") { client in
            try await client.insert(heroes)
            var iterator = client.observe(byName).makeAsyncIterator()
            guard case .initial(let objects)? = try await iterator.next() else {
                throw ConformanceFailure("no initial element came")
            }
            try expectEqual(objects.map(\.id), [3, 1, 2])
        },
        DBClientTesting.observing("an empty result is told, and what comes to it") { client in
            var observer = try await Observer(client.observe(byName))
            try expectEqual(observer.copy.rows?.count, 0)
            try await client.insert(heroes)
            let changes = try await observer.update()
            try expectEqual(changes.insertions, [0, 1, 2])
        },
        observing("an insert is told where it is in the order") { client, observer in
            try await client.insert(Hero(9, "d", power: 1))
            let changes = try await observer.update()
            try expectEqual(changes.insertions, [2])
            try expectEqual(changes.deletions, [])
            try expectEqual(changes.objects.map(\.id), [3, 1, 9, 2])
            try expectEqual(changes.previous.map(\.id), [3, 1, 2])
        },
        observing("a delete is told where it was") { client, observer in
            try await client.delete(Hero.self, key: 1)
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [1])
            try expectEqual(changes.insertions, [])
            try expectEqual(changes.objects.map(\.id), [3, 2])
        },
        observing("a changed value is told with its old and new position") { client, observer in
            try await client.update(Hero.self, key: 2) { $0.set(\.realName, to: "E") }
            var changes = try await observer.update()
            let element = Hero(2, "e", realName: "E", power: 1)
            try expectEqual(Array(changes.modifications), [.init(old: 2, new: 2, element: element)])
            try expectEqual(changes.deletions + changes.insertions, [])
            try await client.write { transaction in
                try transaction.delete(Hero.self, key: 3)
                try transaction.update(Hero.self, key: 2) { $0.set(\.realName, to: "F") }
            }
            changes = try await observer.update()
            try expectEqual(changes.deletions, [0])
            try expectEqual(changes.modifications.map { [$0.old, $0.new] }, [[2, 1]])
        },
        observing("a value that moves is deleted, inserted, moved and modified") {
            client,
            observer in
            try await client.update(Hero.self, key: 3) { $0.set(\.name, to: "d") }
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [0])
            try expectEqual(changes.insertions, [1])
            try expectEqual(changes.moves, [.init(from: 0, to: 1)])
            try expectEqual(changes.modifications.map { [$0.old, $0.new] }, [[0, 1]])
        },
        observing("a changed sort key that keeps its place is no move") { client, observer in
            try await client.update(Hero.self, key: 1) { $0.set(\.name, to: "d") }
            let changes = try await observer.update()
            try expectEqual(changes.deletions + changes.insertions, [])
            try expectEqual(changes.moves, [])
            try expectEqual(changes.modifications.map { [$0.old, $0.new] }, [[1, 1]])
        },
        observing("a value that comes to fulfil the condition is inserted") { client, observer in
            try await client.update(Hero.self, key: 4) { $0.set(\.power, to: 2) }
            let changes = try await observer.update()
            try expectEqual(changes.insertions, [1])
            try expectEqual(changes.modifications.count, 0)
        },
        observing("a value that fulfils the condition no more is deleted") { client, observer in
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: 0) }
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [1])
            try expectEqual(changes.modifications.count, 0)
        },
        observing("writes to values outside the result deliver nothing") { client, observer in
            try await client.insert(Hero(10, "b"))
            try await client.update(Hero(10, "c"))
            try await client.delete(Hero.self, key: 10)
            try await client.insert(Account(1, email: "a@x"))
        },
        observing("writing what is stored delivers nothing") { client, observer in
            try await client.update(heroes[0])
            try await client.upsert(heroes)
            try await client.update(Hero.self, key: 1) { $0.set(\.name, to: "c") }
            try await client.update(Hero.self, key: 1) { _ in }
            try await client.delete(Hero.self, key: 12_345)
        },
        observing("every kind of write is told") { client, observer in
            try await client.upsert([heroes[1], Hero(7, "f", power: 1), Hero(2, "g", power: 1)])
            var changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [3, 1, 7, 2])
            try await client.update(Hero.where { $0.name >= "f" }) { $0.set(\.isActive, to: false) }
            changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [2, 3])
            try await client.updateExisting([Hero(7, "b", power: 1), Hero(70, "b", power: 1)])
            changes = try await observer.update()
            try expectEqual(changes.moves, [.init(from: 2, to: 1)])
            try await client.delete(Hero.where { $0.name < "c" })
            changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 1])
            try await client.deleteAll(Hero.self)
            changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 1])
            try client.blocking.insert(heroes)
            changes = try await observer.update()
            try expectEqual(changes.insertions, [0, 1, 2])
        },
        observing("a value that one call writes twice is told once") { client, observer in
            let last = Hero(1, "c", realName: "new", power: 1)
            try await client.update([Hero(1, "z", power: 1), last])
            var changes = try await observer.update()
            try expectEqual(Array(changes.modifications), [.init(old: 1, new: 1, element: last)])
            try expectEqual(changes.deletions + changes.insertions, [])
            try await client.updateExisting([Hero(1, "a", power: 1), Hero(1, "z"), last])
            try await client.update([last, Hero(1, "z", power: 1)])
            changes = try await observer.update()
            try expectEqual(changes.moves, [.init(from: 1, to: 2)])
            try await client.delete(Hero.self, keys: [1, 1])
            try expectEqual(try await observer.update().deletions, [2])
        },
        observing("a value that is deleted and inserted again is modified at most") {
            client,
            observer in
            try await client.write { transaction in
                try transaction.delete(Hero.self, key: 1)
                try transaction.insert(Hero(1, "c", realName: "new", power: 1))
                try transaction.delete(Hero.self, key: 2)
                try transaction.insert(heroes[2])
            }
            let changes = try await observer.update()
            try expectEqual(changes.deletions + changes.insertions, [])
            try expectEqual(changes.modifications.map(\.new), [1])
        },
        DBClientTesting.observing("a value with a key that the store makes is told") { client in
            let request = Ticket.all
            var observer = try await Observer(client.observe(request))
            let ticket = try await client.insert(Ticket(title: "first"))
            let changes = try await observer.update()
            try expectEqual(Array(changes.objects), [ticket])
        },
        observing("equal requests tell their observers the same") { client, observer in
            var second = try await Observer(client.observe(byName))
            try await client.update(Hero.self, key: 3) { $0.set(\.name, to: "z") }
            let changes = try await observer.update()
            let same = try await second.update()
            try expectEqual(changes.deletions, same.deletions)
            try expectEqual(changes.insertions, same.insertions)
            try expectEqual(changes.moves, same.moves)
            try expectEqual(changes.modifications, same.modifications)
            try expectEqual(changes.objects, same.objects)
        },
        observing("objects stay as they were when more changes follow") { client, observer in
            try await client.update(Hero.self, key: 3) { $0.set(\.realName, to: "one") }
            let before = try await observer.update().objects
            try await client.deleteAll(Hero.self)
            _ = try await observer.update()
            try expectEqual(before.map(\.id), [3, 1, 2])
            try expectEqual(before[0].realName, "one")
            try expectEqual(before.reversed().map(\.id), [2, 1, 3])
            try expectEqual(before[1...].map(\.id), [1, 2])
        },
    ]
}
