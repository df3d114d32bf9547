import DBClientCore

/// What an observer is told of models that are not the stored shape.
enum ObservedConvertibleCases {
    private static let three = [
        Champion(1, "a", strength: 3), Champion(2, "b", strength: 1), Champion(3, "c", strength: 2),
    ]

    static let all: [ConformanceCase] = [
        observing("change sets carry the model that converts") { client in
            try await client.insert(three)
            let strong = ChampionQuery(minimum: 2)
            var observer = try await Observer(client.observe(strong))
            try expectEqual(observer.copy.rows?.count, 2)
            try await client.update(Champion(2, "b", strength: 9))
            var changes = try await observer.update()
            try expectEqual(changes.insertions, [0])
            try expectEqual(changes.objects.map(\.title), ["b", "a", "c"])
            try await client.update(Hero.self, key: 3) { $0.set(\.power, to: 4) }
            changes = try await observer.update()
            try expectEqual(changes.moves.count, 1)
            try expectEqual(changes.modifications.map(\.element), [Champion(3, "c", strength: 4)])
            try await client.delete(Champion.self, key: 1)
            changes = try await observer.update()
            try expectEqual(Array(changes.objects), try await client.fetch(strong))
        },
        observing("a stored value outside the request delivers nothing to what converts") {
            client in
            try await client.insert(three)
            var observer = try await Observer(client.observe(ChampionQuery(minimum: 2)))
            try await client.update(Champion(2, "x", strength: 1))
            try await client.insert(Champion(7, "y", strength: 0))
            try await client.update(three[0])
            try await client.insert(Champion(8, "z", strength: 8))
            try expectEqual(try await observer.update().insertions, [0])
        },
        observing("a conversion that throws ends the observation") { client in
            try await client.insert(three)
            var observer = client.observe(Champion.all).makeAsyncIterator()
            _ = try await observer.next()
            try await client.update(Hero.self, key: 2) { $0.set(\.name, to: "unreadable") }
            let error = try await expectError(.decoding) {
                while try await observer.next() != nil {}
            }
            try expectEqual(error.entity, "Hero")
            try expect(try await observer.next() == nil, "the observation went on")
            // An observation that does not ask for the value continues.
            var others = try await Observer(client.observe(Champion.where { $0.id != 2 }))
            try await client.insert(Champion(9))
            try expectEqual(try await others.update().insertions, [2])
        },
        observing("a model that converts is observed by its key, and its number") { client in
            try await client.insert(three)
            var values = client.observe(Champion.self, key: 2).makeAsyncIterator()
            var counts = client.observeCount(ChampionQuery(minimum: 2)).makeAsyncIterator()
            try expectEqual(try await values.next() ?? nil, three[1])
            try expectEqual(try await counts.next(), 2)
            try await client.update(Champion(2, "b", strength: 5))
            try expectEqual(try await values.next()??.strength, 5)
            try expectEqual(try await counts.next(), 3)
        },
        observing("commits to a model that converts are told") { client in
            try await client.insert(three)
            var feed = client.changes(of: Champion.self).makeAsyncIterator()
            try await client.write { transaction in
                try transaction.insert(Champion(4, "d"))
                try transaction.update(Champion(1, "new", strength: 3))
                try transaction.delete(Champion.self, key: 3)
            }
            let commit = try await feed.next()
            try expectEqual(commit?.inserted, [Champion(4, "d")])
            try expectEqual(
                commit?.updated,
                [.init(before: three[0], after: Champion(1, "new", strength: 3))]
            )
            try expectEqual(commit?.deleted, [three[2]])
            try await client.update(Hero.self, key: 2) { $0.set(\.name, to: "unreadable") }
            try await expectError(.decoding) { _ = try await feed.next() }
        },
        observing("only some fields of what is stored of a model are observed") { client in
            try await client.insert(three)
            var observer = client.observe(Champion.all, fields: \.power).makeAsyncIterator()
            _ = try await observer.next()
            try await client.update(Hero.self, key: 2) { $0.set(\.name, to: "unseen") }
            try await client.update(Hero.self, key: 3) { $0.set(\.power, to: 7) }
            guard case .update(let changes)? = try await observer.next() else {
                throw ConformanceFailure("no update came")
            }
            try expectEqual(changes.modifications.map(\.new), [2])
            try expectEqual(changes.objects[1].title, "unseen")
        },
    ]
}
