import DBClientCore

/// What one call saves that holds a value several times.
enum GraphSavingCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "of two values with one key the last is stored and returned") {
            client in
            let (old, new) = (Studio(1, "old"), Studio(1, "new"))
            let (dull, keen) = (Skill("ink", 1), Skill("ink", 9))
            let given = [Artist(1, studio: old, skills: [dull]), Artist(2, studio: new)]
            let stored = [Artist(1, studio: new, skills: [keen]), Artist(2, studio: new)]
            try expectEqual(
                try await client.insert([given[0], Artist(2, studio: new, skills: [keen])]),
                [stored[0], Artist(2, studio: new, skills: [keen])]
            )
            let outcome = try await client.upsert(given)
            let found = try await client.findAll(Artist.self)
            try expectEqual(outcome.updated, found)
            try expectEqual(
                found,
                [Artist(1, studio: new, skills: [dull]), Artist(2, studio: new)]
            )
            try expectEqual(
                try await client.updateExisting(given + [Artist(3)]),
                try await client.findAll(Artist.self)
            )
        },
        promise(.relationships, "what a value holds that gives way to another is not returned") {
            client in
            let given = [
                Branch(1, "a", [Branch(3, "x", [Branch(4, "old")])]),
                Branch(2, "b", [Branch(3, "x", [Branch(4, "new")])]),
            ]
            let stored = try await client.insert(given)
            try expectEqual(stored, try await client.fetch(Branch.where { $0.id <= 2 }))
            try expectEqual(stored[0].branches[0].branches[0].name, "new")
        },
        promise(.relationships, "what is held may refer to what its call has still to save") {
            client in
            let given = [Sailor(1, Ship(1, captain: 2)), Sailor(2, Ship(2, captain: 2))]
            try expectEqual(try await client.insert(given), given)
            try expectEqual(try await client.findAll(Sailor.self), given)
            let more = [Sailor(4, Ship(4, captain: 3)), Sailor(3, Ship(3, captain: 3))]
            try expectEqual(try await client.upsert(more).inserted, more)
            try await client.delete(Sailor.self, key: 1)
            let dangling = Sailor(2, Ship(5, captain: 1))
            let writes: [@Sendable () async throws -> Void] = [
                { try await client.insert([Sailor(8), Sailor(9, Ship(5, captain: 7))]) },
                { try await client.upsert(dangling) },
                { try await client.update(dangling) },
                { _ = try await client.updateExisting([dangling]) },
                {
                    try await client.update(Sailor.self, key: 2) {
                        $0.set(\.ship, to: dangling.ship)
                    }
                },
            ]
            for write in writes {
                let error = try await expectError(.danglingReference) { try await write() }
                try expectEqual(error.entity, "Ship")
                try expectEqual(error.field, "captain")
            }
            try expectEqual(
                try await client.findAll(Sailor.self),
                [given[1], more[1], more[0]]
            )
        },
        promise(.relationships, "a value that holds another is saved beside it") { client in
            let leaf = Branch(2, "leaf")
            let root = Branch(1, "root", [leaf])
            try expectEqual(try await client.insert([root, leaf]), [root, leaf])
            try expectEqual(try await client.findAll(Branch.self), [root, leaf])
            let other = Branch(3, "other", [Branch(4, "x", [Branch(5, "deep")])])
            let outcome = try await client.upsert([other, Branch(5, "own"), leaf])
            let found = try await client.fetch(Branch.where { $0.id != 4 })
            try expectEqual(outcome.inserted, [found[2], found[3]])
            try expectEqual(outcome.updated, [leaf])
            try expectEqual(found[3], Branch(5, "own"))
            try expectEqual(found[2].branches[0].branches, [Branch(5, "own")])
            try await expectError(.duplicateKey) {
                try await client.insert([Branch(6), Branch(6)])
            }
            try await expectError(.duplicateKey) {
                try await client.insert([Branch(7), leaf])
            }
            try expectEqual(try await client.count(Branch.all), 5)
        },
        promise(.relationships, "a value's own form counts before the one that is held") { client in
            let given = [Branch(1, "root", [Branch(2, "held", [Branch(3)])]), Branch(2, "own")]
            let stored = [Branch(1, "root", [Branch(2, "own")]), Branch(2, "own")]
            try expectEqual(try await client.insert(given), stored)
            try expectEqual(try await client.findAll(Branch.self), stored)
            try await client.update(given)
            try expectEqual(try await client.findAll(Branch.self), stored)
            try expectEqual(try await client.updateExisting(given), stored)
        },
        promise(.relationships, "values that come to hold each other in circles are refused") {
            client in
            try await client.insert(Branch(1, "a", [Branch(2, "b")]))
            let circle = Branch(2, "b", [Branch(1, "a", [Branch(2, "b")])])
            for write in [
                { try await client.update(circle) },
                { _ = try await client.upsert([circle]) },
                { _ = try await client.updateExisting([circle]) },
                {
                    _ = try await client.update(Branch.self, key: 2) {
                        $0.set(\.branches, to: [Branch(1, "a", [Branch(2, "b")])])
                    }
                },
                { _ = try await client.insert(Branch(9, "c", [Branch(9, "d")])) },
            ] as [@Sendable () async throws -> Void] {
                let error = try await expectError(.invalidValue) { try await write() }
                try expectEqual(error.entity, "Branch")
                try expectEqual(error.field, "branches")
            }
            try expectEqual(
                try await client.findAll(Branch.self),
                [Branch(1, "a", [Branch(2, "b")]), Branch(2, "b")]
            )
        },
        promise(.relationships, "16,500 values with keys of several fields hold each other") {
            client in
            let texts = ["", "a", "ä'\"\\,]", "\u{1F600}", "b"]
            let weights: [Double] = [0.1, -2.5, 1e300, 0, 1 / 3]
            func key(_ index: Int) -> Volume.PrimaryKey {
                .init(texts[index % 5], weights[index / 5 % 5], index - 8_000)
            }
            func previous(_ index: Int) -> Volume.PrimaryKey { key(index - 1) }
            func volume(_ index: Int) -> Volume {
                let key = key(index)
                return Volume(
                    key.series,
                    key.weight,
                    key.number,
                    next: index == 0 ? nil : previous(index),
                    issues: [Issue(key.series, index, title: "t")]
                )
            }
            let volumes = (0..<16_500).map(volume)
            try await client.insert(volumes)
            let some = Volume.where { $0.number > -8_001 }.sorted { $0.number }
            try expect(try await client.fetch(some) == volumes, "they do not come back alike")
            try await client.update(volumes)
            let changed = try await client.update(some) {
                $0.set(\.issues, to: [Issue("x", -1), Issue("x", -2)])
            }
            try expectEqual(changed, 16_500)
            let request = Volume.where { $0.issues.contains { $0.number == -2 } }
            try expectEqual(try await client.count(request), 16_500)
            try expectEqual(
                try await client.delete(Volume.self, keys: (0..<16_500).map(key)),
                16_500
            )
            try expectEqual(try await client.count(Volume.all), 0)
        },
        promise(.relationships, "ways that meet again are no circle") { client in
            let end = Knot(9)
            let knot = Knot(
                1,
                left: [Knot(2, left: [end]), Knot(3, right: [end, end])],
                right: [Knot(3, right: [end, end]), end]
            )
            try expectEqual(try await client.insert(knot), knot)
            try expectEqual(try await client.find(Knot.self, key: 1), knot)
            try await client.update(knot)
            try expectEqual(try await client.fetch(Knot.where { $0.id == 1 }), [knot])
        },
    ]
}
