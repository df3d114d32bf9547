import DBClientCore

/// Values that are written over live rows whose deletion waits.
enum HeldEntityRevivalCases {
    static let all: [ConformanceCase] = [
        promise(.entities, "deleted entities that held each other are released") { client in
            try await client.write { transaction in
                let context = try transaction.entities
                for isWritten in [false, true] {
                    let released = try deletedCircle(in: context, isWritten)
                    try expectEqual(released(), true)
                }
                try context.insert(Artist(1))
                try context.insert(Artist(2))
            }
            try expectEqual(try await client.findAll(Artist.self), [Artist(1), Artist(2)])
        },
        promise(.entities, "a value that is set over a deleted entity is a new one") { client in
            try await client.insert(
                Artist(1, studio: Studio(1, "a"), skills: [Skill("x"), Skill("y")])
            )
            try await client.insert(Artist(2, studio: Studio(1, "a")))
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                let studio = try EntityCases.required(artist.entity(\Artist.studio))
                let skills = try artist.entities(\Artist.skills)
                try context.delete(studio)
                try artist.set(\Artist.studio, to: Studio(1, "b"))
                try context.delete(skills[0])
                try artist.set(\Artist.skills, to: [Skill("y", 2), Skill("x", 1)])
                try expect(try artist.entity(\Artist.studio) !== studio, "the old one is held")
                try expectErrorInside(.notFound) { _ = try studio.value(\Studio.name) }
                try expectEqual(try artist.value(\Artist.studio), Studio(1, "b"))
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [
                    Artist(1, studio: Studio(1, "b"), skills: [Skill("y", 2), Skill("x", 1)]),
                    // What else held the old one followed its rule.
                    Artist(2),
                ]
            )
        },
        promise(.entities, "a new value holds a value in place of a deleted entity") { client in
            try await client.insert([Studio(1, "a"), Studio(2, "b")])
            try await client.insert(Branch(2, "old", [Branch(3, "old")]))
            try await client.write { transaction in
                let context = try transaction.entities
                for studio in try context.fetch(Studio.all) { try context.delete(studio) }
                try context.insert(Contract(1, Studio(1, "new")))
                for branch in try context.fetch(Branch.all) { try context.delete(branch) }
                try context.insert(Branch(1, "new", [Branch(4, "new", [Branch(3, "new")])]))
            }
            try expectEqual(try await client.findAll(Studio.self), [Studio(1, "new")])
            try expectEqual(
                try await client.findAll(Contract.self),
                [Contract(1, Studio(1, "new"))]
            )
            try expectEqual(
                try await client.findAll(Branch.self),
                [
                    Branch(1, "new", [Branch(4, "new", [Branch(3, "new")])]), Branch(3, "new"),
                    Branch(4, "new", [Branch(3, "new")]),
                ]
            )
        },
        promise(.entities, "an owner is set with a value in place of a deleted entity") { client in
            try await client.insert(Branch(1, "a", [Branch(2, "b", [Branch(3, "c")])]))
            try await client.write { transaction in
                let context = try transaction.entities
                let branches = try context.find(Branch.self, keys: [1, 3])
                try context.delete(branches[1])
                try branches[0].set(Branch(1, "A", [Branch(2, "B", [Branch(3, "C")])]))
            }
            try expectEqual(
                try await client.find(Branch.self, key: 1),
                Branch(1, "A", [Branch(2, "B", [Branch(3, "C")])])
            )
        },
        promise(.entities, "a rule that denies a deletion denies a value in its place") { client in
            try await client.insert(Contract(1, Studio(1, "a")))
            try await client.write { transaction in
                let context = try transaction.entities
                let contract = try EntityCases.required(context.find(Contract.self, key: 1))
                let studio = try contract.entity(\Contract.studio)
                try context.delete(studio)
                let sets: [() throws -> Void] = [
                    { try contract.set(\Contract.studio, to: Studio(1, "b")) },
                    { try contract.set(Contract(1, Studio(1, "b"), holder: nil)) },
                    { try context.insert(Contract(2, Studio(1, "b"))) },
                    { try context.insert(Studio(1, "b")) },
                ]
                for set in sets {
                    try expectErrorInside(.deletionDenied, set)
                    try expectEqual(contract.changedFields, [])
                    try expect(studio.isDeleted && context.hasChanges, "the deletion is lost")
                }
                // Its owner drops the reference to it, or is deleted with it.
                try context.delete(contract)
                try context.insert(Contract(1, Studio(1, "b")))
            }
            try expectEqual(try await client.findAll(Contract.self), [Contract(1, Studio(1, "b"))])
        },
        promise(.entities, "a key that is set after the deletion of what it names is refused") {
            client in
            try await client.insert([Artist(1), Artist(2), Artist(3)])
            let sets: [@Sendable (ManagedEntity, EntityContext) throws -> Void] = [
                { artist, _ in try artist.set(\Artist.mentor, to: Reference(2)) },
                { artist, _ in try artist.set("mentor", to: 2) },
                { artist, _ in try artist.set(\Artist.friends, to: [3, 2]) },
                { artist, _ in try artist.set(Artist(1, mentor: 2)) },
                { _, context in try context.insert(Artist(9, friends: [2])) },
                { _, context in try context.insert(Artist(9, mentor: 2)) },
            ]
            for set in sets {
                try await expectError(.danglingReference) {
                    try await client.write { transaction in
                        let context = try transaction.entities
                        let found = try context.fetch(Artist.all)
                        try context.delete(found[1])
                        try set(found[0], context)
                    }
                }
            }
            // One that was set before follows its rule, and a weak one may name nothing.
            try await client.write { transaction in
                let context = try transaction.entities
                let found = try context.fetch(Artist.all)
                try found[0].set(\Artist.mentor, to: Reference(2))
                try found[0].set(\Artist.friends, to: [3, 2])
                try context.delete(found[1])
                try found[2].set(\Artist.rival, to: Reference(2))
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, friends: [3]), Artist(3, rival: 2)]
            )
        },
        promise(.entities, "an owner that goes with what it held is not set") { client in
            try await client.insert(Artist(5))
            try await client.insert(Contract(1, Studio(1, "a"), holder: 5))
            try await client.write { transaction in
                let context = try transaction.entities
                let contract = try EntityCases.required(context.find(Contract.self, key: 1))
                let artist = try EntityCases.required(context.find(Artist.self, key: 5))
                try context.delete(artist)
                try context.insert(Artist(5, "again"))
                try expectErrorInside(.notFound) {
                    try contract.set(\Contract.studio, to: Studio(2, "b"))
                }
            }
            try expectEqual(try await client.count(Contract.all), 0)
            try expectEqual(try await client.findAll(Studio.self), [Studio(1, "a")])
            try expectEqual(try await client.findAll(Artist.self), [Artist(5, "again")])
        },
    ]

    /// Deletes two entities that hold each other, and returns whether they are no more.
    private static func deletedCircle(
        in context: EntityContext,
        _ isWritten: Bool
    ) throws -> () -> Bool {
        let entities = [try context.insert(Artist(1)), try context.insert(Artist(2))]
        try entities[0].set(\Artist.mentor, to: entities[1])
        try entities[1].set(\Artist.mentor, to: entities[0])
        if isWritten { try context.flush() }
        for entity in entities { try context.delete(entity) }
        try context.flush()
        return { [weak one = entities[0], weak two = entities[1]] in one == nil && two == nil }
    }
}
