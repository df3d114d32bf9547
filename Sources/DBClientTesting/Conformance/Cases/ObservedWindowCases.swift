import DBClientCore

/// Limit and offset apply to what is observed.
enum ObservedWindowCases {
    private static func heroes(_ ids: some Sequence<Int>) -> [Hero] {
        ids.map { Hero($0, "n", power: Double($0)) }
    }

    private static let byPower = Hero.all.sorted { $0.power }

    private static func observing(
        _ name: String,
        _ request: FetchRequest<Hero>,
        _ run: @escaping @Sendable (any DBClient, inout Observer<Hero>) async throws -> Void
    ) -> ConformanceCase {
        DBClientTesting.observing(name) { client in
            try await client.insert(heroes(stride(from: 10, through: 1_000, by: 10)))
            var observer = try await Observer(client.observe(request))
            try await run(client, &observer)
            // Nothing else was delivered: the next change set is that of the next write.
            try await client.insert(Hero(1, "first", power: -1))
            let last = try await observer.update()
            try expectEqual(last.insertions, [0], "what came last:")
            try expectEqual(Array(last.objects), try await client.fetch(request))
        }
    }

    static let all: [ConformanceCase] = [
        observing("an insert pushes the last value out", byPower.limit(3)) { client, observer in
            try await client.insert(heroes([15]))
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [2])
            try expectEqual(changes.insertions, [1])
            try expectEqual(changes.objects.map(\.id), [10, 15, 20])
        },
        observing("a delete pulls the next value in", byPower.limit(3)) { client, observer in
            try await client.delete(Hero.self, key: 20)
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [1])
            try expectEqual(changes.insertions, [2])
            try expectEqual(changes.objects.map(\.id), [10, 30, 40])
        },
        observing("changes after the last value deliver nothing", byPower.limit(3)) {
            client,
            observer in
            try await client.insert(heroes([35, 2_000]))
            try await client.delete(Hero.self, keys: [40, 1_000])
            try await client.update(Hero.self, key: 50) { $0.set(\.power, to: 77) }
        },
        observing("the window is filled again when it runs short", byPower.limit(3)) {
            client,
            observer in
            for key in stride(from: 10, through: 900, by: 10) {
                try await client.delete(Hero.self, key: key)
            }
            try await observer.settle { try await client.fetch(byPower.limit(3)) }
            try await client.delete(Hero.where { $0.power < 990 })
            try await observer.settle { try await client.fetch(byPower.limit(3)) }
            try expectEqual(observer.copy.rows?.count, 2)
        },
        observing("a window of which all is deleted at once is filled", byPower.limit(5)) {
            client,
            observer in
            try await client.delete(Hero.where { $0.power <= 600 })
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 1, 2, 3, 4])
            try expectEqual(changes.objects.map(\.id), [610, 620, 630, 640, 650])
        },
        observing("a value moves out of the window and into it", byPower.limit(3)) {
            client,
            observer in
            try await client.update(Hero.self, key: 10) { $0.set(\.power, to: 555) }
            var changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [20, 30, 40])
            try expectEqual(changes.moves, [])
            try await client.update(Hero.self, key: 900) { $0.set(\.power, to: 25) }
            changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [20, 900, 30])
            try expectEqual(changes.moves, [])
        },
        observing("changes before an offset shift the window", byPower.offset(2).limit(3)) {
            client,
            observer in
            try await client.delete(Hero.self, key: 10)
            var changes = try await observer.update()
            try expectEqual(changes.deletions, [0])
            try expectEqual(changes.insertions, [2])
            try expectEqual(changes.objects.map(\.id), [40, 50, 60])
            try await client.update(Hero.self, key: 20) { $0.set(\.name, to: "unseen") }
            try await client.insert(heroes([5]))
            changes = try await observer.update()
            try expectEqual(changes.insertions, [0])
            try expectEqual(changes.objects.map(\.id), [30, 40, 50])
        },
        observing("an offset without a limit shows the rest", byPower.offset(98)) {
            client,
            observer in
            try expectEqual(observer.copy.rows?.count, 2)
            try await client.delete(Hero.where { $0.power < 500 })
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 1])
            try await client.insert(heroes(2_001...2_060))
            try await observer.settle { try await client.fetch(byPower.offset(98)) }
        },
        DBClientTesting.observing("a limit of zero is empty for ever") { client in
            var iterator = client.observe(Hero.all.limit(0)).makeAsyncIterator()
            guard case .initial(let objects)? = try await iterator.next() else {
                throw ConformanceFailure("no initial element came")
            }
            try expectEqual(objects.count, 0)
            try await client.insert(heroes(1...100))
            try await client.deleteAll(Hero.self)
            try client.close()
            try await expectError(.closed) {
                if try await iterator.next() != nil { throw ConformanceFailure("it changed") }
            }
        },
    ]
}
