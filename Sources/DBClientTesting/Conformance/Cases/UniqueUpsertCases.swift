import DBClientCore
import Foundation

/// Inserting or replacing by what is unique beside the key.
enum UniqueUpsertCases {
    static let all: [ConformanceCase] = meaning + keys + refusals + observed

    private static let meaning: [ConformanceCase] =
        promises(
            .upsert,
            "a value that is found by a unique field keeps its key",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([
                Account(1, email: "a@x", tenant: "t", login: "l", balance: 1),
                Account(2, email: "b@x", tenant: "t", login: "m", balance: 2),
            ])
            let outcome = try await client.upsert(
                [
                    Account(7, email: "b@x", tenant: "u", balance: 3),
                    Account(8, email: "c@x", balance: 4),
                    Account(1, email: "a@x", balance: 5),
                ],
                by: \.email
            )
            let updated = [
                Account(2, email: "b@x", tenant: "u", balance: 3),
                Account(1, email: "a@x", balance: 5),
            ]
            try expectEqual(outcome.updated, updated)
            try expectEqual(outcome.inserted, [Account(8, email: "c@x", balance: 4)])
            try expectEqual(
                try await client.findAll(Account.self),
                [updated[1], updated[0], Account(8, email: "c@x", balance: 4)]
            )
            let one = try await client.upsert(Account(9, email: "c@x", balance: 6), by: \.email)
            try expectEqual(one.value, Account(8, email: "c@x", balance: 6))
            try expectEqual(one.isUpdated, true)
            let new = try await client.upsert(Account(9, email: "d@x"), by: \.email)
            try expectEqual(new.isUpdated, false)
            let empty = try await client.upsert([Account](), by: \.email)
            try expectEqual(empty.inserted + empty.updated, [])
        }
        + promises(
            .upsert,
            "a value is found by the fields of a unique index in any order",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([
                Account(1, email: "a@x", tenant: "t", login: "l"),
                Account(2, tenant: "t", login: "m"), Account(3, tenant: "t"),
            ])
            let outcome = try await client.upsert(
                [
                    Account(4, tenant: "t", login: "m", balance: 1),
                    Account(5, tenant: "u", login: "m", balance: 2),
                    Account(6, tenant: "t", balance: 3),
                ],
                by: \.tenant,
                \.login
            )
            try expectEqual(outcome.updated.map(\.id), [2])
            try expectEqual(outcome.inserted.map(\.id), [5, 6])
            let again = try await client.upsert(
                Account(9, tenant: "u", login: "m", balance: 4),
                by: \.login,
                \.tenant
            )
            try expectEqual(again.value.id, 5)
            try expectEqual(
                try await client.findAll(Account.self).map(\.balance),
                [0, 1, 0, 4, 3]
            )
        }

    private static let keys: [ConformanceCase] = [
        promise(
            .upsert,
            "nil finds nothing, and of equal values in a call the last counts",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([Account(1), Account(2, email: "a@x")])
            let outcome = try await client.upsert(
                [
                    Account(3, balance: 1), Account(4, email: "b@x", balance: 2), Account(5),
                    Account(6, email: "a@x", balance: 3), Account(7, email: "b@x", balance: 4),
                    Account(8, email: "a@x", balance: 5),
                ],
                by: \.email
            )
            try expectEqual(outcome.inserted.map(\.id), [3, 5, 7])
            try expectEqual(outcome.updated, [Account(2, email: "a@x", balance: 5)])
            try expectEqual(try await client.findAll(Account.self).map(\.id), [1, 2, 3, 5, 7])
        },
        promise(
            .upsert,
            "a new value's own key must be free, that of a found one does not matter",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([Account(1, email: "a@x"), Account(2, email: "b@x")])
            try await expectError(.duplicateKey) {
                try await client.upsert(
                    [Account(3, email: "a@x", balance: 1), Account(1, email: "c@x")],
                    by: \.email
                )
            }
            try await expectError(.uniqueViolation) {
                try await client.upsert(
                    [
                        Account(3, email: "a@x", tenant: "t", login: "l"),
                        Account(4, email: "d@x", tenant: "t", login: "l"),
                    ],
                    by: \.email
                )
            }
            try expectEqual(
                try await client.findAll(Account.self),
                [Account(1, email: "a@x"), Account(2, email: "b@x")]
            )
            let result = try await client.upsert(
                Account(1, email: "b@x", balance: 2),
                by: \.email
            )
            try expectEqual(result.value, Account(2, email: "b@x", balance: 2))
            let byKey = try await client.upsert(Account(2, email: "c@x"), by: \.id)
            try expectEqual(byKey.isUpdated, true)
            try expectEqual(
                try await client.findAll(Account.self),
                [Account(1, email: "a@x"), Account(2, email: "c@x")]
            )
        },
        promise(
            .upsert,
            "a key is made for a new value that is found by nothing",
            requires: [.generatedKeys, .uniqueIndexes]
        ) { client in
            let first = try await client.upsert(Badge(title: "a"), by: \.title)
            try expectEqual(first.isUpdated, false)
            let outcome = try await client.upsert(
                [Badge(title: "b"), Badge(title: "a"), Badge(id: 90, title: "c")],
                by: \.title
            )
            try expectEqual(outcome.updated, [first.value])
            try expectEqual(outcome.inserted.map(\.title), ["b", "c"])
            try expectEqual(outcome.inserted[1].id, 90)
            let stamps = try await client.upsert(
                (0..<30).map { Badge(title: "\($0)") } + [Badge(id: 55, title: "c")],
                by: \.title
            )
            try expectEqual(stamps.updated, [Badge(id: 90, title: "c")])
            try expectEqual(try await client.count(Badge.all), 33)
        },
        promise(
            .upsert,
            "a key of two fields stays that of the value that is found",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([Desk(1, "a", phone: 5), Desk(1, "b", phone: 6)])
            let outcome = try await client.upsert(
                [Desk(2, "c", phone: 6, label: "x"), Desk(2, "d", phone: 7)],
                by: \.phone
            )
            try expectEqual(outcome.updated, [Desk(1, "b", phone: 6, label: "x")])
            try expectEqual(outcome.inserted, [Desk(2, "d", phone: 7)])
            try expectEqual(
                try await client.upsert(Desk(1, "a", label: "y"), by: \.number, \.floor).value,
                Desk(1, "a", label: "y")
            )
            try expectEqual(
                try await client.findAll(Desk.self).map(\.label),
                ["y", "x", ""]
            )
        },
        promise(
            .upsert,
            "2,000 values are found by a unique field, half of them",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(
                (0..<2_000).filter { $0 % 2 == 0 }.map { Account($0, email: "\($0)@x") }
            )
            let outcome = try await client.upsert(
                (0..<2_000).map { Account($0 + 10_000, email: "\($0)@x", balance: 1) },
                by: \.email
            )
            try expectEqual(outcome.updated.map(\.id), (0..<2_000).filter { $0 % 2 == 0 })
            try expectEqual(
                outcome.inserted.map(\.id),
                (0..<2_000).filter { $0 % 2 == 1 }.map { $0 + 10_000 }
            )
            try expectEqual(try await client.count(Account.where { $0.balance == 1 }), 2_000)
        },
        promise(
            .upsert,
            "a model that converts merges with what is found by a unique field",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([Account(1, email: "a@x", tenant: "t", login: "l")])
            let outcome = try await client.upsert(
                [Subscriber(7, "a@x", balance: 1), Subscriber(8, "b@x", balance: 2)],
                by: \.email
            )
            try expectEqual(outcome.updated, [Subscriber(1, "a@x", balance: 1)])
            try expectEqual(outcome.inserted, [Subscriber(8, "b@x", balance: 2)])
            try expectEqual(
                try await client.findAll(Account.self),
                [
                    Account(1, email: "a@x", tenant: "t", login: "l", balance: 1),
                    Account(8, email: "b@x", tenant: "new", balance: 2),
                ]
            )
        },
        promise(
            .upsert,
            "what a value holds that is found by a unique field is replaced",
            requires: [.generatedKeys, .uniqueIndexes]
        ) { client in
            let first = try await client.insert(
                Lodge("a", studio: Studio(1, "s"), skills: [Skill("x"), Skill("y")])
            )
            let outcome = try await client.upsert(
                [
                    Lodge("a", studio: Studio(2, "t"), skills: [Skill("z")]),
                    Lodge("b", skills: [Skill("x", 2)]),
                ],
                by: \.name
            )
            let expected = Lodge(
                id: first.id,
                "a",
                studio: Studio(2, "t"),
                skills: [Skill("z")]
            )
            try expectEqual(outcome.updated, [expected])
            try expectEqual(outcome.inserted.map(\.name), ["b"])
            try expectEqual(
                try await client.fetch(Lodge.all.sorted { $0.name }),
                [expected] + outcome.inserted
            )
        },
    ]

    private static let refusals: [ConformanceCase] = [
        promise(
            .upsert,
            "fields without a unique index are refused before anything is written",
            requires: [.uniqueIndexes]
        ) { client in
            let one = try await expectError(.invalidRequest) {
                try await client.upsert([Account](), by: \.tenant)
            }
            try expectEqual(one.field, "tenant")
            try expect(one.hint?.contains("@Unique") == true, "the hint names no way out")
            let several = try await expectError(.invalidRequest) {
                try await client.upsert(Account(1), by: \.tenant, \.balance)
            }
            try expectEqual(several.field, "tenant, balance")
            try await expectError(.invalidRequest) {
                try await client.upsert(Account(1), by: \.tenant, \.login, \.email)
            }
            try await expectError(.invalidRequest) {
                try client.blocking.upsert(Hero(1), by: \.shout)
            }
            try await expectError(.invalidRequest) {
                _ = try await client.run(.upsert(Account(1), by: \.login))
            }
            try expectEqual(try await client.count(Account.all), 0)
        }
    ]

    private static let observed: [ConformanceCase] = [
        observing(
            "what is written by a unique field is told as it is",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([
                Account(1, email: "a@x", balance: 1), Account(2, email: "b@x", balance: 2),
            ])
            let request = Account.where { $0.balance > 0 }.sorted { $0.balance }
            var observer = try await Observer(client.observe(request))
            try await client.upsert(
                [
                    Account(9, email: "a@x", balance: 3), Account(5, email: "c@x", balance: 1),
                    Account(7, email: "b@x", balance: 0),
                ],
                by: \.email
            )
            let changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [5, 1])
            try expectEqual(Array(changes.objects), try await client.fetch(request))
        },
        promise(
            .decorators,
            "a decorator sees by which fields values are found",
            requires: [.uniqueIndexes]
        ) { client in
            let spy = SpyDBClient(client)
            try await spy.upsert([Account(1, email: "a@x")], by: \.email)
            _ = try spy.blocking.upsert(Account(2), by: \.login, \.tenant)
            // Where a server lacks something, a call may come again.
            try expectEqual(
                Set(spy.calls.map(\.shape)),
                ["upsert Account email (1)", "upsert Account tenant, login (1)"]
            )
        },
    ]
}
