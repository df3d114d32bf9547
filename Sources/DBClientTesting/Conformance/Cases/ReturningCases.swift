import DBClientCore
import Foundation

/// Writing the values of a request, and having them back.
enum ReturningCases {
    static let all: [ConformanceCase] = updates + deletions + modifications + observed

    private static let heroes = (1...6).map {
        Hero($0, ["c", "a", "b", "f", "e", "d"][$0 - 1], power: Double($0))
    }

    private static let updates: [ConformanceCase] =
        promises(.partialUpdate, "values are returned as they are after an update, in order") {
            client in
            _ = try await client.insert(heroes)
            let request = Hero.where { $0.power > 2 }.sorted { $0.name }
            let updated = try await client.updateReturning(request) {
                $0.set(\.realName, to: "x")
                $0.set(\.isActive, to: false)
            }
            try expectEqual(updated.map(\.name), ["b", "d", "e", "f"])
            try expectEqual(updated, try await client.fetch(request))
            try expect(updated.allSatisfy { $0.realName == "x" && !$0.isActive }, "not updated")
            let none = try await client.updateReturning(Hero.where { $0.power > 9 }) {
                $0.set(\.realName, to: "y")
            }
            try expectEqual(none, [])
            let same = try await client.updateReturning(Hero.all.limit(1)) { _ in }
            try expectEqual(same, [heroes[0]])
        } + [
            promise(.partialUpdate, "the order of returned values is that of before") { client in
                try await client.insert(heroes)
                let request = Hero.where { $0.name < "e" }.sorted { $0.name.descending }
                let updated = try await client.updateReturning(request) {
                    $0.set(\.name, to: "z")
                    $0.set(\.power) { $0.power * 2 }
                }
                try expectEqual(updated.map(\.id), [6, 1, 3, 2])
                try expectEqual(updated.map(\.name), ["z", "z", "z", "z"])
                try expectEqual(updated.map(\.power), [12, 2, 6, 4])
                try expectEqual(try await client.count(Hero.where { $0.name == "z" }), 4)
            },
            promise(.partialUpdate, "a page of values is updated and returned") { client in
                try await client.insert(heroes)
                let page = Hero.all.sorted { [$0.isActive, $0.power.descending] }.limit(2).offset(1)
                let updated = try await client.updateReturning(page) { $0.set(\.bio, to: "p") }
                try expectEqual(updated.map(\.id), [5, 4])
                try expectEqual(
                    try await client.fetch(Hero.where { $0.bio == "p" }).map(\.id),
                    [4, 5]
                )
                let none = try await client.updateReturning(Hero.all.limit(0)) {
                    $0.set(\.bio, to: "q")
                }
                try expectEqual(none, [])
            },
            promise(.partialUpdate, "values are returned that a function or a length orders") {
                client in
                try await client.insert(heroes)
                let request = Hero.where { $0.id <= 3 }.sorted { ($0.power * -1) }
                let updated = try await client.updateReturning(request) {
                    $0.modify(\.power) { $0 += 0.5 }
                }
                try expectEqual(updated.map(\.power), [3.5, 2.5, 1.5])
                try expectEqual(
                    try await client.updateReturning(Hero.all.sorted { $0.name.ascending.natural })
                    {
                        $0.set(\.bio) { $0.name + "!" }
                    }.map(\.bio),
                    ["a!", "b!", "c!", "d!", "e!", "f!"]
                )
            },
            promise(.partialUpdate, "what is returned is what is stored") { client in
                try await client.insert(heroes)
                let updated = try await client.updateReturning(Hero.where { $0.id == 1 }) {
                    $0.set(\.createdAt, to: Date(timeIntervalSince1970: 1.000_000_4))
                }
                try expectEqual(updated[0].createdAt, Date(timeIntervalSince1970: 1))
                try expectEqual(updated, try await client.fetch(Hero.where { $0.id == 1 }))
                let full = EveryType.full(1)
                try await client.insert([full, EveryType(2)])
                let values = try await client.updateReturning(EveryType.all) {
                    $0.set(\.int64, to: 7)
                }
                try expectSame(values, try await client.findAll(EveryType.self))
                let champions = try await client.updateReturning(
                    Champion.where { $0.power > 4 }.sorted { $0.name }
                ) { $0.set(\.power, to: 10) }
                try expectEqual(
                    champions,
                    [
                        Champion(6, "d", strength: 10), Champion(5, "e", strength: 10),
                    ]
                )
                try await expectError(.decoding) {
                    _ = try await client.updateReturning(Champion.where { $0.power == 10 }) {
                        $0.set(\.name, to: "unreadable")
                    }
                }
                try expectEqual(try await client.count(Hero.where { $0.name == "unreadable" }), 0)
            },
            promise(.partialUpdate, "values that hold others are updated and returned") { client in
                try await client.insert([
                    Artist(1, "a", studio: Studio(1, "s"), skills: [Skill("x", 1)]),
                    Artist(2, "b", skills: [Skill("y", 2)]),
                ])
                let plain = try await client.updateReturning(Artist.all) { $0.set(\.name, to: "c") }
                try expectEqual(plain, try await client.findAll(Artist.self))
                try expectEqual(plain.map(\.skills), [[Skill("x", 1)], [Skill("y", 2)]])
                let held = try await client.updateReturning(Artist.all.sorted { -$0.id }) {
                    $0.set(\.studio, to: Studio(3, "t"))
                }
                try expectEqual(held.map(\.id), [2, 1])
                try expectEqual(held.map(\.studio), [Studio(3, "t"), Studio(3, "t")])
            },
            promise(
                .partialUpdate,
                "an update that fails returns nothing and changes nothing",
                requires: [.uniqueIndexes]
            ) { client in
                let accounts = [Account(1, email: "a@x"), Account(2), Account(3)]
                try await client.insert(accounts)
                try await expectError(.uniqueViolation) {
                    _ = try await client.updateReturning(Account.all) {
                        $0.set(\.balance, to: 1)
                        $0.set(\.email, to: "b@x")
                    }
                }
                try await expectError(.invalidRequest) {
                    _ = try await client.updateReturning(Account.all) { $0.set(\.id, to: 9) }
                }
                try expectEqual(try await client.findAll(Account.self), accounts)
            },
        ]

    private static let deletions: [ConformanceCase] =
        promises(.delete, "values are returned as they were before a delete, in order") { client in
            _ = try await client.insert(heroes)
            let request = Hero.where { $0.power > 2 }.sorted { $0.name }
            let expected = try await client.fetch(request)
            try expectEqual(try await client.deleteReturning(request), expected)
            try expectEqual(expected.map(\.name), ["b", "d", "e", "f"])
            try expectEqual(try await client.deleteReturning(request), [])
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2])
            try expectEqual(try await client.deleteReturning(Hero.all), Array(heroes.prefix(2)))
        } + [
            promise(.delete, "a page of values is deleted and returned") { client in
                try await client.insert(heroes)
                let page = Hero.all.sorted { $0.power.descending }.limit(2).offset(1)
                try expectEqual(try await client.deleteReturning(page).map(\.id), [5, 4])
                let computed = Hero.all.sorted { ($0.power * -1) }.limit(1)
                try expectEqual(try await client.deleteReturning(computed).map(\.id), [6])
                let natural = Hero.all.sorted { $0.name.ascending.natural }.limit(2)
                try expectEqual(try await client.deleteReturning(natural).map(\.id), [2, 3])
                try expectEqual(try await client.deleteReturning(Hero.all.limit(0)), [])
                try expectEqual(try await client.findAll(Hero.self).map(\.id), [1])
            },
            promise(.delete, "values that hold others are deleted and returned whole") { client in
                let artists = [
                    Artist(1, "a", studio: Studio(1, "s"), skills: [Skill("x", 1)]),
                    Artist(2, "b", skills: [Skill("y", 2)], mentor: 1),
                    Artist(3, "c"),
                ]
                try await client.insert(artists)
                let deleted = try await client.deleteReturning(
                    Artist.where { $0.id < 3 }.sorted { -$0.id }
                )
                try expectEqual(deleted, [artists[1], artists[0]])
                try expectEqual(try await client.findAll(Artist.self), [artists[2]])
            },
            promise(.delete, "2,000 values are deleted and returned") { client in
                try await client.insert((0..<2_000).map { Hero($0, "\($0 % 7)") })
                let request = Hero.where { $0.id < 1_900 }.sorted { [$0.name, -$0.id] }
                let expected = try await client.fetch(request)
                try expectEqual(try await client.deleteReturning(request), expected)
                try expectEqual(try await client.count(Hero.all), 100)
            },
        ]

    private static let modifications: [ConformanceCase] = [
        promise(.partialUpdate, "modified values are returned as they are stored") { client in
            try await client.insert(heroes)
            let modified = try await client.modify(Hero.where { $0.id < 3 }.sorted { $0.name }) {
                $0.createdAt = Date(timeIntervalSince1970: 1.000_000_4)
            }
            try expectEqual(modified.map(\.id), [2, 1])
            try expectEqual(modified[0].createdAt, Date(timeIntervalSince1970: 1))
            let one = try await client.modify(Hero.self, key: 3) {
                $0.createdAt = Date(timeIntervalSince1970: 2.000_000_4)
            }
            try expectEqual(one, try await client.find(Hero.self, key: 3))
        }
    ]

    private static let observed: [ConformanceCase] = [
        observing("what is updated and returned is told as it is") { client in
            try await client.insert(heroes)
            let request = Hero.where { $0.power > 2 }.sorted { $0.name }
            var observer = try await Observer(client.observe(request))
            _ = try await client.updateReturning(Hero.where { $0.id < 5 }) {
                $0.set(\.power) { $0.power - 1 }
                $0.set(\.bio, to: "x")
            }
            let changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [6, 5, 4])
            try expectEqual(Array(changes.objects), try await client.fetch(request))
        },
        observing("what is deleted and returned is told as it was") { client in
            try await client.insert(heroes)
            let request = Hero.where { $0.power > 2 }.sorted { $0.name }
            var observer = try await Observer(client.observe(request))
            let deleted = try await client.deleteReturning(Hero.where { $0.id < 5 })
            try expectEqual(deleted.count, 4)
            let changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 3])
            try expectEqual(Array(changes.objects), try await client.fetch(request))
        },
        promise(.operations, "values are updated, deleted and returned by operations") { client in
            try await client.insert(heroes)
            let update = WriteOperation.updateReturning(Hero.where { $0.id < 3 }) {
                $0.set(\.bio, to: "x")
            }
            let (updated, deleted) = try await client.run(
                update.zip(.deleteReturning(Hero.where { $0.bio == "x" }))
            )
            try expectEqual(updated, deleted)
            try expectEqual(updated.map(\.id), [1, 2])
            try expectEqual(try await client.count(Hero.all), 4)
        },
        promise(.decorators, "a decorator sees what is written and returned") { client in
            try await client.insert(heroes)
            let spy = SpyDBClient(client)
            _ = try await spy.updateReturning(Hero.where { $0.id == 1 }) { $0.set(\.bio, to: "x") }
            _ = try await spy.deleteReturning(Hero.where { $0.id == 1 })
            // Where a server lacks something, a call may come again.
            try expectEqual(
                Set(spy.calls.map(\.shape)),
                ["assignMatching Hero where id = ?", "deleteMatching Hero where id = ?"]
            )
            let checked = ValidatingDBClient(
                client,
                rules: [.rule(Hero.self) { if $0.power < 0 { throw SuiteError.deliberate } }]
            )
            do {
                _ = try await checked.updateReturning(Hero.all) { $0.set(\.power, to: -1) }
                throw ConformanceFailure("nothing was refused")
            } catch SuiteError.deliberate {}
            try expectEqual(try await client.findAll(Hero.self), Array(heroes.dropFirst()))
        },
    ]
}
