import DBClientCore

/// Live rows that came and went in a savepoint that is undone.
enum UndoneEntityCases {
    static let all: [ConformanceCase] = [
        promise(
            .entities,
            "an entity that an undone savepoint made is never another row",
            requires: [.savepoints, .generatedKeys]
        ) { client in
            try await client.insert(Hero(1, "a"))
            try await client.write { transaction in
                let context = try transaction.entities
                var kept: [ManagedEntity] = []
                try undo(transaction) { attempt in
                    kept.append(try context.insert(Ticket(title: "in")))
                    kept.append(try context.insert(Hero(2, "in")))
                    try context.flush()
                    try attempt.insert(Hero(3, "in"))
                    kept.append(try EntityCases.required(context.find(Hero.self, key: 3)))
                    // Never written.
                    kept.append(try context.insert(Hero(4, "in")))
                }
                let others = [
                    try context.insert(Ticket(title: "out")), try context.insert(Hero(2, "out")),
                    try context.insert(Hero(3, "out")), try context.insert(Hero(4, "out")),
                ]
                try context.flush()
                try expectEqual(kept.map(\.isDeleted), [true, true, true, true])
                try expectErrorInside(.notFound) { try kept[0].set(\Ticket.title, to: "lost") }
                for entity in kept[1...] {
                    try expectErrorInside(.notFound) { try entity.set(\Hero.name, to: "lost") }
                }
                for entity in others[1...] {
                    try expectEqual(try entity.value(\Hero.name), "out")
                }
            }
            try expectEqual(try await client.findAll(Ticket.self).map(\.title), ["out"])
            try expectEqual(
                try await client.findAll(Hero.self).map(\.name),
                ["a", "out", "out", "out"]
            )
        },
        promise(
            .entities,
            "an entity whose deletion is undone comes again, whatever took its key",
            requires: [.savepoints]
        ) { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b"), Hero(3, "c")])
            try await client.write { transaction in
                let context = try transaction.entities
                let heroes = try context.fetch(Hero.all)
                // Gone before, so that another has its key.
                try context.delete(heroes[2])
                try context.flush()
                let third = try context.insert(Hero(3, "again"))
                var made: [ManagedEntity] = []
                try undo(transaction) { attempt in
                    for entity in [heroes[0], heroes[1], third] { try context.delete(entity) }
                    try context.flush()
                    made.append(try context.insert(Hero(1, "in")))
                    try context.flush()
                    try attempt.insert(Hero(2, "in"))
                    made.append(try EntityCases.required(context.find(Hero.self, key: 2)))
                    try undo(attempt) { _ in
                        try context.delete(made[0])
                        try context.flush()
                        made.append(try context.insert(Hero(1, "inner")))
                        made.append(try context.insert(Hero(3, "inner")))
                        try context.flush()
                    }
                    try expectEqual(try made[0].value(\Hero.name), "in")
                    try expectEqual(try made[1].value(\Hero.name), "in")
                    try expectEqual(third.isDeleted, true)
                    try expect(try context.find(Hero.self, key: 3) == nil, "a row came again")
                }
                try expectEqual(made.map(\.isDeleted), [true, true, true, true])
                for (key, entity) in [(1, heroes[0]), (2, heroes[1]), (3, third)] {
                    try expect(
                        try context.find(Hero.self, key: key) === entity,
                        "the row is another object"
                    )
                }
                try expectEqual(heroes[2].isDeleted, true)
                try expectEqual(try third.value(\Hero.name), "again")
                try expectEqual(try heroes[1].value(\Hero.name), "b")
                try heroes[0].set(\Hero.name, to: "after")
            }
            try expectEqual(
                try await client.findAll(Hero.self).map(\.name),
                ["after", "b", "again"]
            )
        },
        promise(
            .entities,
            "entities that are made and undone in a savepoint without others leave nothing",
            requires: [.savepoints]
        ) { client in
            try await client.write { transaction in
                var kept: ManagedEntity?
                // The context begins with the savepoint.
                try undo(transaction) { attempt in
                    kept = try attempt.entities.insert(Hero(1, "in"))
                    try attempt.entities.flush()
                }
                try transaction.insert(Hero(1, "out"))
                try expectErrorInside(.notFound) { _ = try kept?.value(\Hero.name) }
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["out"])
        },
    ]

    /// Runs a body in a savepoint and undoes it.
    private static func undo(
        _ transaction: WriteTransaction,
        _ body: (WriteTransaction) throws -> Void
    ) throws {
        do {
            try transaction.write { attempt in
                try body(attempt)
                throw SuiteError.deliberate
            }
        } catch SuiteError.deliberate {}
    }
}
