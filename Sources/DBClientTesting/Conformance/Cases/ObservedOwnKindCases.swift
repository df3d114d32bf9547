import DBClientCore

/// What is observed of values that are found, and placed, by others of their own kind.
enum ObservedOwnKindCases {
    private static let members = [
        Member(1, "a", rank: 1), Member(2, "b", rank: 2, boss: 1), Member(3, "c", rank: 3, boss: 1),
        Member(4, "d", rank: 4, boss: 2),
    ]

    private static let ofA = Member.where { $0.boss.name == "a" }

    private static func observing(
        _ name: String,
        _ run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        DBClientTesting.observing(name) { client in
            try await client.insert(members)
            try await run(client)
        }
    }

    static let all: [ConformanceCase] = [
        observing("a condition through the own kind follows the value that it leads to") { client in
            var observer = try await Observer(client.observe(ofA))
            try expectEqual(observer.copy.rows?.count, 2)
            try await client.update(Member.self, key: 2) { $0.set(\.name, to: "a") }
            var changes = try await observer.update()
            try expectEqual(changes.insertions, [2])
            try expectEqual(changes.modifications.map(\.new), [0])
            try await client.update(Member.self, key: 1) { $0.set(\.name, to: "x") }
            changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 1])
            try await client.update(Member.self, key: 3) { $0.set(\.boss, to: Reference(2)) }
            try expectEqual(try await observer.update().objects.map(\.id), [3, 4])
        },
        observing("a sort through the own kind follows the value that it leads to") { client in
            let byBoss = Member.where { $0.rank > 1 }.sorted { $0.boss.name }
            var observer = try await Observer(client.observe(byBoss))
            try await client.update(Member.self, key: 1) { $0.set(\.name, to: "z") }
            let changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [4, 2, 3])
            // The one whose place in the order is the same is what the others have passed.
            try expectEqual(changes.moves, [.init(from: 0, to: 1), .init(from: 1, to: 2)])
            try await client.update(Member.self, key: 1) { $0.set(\.name, to: "a") }
            try expectEqual(try await observer.update().objects.map(\.id), [2, 3, 4])
        },
        observing("a window sorted through the own kind is filled again") { client in
            let last = Member.all.sorted { $0.boss.rank.descending }.limit(1)
            var observer = try await Observer(client.observe(last))
            try expectEqual(observer.copy.rows, try [ObservedForm(members[3])])
            try await client.update(Member.self, key: 1) { $0.set(\.rank, to: 9) }
            try expectEqual(try await observer.update().objects.map(\.id), [2])
            try await client.delete(Member.self, key: 2)
            try expectEqual(try await observer.update().objects.map(\.id), [3])
        },
        observing("a count through the own kind follows the value that it leads to") { client in
            var counts = client.observeCount(ofA).makeAsyncIterator()
            try expectEqual(try await counts.next(), 2)
            try await client.update(Member.self, key: 2) { $0.set(\.name, to: "a") }
            try expectEqual(try await counts.next(), 3)
            try await client.update(Member.self, key: 1) { $0.set(\.name, to: "x") }
            try expectEqual(try await counts.next(), 1)
        },
        observing("an aggregate through the own kind follows the value that it leads to") {
            client in
            var sums = client.observe(ofA) { try $0.sum(\.rank, of: ofA) }.makeAsyncIterator()
            try expectEqual(try await sums.next(), 5)
            try await client.update(Member.self, key: 2) { $0.set(\.name, to: "a") }
            try expectEqual(try await sums.next(), 9)
        },
        observing("a reference to the own kind is a field of the value alone") { client in
            var observer = try await Observer(client.observe(Member.all))
            try await client.update(Member.self, key: 3) { $0.set(\.boss, to: Reference(4)) }
            try expectEqual(try await observer.update().modifications.map(\.new), [2])
            try await client.update(Member.self, key: 4) { $0.set(\.name, to: "x") }
            try expectEqual(try await observer.update().modifications.map(\.new), [3])
            try await client.delete(Member.self, key: 4)
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [3])
            try expectEqual(Array(changes.objects), try await client.findAll(Member.self))
        },
    ]
}
