import DBClientCore
import Foundation

/// Inserting what conflicts with nothing, and leaving out the rest.
enum AbsentInsertCases {
    static let all: [ConformanceCase] = keys + uniqueValues + observed

    private static let keys: [ConformanceCase] =
        promises(.insert, "values with stored keys are left out, the others are returned") {
            client in
            try await client.insert([Hero(1, "a"), Hero(3, "c")])
            let inserted = try await client.insertIfAbsent([
                Hero(4, "d"), Hero(1, "x"), Hero(2, "b"), Hero(3, "y"),
            ])
            try expectEqual(inserted, [Hero(4, "d"), Hero(2, "b")])
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["a", "b", "c", "d"])
            try expectEqual(try await client.insertIfAbsent(Hero(5)), Hero(5))
            try expectEqual(try await client.insertIfAbsent(Hero(5, "z")), nil)
            try expectEqual(try await client.insertIfAbsent([Hero]()), [])
            try expectEqual(try await client.find(Hero.self, key: 5), Hero(5))
        } + [
            promise(.insert, "of values of one key the first is inserted if absent") { client in
                let inserted = try await client.insertIfAbsent([
                    Hero(1, "a"), Hero(2, "b"), Hero(1, "c"), Hero(2, "d"),
                ])
                try expectEqual(inserted.map(\.name), ["a", "b"])
                try expectEqual(try await client.findAll(Hero.self), inserted)
                let texts = try await client.insertIfAbsent([
                    TextKeyed("\u{E9}", "1"), TextKeyed("e\u{301}", "2"), TextKeyed("\u{E9}", "3"),
                ])
                try expectEqual(texts.map(\.note), ["1", "2"])
            },
            promise(.insert, "values of two key fields are inserted if absent") { client in
                try await client.insert([Desk(1, "a"), Desk(2, "a")])
                let inserted = try await client.insertIfAbsent([
                    Desk(1, "b"), Desk(1, "a", label: "x"), Desk(2, "b"), Desk(1, "b", label: "y"),
                ])
                try expectEqual(inserted, [Desk(1, "b"), Desk(2, "b")])
                try expectEqual(try await client.count(Desk.all), 4)
            },
            promise(.insert, "2,000 values are inserted if absent, every third is stored") {
                client in
                try await client.insert((0..<2_000).filter { $0 % 3 == 0 }.map { Hero($0) })
                let inserted = try await client.insertIfAbsent(
                    (0..<2_000).reversed().map { Hero($0, "new") }
                )
                try expectEqual(inserted.map(\.id), (0..<2_000).reversed().filter { $0 % 3 != 0 })
                try expectEqual(try await client.count(Hero.where { $0.name == "new" }), 1_333)
                try expectEqual(try await client.count(Hero.all), 2_000)
            },
            promise(.insert, "what is inserted if absent is returned as it is stored") { client in
                let date = Date(timeIntervalSince1970: 0.000_000_4)
                let inserted = try await client.insertIfAbsent(Hero(1, createdAt: date))
                try expectEqual(inserted?.createdAt, Date(timeIntervalSince1970: 0))
                let champions = try await client.insertIfAbsent([
                    Champion(1, "x"), Champion(2, "b", strength: 2),
                ])
                try expectEqual(champions, [Champion(2, "b", strength: 2)])
                try expectEqual(try await client.find(Hero.self, key: 2)?.bio, "new")
            },
            promise(.insert, "an invalid value inserts nothing if absent") { client in
                try await client.insert(Hero(1))
                try await expectError(.invalidValue) {
                    try await client.insertIfAbsent([Hero(2), Hero(1), Hero(3, "a\0b")])
                }
                try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
            },
            promise(.insert, "a missing reference inserts nothing if absent") { client in
                try await client.insert(Artist(1, "a"))
                try await expectError(.danglingReference) {
                    try await client.insertIfAbsent([Artist(2, "b"), Artist(3, "c", mentor: 9)])
                }
                try expectEqual(try await client.count(Artist.all), 1)
            },
        ]

    private static let uniqueValues: [ConformanceCase] = [
        promise(
            .insert,
            "values with a stored unique value are left out, nil conflicts with none",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([
                Account(1, email: "a@x", tenant: "t", login: "l"),
                Account(2, tenant: "t"),
            ])
            let inserted = try await client.insertIfAbsent([
                Account(3, email: "a@x"), Account(4), Account(5, email: "b@x"),
                Account(6, tenant: "t", login: "l"), Account(7, tenant: "t"),
                Account(8, email: "b@x"), Account(9, tenant: "u", login: "l"),
                Account(10, tenant: "u", login: "l"), Account(1, email: "c@x"),
                Account(11, email: "c@x"),
            ])
            try expectEqual(inserted.map(\.id), [4, 5, 7, 9, 11])
            try expectEqual(
                try await client.findAll(Account.self).map(\.id),
                [1, 2, 4, 5, 7, 9, 11]
            )
            try expectEqual(try await client.find(Account.self, key: 1)?.email, "a@x")
        },
        promise(
            .insert,
            "a value that is left out takes no unique value from those behind it",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(Account(1))
            let accounts = (0..<40).map { Account(100 + $0, email: "\($0)") }
            let inserted = try await client.insertIfAbsent(
                [Account(1, email: "a@x"), Account(2, email: "a@x"), Account(2, email: "b@x")]
                    + [Account(3, email: "b@x"), Account(4, email: "a@x")] + accounts
            )
            try expectEqual(inserted.prefix(3).map(\.id), [2, 3, 100])
            try expectEqual(inserted.count, 42)
            try expectEqual(try await client.count(Account.all), 43)
        },
        promise(
            .insert,
            "keys are made for what is inserted if absent",
            requires: [.generatedKeys, .uniqueIndexes]
        ) { client in
            let first = try await client.insertIfAbsent([Badge(title: "a"), Badge(title: "b")])
            try expectEqual(first.map(\.title), ["a", "b"])
            try expect(first.allSatisfy { $0.id > 0 }, "the keys were not made")
            let next = try await client.insertIfAbsent([
                Badge(title: "a"), Badge(title: "c"), Badge(id: first[1].id, title: "d"),
                Badge(id: 100, title: "e"), Badge(title: "c"), Badge(title: "f"),
            ])
            try expectEqual(next.map(\.title), ["c", "e", "f"])
            try expectEqual(Set(next.map(\.id)).count, 3)
            try expectEqual(next[1].id, 100)
            try expectEqual(
                Set(try await client.findAll(Badge.self).map(\.title)),
                ["a", "b", "c", "e", "f"]
            )
            let many = try await client.insertIfAbsent(
                [Ticket(title: "a"), Ticket(id: 7, title: "b"), Ticket(id: 7, title: "c")]
                    + (0..<40).map { Ticket(title: "\($0)") }
            )
            try expectEqual(many.count, 42)
            try expectEqual(many[1], Ticket(id: 7, title: "b"))
            try expectEqual(Set(many.map(\.id)).count, 42)
            try expectEqual(
                try await client.findAll(Ticket.self).map(\.id),
                many.map(\.id).sorted()
            )
            let sessions = try await client.insertIfAbsent([
                Session(title: "a"), Session(title: "b"),
            ])
            try expectEqual(Set(sessions.map(\.id)).count, 2)
            try expectEqual(try await client.insertIfAbsent(sessions), [])
        },
        promise(
            .insert,
            "nothing is saved of what a value holds that is left out",
            requires: [.generatedKeys, .uniqueIndexes]
        ) { client in
            try await client.insert(Lodge("a", studio: Studio(1, "s")))
            let inserted = try await client.insertIfAbsent([
                Lodge("a", studio: Studio(2, "t"), skills: [Skill("x")]),
                Lodge("b", studio: Studio(3, "u"), skills: [Skill("y")]),
            ])
            try expectEqual(inserted.map(\.name), ["b"])
            try expectEqual(inserted[0].skills, [Skill("y")])
            try expectEqual(try await client.findAll(Studio.self).map(\.id), [1, 3])
            try expectEqual(try await client.findAll(Skill.self).map(\.code), ["y"])
            let found = try await client.fetch(Lodge.where { $0.name == "b" })
            try expectEqual(found, inserted)
        },
        promise(
            .insert,
            "a transaction goes on after a conflict",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(Account(1, email: "a@x"))
            try await client.write { transaction in
                try transaction.insert(Account(2, email: "b@x"))
                try expectEqual(try transaction.insertIfAbsent(Account(3, email: "a@x")), nil)
                try expectEqual(try transaction.insertIfAbsent(Account(4, email: "b@x")), nil)
                try transaction.delete(Account.self, key: 1)
                let account = Account(5, email: "a@x")
                try expectEqual(try transaction.insertIfAbsent(account), account)
            }
            try expectEqual(try await client.findAll(Account.self).map(\.id), [2, 5])
        },
    ]

    private static let observed: [ConformanceCase] = [
        observing("what is inserted if absent is told, and nothing else") { client in
            try await client.insert([Hero(1, "a", power: 1), Hero(2, "c", power: 1)])
            let request = Hero.where { $0.power > 0 }.sorted { $0.name }
            var observer = try await Observer(client.observe(request))
            try await client.insertIfAbsent([
                Hero(1, "z", power: 1), Hero(3, "b", power: 1), Hero(4, "b"),
                Hero(3, "y", power: 1),
            ])
            var changes = try await observer.update()
            try expectEqual(changes.insertions, [1])
            try expectEqual(changes.deletions, [])
            try expectEqual(Array(changes.objects), try await client.fetch(request))
            try await client.insertIfAbsent([Hero(1, "x", power: 1)])
            try await client.insert(Hero(9, "d", power: 1))
            changes = try await observer.update()
            try expectEqual(changes.insertions, [3])
        },
        promise(.operations, "values are inserted if absent by an operation") { client in
            try await client.insert(Hero(1))
            let operation = WriteOperation<[Hero]>.insertIfAbsent([Hero(1), Hero(2)])
                .zip(.insertIfAbsent(Hero(2)))
            let (many, one) = try await client.run(operation)
            try expectEqual(many, [Hero(2)])
            try expectEqual(one, nil)
        },
        promise(.decorators, "a decorator sees what is inserted if absent") { client in
            let spy = SpyDBClient(client)
            try await spy.insertIfAbsent([Hero(1), Hero(2)])
            // Where a server lacks something, the call may come again.
            try expectEqual(Set(spy.calls.map(\.shape)), ["insertIfAbsent Hero (2)"])
            let checked = ValidatingDBClient(
                client,
                rules: [.rule(Hero.self) { if $0.power < 0 { throw SuiteError.deliberate } }]
            )
            do {
                try await checked.insertIfAbsent([Hero(3), Hero(4, power: -1)])
                throw ConformanceFailure("nothing was refused")
            } catch SuiteError.deliberate {}
            try await expectError(.readOnly) {
                try await ReadOnlyDBClient(client).insertIfAbsent(Hero(3))
            }
            try expectEqual(try await client.count(Hero.all), 2)
        },
    ]
}
