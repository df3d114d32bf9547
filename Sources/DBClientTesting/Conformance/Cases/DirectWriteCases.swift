import DBClientCore

/// Live rows that calls of their transaction change beside their context.
enum DirectWriteCases {
    static let all: [ConformanceCase] = fields + lists + keys

    private static let fields: [ConformanceCase] = [
        promise(.entities, "an entity shows what a call on its row has changed") { client in
            try await client.insert([Hero(1, "a"), Hero(2, "a")])
            let entity = Hero.schema.entity
            let changes: [@Sendable (WriteTransaction) throws -> Void] = [
                { try $0.update(Hero(1, "b")) },
                { _ = try $0.updateExisting([Hero(1, "b"), Hero(9)]) },
                { try $0.upsert([Hero(1, "b")]) },
                { try $0.update(Hero.self, key: 1) { $0.set(\.name, to: "b") } },
                { try $0.update(Hero.self, keys: [1]) { row, _ in row.set(\.name, to: "b") } },
                { try $0.update(Hero.where { $0.id == 1 }) { $0.set(\.name, to: "b") } },
                { try $0.update(entity, key: [.integer(1)], set: ["name": .text("b")]) },
                { transaction in
                    try transaction.write { nested in _ = try nested.update(Hero(1, "b")) }
                },
                {
                    try $0.delete(Hero.self, key: 1)
                    try $0.insert(Hero(1, "b"))
                },
            ]
            for change in changes {
                try await client.write { transaction in
                    let context = try transaction.entities
                    let entity = try EntityCases.required(context.find(Hero.self, key: 1))
                    try change(transaction)
                    try expectEqual(try entity.value(\Hero.name), "b")
                    // What is set is written, though it is what was read at first.
                    try entity.set(\Hero.name, to: "a")
                }
                try expectEqual(try await client.find(Hero.self, key: 1), Hero(1, "a"))
            }
        },
        promise(.entities, "an entity set after a call on its row is written") { client in
            try await client.insert(Artist(1, "a", studio: Studio(1, "a")))
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                let studio = try artist.entity(\Artist.studio)
                try transaction.update(Artist(1, "b"))
                try artist.set(\Artist.studio, to: studio)
                try artist.set(\Artist.name, to: "a")
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, "a", studio: Studio(1, "a"))]
            )
        },
    ]

    private static let lists: [ConformanceCase] = [
        promise(.entities, "a list that is set replaces what a call has made of it") { client in
            let (x, y, z) = (Skill("x"), Skill("y"), Skill("z"))
            try await client.insert([x, y, z])
            let before: [[Skill]] = [[], [x], [x, y]]
            let between: [[Skill]] = [[], [x], [y, x], [x, y, z]]
            let after: [[Skill]] = [[], [x], [y, z], [x, y]]
            for (index, before) in before.enumerated() {
                for between in between {
                    for after in after {
                        try await client.upsert(
                            Artist(index, skills: before, tags: Set(before), friends: [])
                        )
                        try await client.write { transaction in
                            let context = try transaction.entities
                            let artist = try EntityCases.required(
                                context.find(Artist.self, key: index)
                            )
                            try expectEqual(try artist.value(\Artist.skills), before)
                            try expectEqual(try artist.value(\Artist.tags), Set(before))
                            _ = try artist.value(\Artist.friends)
                            let friends = between.map { _ in index }
                            try transaction.update(
                                Artist(index, skills: between, tags: Set(between), friends: friends)
                            )
                            try artist.set(\Artist.skills, to: after)
                            try artist.set(\Artist.tags, to: Set(after))
                            try artist.set(
                                \Artist.friends,
                                to: References(after.map { _ in index })
                            )
                        }
                        try expectEqual(
                            try await client.find(Artist.self, key: index),
                            Artist(
                                index,
                                skills: after,
                                tags: Set(after),
                                friends: after.map { _ in index }
                            )
                        )
                    }
                }
            }
        },
        promise(.entities, "a list shows what rules of deletion have made of it") { client in
            try await client.insert(
                Artist(1, studio: Studio(1, "a"), skills: [Skill("x"), Skill("y")])
            )
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                try expectEqual(try artist.entities(\Artist.skills).count, 2)
                _ = try artist.entity(\Artist.studio)
                try transaction.delete(Skill.self, key: "x")
                try expectEqual(try artist.value(\Artist.skills), [Skill("y")])
                try transaction.deleteAll(Studio.self)
                try expect(try artist.entity(\Artist.studio) == nil, "a deleted one is held")
                try transaction.insert(Skill("x", 1))
                try artist.set(\Artist.skills, to: [Skill("x", 1), Skill("y")])
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, skills: [Skill("x", 1), Skill("y")])]
            )
        },
    ]

    private static let keys: [ConformanceCase] = [
        promise(.entities, "a key that a call has made free is taken again") { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            try await client.write { transaction in
                let context = try transaction.entities
                let one = try EntityCases.required(context.find(Hero.self, key: 1))
                try transaction.delete(Hero.self, key: 1)
                let again = try context.insert(Hero(1, "again"))
                try expectErrorInside(.notFound) { _ = try one.value(\Hero.name) }
                try expectEqual(try again.value(\Hero.name), "again")
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["again", "b"])
        },
        promise(
            .entities,
            "a key that an undone savepoint has made free is taken again",
            requires: [.savepoints]
        ) { client in
            try await client.write { transaction in
                let context = try transaction.entities
                var kept: [ManagedEntity] = []
                try? transaction.write { _ in
                    kept = [
                        try context.insert(Hero(1, "undone")),
                        try context.insert(Artist(1, studio: Studio(1, "undone"))),
                    ]
                    try context.flush()
                    throw SuiteError.deliberate
                }
                try context.insert(Hero(1, "new"))
                try context.insert(Artist(1, studio: Studio(1, "new")))
                for entity in kept {
                    try expectErrorInside(.notFound) { _ = try entity.value("id", as: Int.self) }
                }
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "new")])
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, studio: Studio(1, "new"))]
            )
        },
    ]
}
