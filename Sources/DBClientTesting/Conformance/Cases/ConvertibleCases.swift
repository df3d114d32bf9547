import DBClientCore

/// Models that are not the stored shape.
enum ConvertibleCases {
    static let all: [ConformanceCase] =
        reading + writing + refusals

    private static let three = [
        Champion(1, "a", strength: 3), Champion(2, "b", strength: 1), Champion(3, "c", strength: 2),
    ]

    private static let reading: [ConformanceCase] =
        promises(.convertibles, "every call that reads takes a model that converts") { calls in
            try await calls.insert(three)
            try expectEqual(try await calls.find(Champion.self, key: 2), three[1])
            try expectEqual(try await calls.find(Champion.self, key: 9), nil)
            try expectEqual(
                try await calls.find(Champion.self, keys: [3, 9, 1]),
                [three[2], three[0]]
            )
            try expectEqual(try await calls.findAll(Champion.self), three)
            let strong = ChampionQuery(minimum: 2)
            try expectEqual(try await calls.fetch(strong), [three[0], three[2]])
            try expectEqual(try await calls.fetchOne(strong.request.offset(1)), three[2])
            try expectEqual(try await calls.count(strong), 2)
            try expectEqual(try await calls.exists(strong), true)
            try expectEqual(try await calls.exists(Champion.self, key: 9), false)
            try expectEqual(
                try await calls.fetch(Champion.all.after(three[0]).limit(1)),
                [three[1]]
            )
            try expectEqual(try await calls.distinct(\.name, of: strong), ["a", "c"])
        }
        + promises(
            .convertibles,
            "aggregates take the fields of the storage",
            requires: [.aggregates]
        ) { calls in
            try await calls.insert(three)
            try expectEqual(try await calls.min(\.power, of: Champion.all), 1)
            try expectEqual(try await calls.max(\.name, of: ChampionQuery(minimum: 2)), "c")
            try expectEqual(try await calls.sum(\.power, of: Champion.all), 6)
            try expectEqual(try await calls.average(\.power, of: Champion.all), 2)
            try expectEqual(try await calls.max(\.publisherId, of: Champion.all), nil)
        }
        + [
            promise(.convertibles, "a stream delivers models page by page") { client in
                try await client.insert(three)
                var found: [Champion] = []
                let request = Champion.all.sorted { $0.power }
                for try await champion in client.stream(request, batchSize: 1) {
                    found.append(champion)
                }
                try expectEqual(found, [three[1], three[2], three[0]])
            },
            promise(.convertibles, "results are models, each read by its position") { client in
                try await client.insert(three)
                let results = try await client.results(of: Champion.all.sorted { $0.power })
                try await client.delete(Champion.self, key: 1)
                try expectEqual(try results[2], three[0])
                let found = try results.rows.map { try $0.get() }
                try expectEqual(found, [three[1], three[2], three[0]])
            },
            promise(
                .convertibles,
                "a function takes a field of the storage by a closure",
                requires: [.aggregates]
            ) { client in
                try await client.insert(three)
                let strongest = try await client.aggregate(.maximum, of: Champion.all) { $0.power }
                try expectEqual(strongest, .real(3))
            },
            promise(.convertibles, "a request of the model is one of its storage") { client in
                try await client.insert(three)
                let request = Champion.where { $0.name == "b" }
                let stored = try await client.fetch(FetchRequest(request))
                try expectEqual(stored.map(\.bio), ["new"])
            },
        ]

    private static let writing: [ConformanceCase] =
        promises(.convertibles, "every call that writes takes a model that converts") { calls in
            try expectEqual(try await calls.insert(three[0]), three[0])
            try expectEqual(try await calls.insert([three[1]]), [three[1]])
            try await calls.update(Champion(1, "d"))
            try await calls.update([Champion(2, "e")])
            let existing = try await calls.updateExisting([Champion(9), Champion(1, "f")])
            try expectEqual(existing, [Champion(1, "f")])
            let outcome = try await calls.upsert([three[2], Champion(1, "g")])
            try expectEqual(outcome.inserted, [three[2]])
            try expectEqual(outcome.updated, [Champion(1, "g")])
            try expectEqual(try await calls.upsert(Champion(3, "h")).isUpdated, true)
            try await calls.update(Champion.self, key: 3) { $0.set(\.name, to: "i") }
            let changed = try await calls.update(Champion.where { $0.id > 1 }) {
                $0.set(\.power, to: 7)
            }
            try expectEqual(changed, 2)
            try expectEqual(
                try await calls.findAll(Champion.self),
                [Champion(1, "g"), Champion(2, "e", strength: 7), Champion(3, "i", strength: 7)]
            )
            try expectEqual(try await calls.delete(Champion(1)), true)
            try expectEqual(try await calls.delete([Champion(1), Champion(2)]), 1)
            try expectEqual(try await calls.delete(Champion.self, key: 2), false)
            try expectEqual(try await calls.delete(Champion.self, keys: [9]), 0)
            try expectEqual(try await calls.delete(Champion.where { $0.id == 9 }), 0)
            try expectEqual(try await calls.deleteAll(Champion.self), 1)
        }
        + promises(.convertibles, "a write merges with what is stored") { calls in
            try await calls.insert([Hero(1, realName: "r", publisherId: 5), Hero(2, realName: "s")])
            try await calls.upsert([Champion(1, "a"), Champion(2, "b"), Champion(3, "c")])
            try await calls.update(Champion(2, "d"))
            try expectEqual(
                try await calls.findAll(Hero.self),
                [
                    Hero(1, "a", realName: "r", publisherId: 5), Hero(2, "d", realName: "s"),
                    Hero(3, "c", bio: "new"),
                ]
            )
        }
        + [
            promise(.convertibles, "a key twice in a batch counts once, the last value wins") {
                client in
                try await client.insert(Hero(1, realName: "r"))
                let outcome = try await client.upsert([
                    Champion(1, "a"), Champion(2, "b"), Champion(1, "c"), Champion(2, "d"),
                ])
                try expectEqual(outcome.updated, [Champion(1, "c")])
                try expectEqual(outcome.inserted, [Champion(2, "d")])
                let stored = try await client.find(Hero.self, key: 1)
                try expectEqual(stored, Hero(1, "c", realName: "r"))
            },
            promise(
                .convertibles,
                "a model that does not ask for what is stored is written as it is",
                requires: [.generatedKeys]
            ) { client in
                let inserted = try await client.insert(Voucher(words: ["a", "b"]))
                try expect(inserted.id > 0, "the key was not made")
                try expectEqual(inserted.words, ["a", "b"])
                let outcome = try await client.upsert([
                    Voucher(id: inserted.id, words: ["c"]), Voucher(words: ["d"]),
                ])
                try expectEqual(outcome.updated, [Voucher(id: inserted.id, words: ["c"])])
                try expectEqual(outcome.inserted.map(\.words), [["d"]])
                try expectEqual(try await client.count(Voucher.all), 2)
            },
        ]

    private static let refusals: [ConformanceCase] = [
        promise(.convertibles, "a conversion that throws writes nothing, and names the entity") {
            client in
            try await client.insert(Champion(1, "a"))
            let error = try await expectError(.invalidValue) {
                try await client.upsert([Champion(1, "b"), Champion(2, "unwritable")])
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(error.underlying as? Champion.Refusal, .writing)
            try expectEqual(try await client.findAll(Champion.self), [Champion(1, "a")])
        },
        promise(.convertibles, "a conversion from what was just written that throws undoes it") {
            client in
            try await client.insert(Champion(1, "a"))
            try await client.write { transaction in
                let error = try expectErrorInside(.decoding) {
                    try transaction.insert([Champion(2, "b"), Champion(3, "unreadable")])
                }
                try expectEqual(error.entity, "Hero")
                try expectEqual(error.underlying as? Champion.Refusal, .reading)
                try expectErrorInside(.decoding) {
                    try transaction.upsert([Champion(1, "unreadable"), Champion(2, "b")])
                }
                try expectErrorInside(.decoding) {
                    try transaction.updateExisting([Champion(1, "unreadable")])
                }
            }
            try expectEqual(try await client.findAll(Champion.self), [Champion(1, "a")])
        },
        promise(.convertibles, "a stored value that does not convert is refused by every read") {
            client in
            try await client.insert([Hero(1, "a"), Hero(2, "unreadable")])
            let error = try await expectError(.decoding) {
                _ = try await client.find(Champion.self, key: 2)
            }
            try expectEqual(error.entity, "Hero")
            try expect(!"\(error)".contains("unreadable"), "the value shows")
            try await expectError(.decoding) { _ = try await client.fetch(Champion.all) }
            try await expectError(.decoding) {
                for try await _ in client.stream(Champion.all) {}
            }
            try expectEqual(try await client.count(Champion.all), 2)
            try expectEqual(try await client.fetch(Champion.where { $0.id == 1 }).count, 1)
        },
        promise(.convertibles, "a conversion to another primary key is refused") { client in
            try await client.insert(Champion(2, "a"))
            try await expectError(.invalidValue) {
                try await client.upsert(Champion(1, "strayed"))
            }
            try expectEqual(try await client.findAll(Champion.self), [Champion(2, "a")])
        },
        promise(.convertibles, "an update of what is not stored is refused before it converts") {
            client in
            try await client.insert(Champion(1, "a"))
            try await expectError(.notFound) {
                try await client.update([Champion(1, "b"), Champion(2, "unwritable")])
            }
            try expectEqual(try await client.updateExisting([Champion(2, "unwritable")]), [])
            try expectEqual(try await client.findAll(Champion.self), [Champion(1, "a")])
        },
        promise(.convertibles, "keys that only Unicode holds to be equal merge with their own") {
            client in
            try await client.insert(TextKeyed("e\u{301}", "2"))
            let outcome = try await client.upsert([Label("\u{E9}"), Label("e\u{301}")])
            try expectEqual(outcome.inserted.map(\.note), [nil])
            try expectEqual(outcome.updated.map(\.note), ["2"])
        },
    ]
}
