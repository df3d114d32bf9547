import DBClientCore

/// Calls on live rows that throw, which leave the context as it was.
enum HalfChangeCases {
    static let all: [ConformanceCase] = [
        promise(.entities, "an insert that throws leaves nothing in the context") { client in
            try await client.insert(Skill("kept", 1))
            try await client.write { transaction in
                let context = try transaction.entities
                let kept = try EntityCases.required(context.find(Skill.self, key: "kept"))
                let deep = (1...70).reversed().reduce(Branch(100)) { Branch($1, "", [$0]) }
                try expectErrorInside(.invalidValue) { try context.insert(deep) }
                try expectErrorInside(.invalidValue) {
                    try context.insert(Artist(1, skills: [Skill("kept", 2), Skill("\0")]))
                }
                try expectErrorInside(.invalidValue) {
                    try context.insert(
                        Branch(1, "a", [Branch(2, "b", [Branch(3, "c"), Branch(4, "\0")])])
                    )
                }
                try expectEqual(kept.changedFields, [])
                try expect(!context.hasChanges, "a part of a value waits to be written")
                try expect(try context.find(Branch.self, key: 2) == nil, "a part is found")
                // The keys are free.
                try context.insert(Artist(1, "new"))
                try context.insert(Branch(2, "new"))
            }
            try expectEqual(try await client.findAll(Branch.self), [Branch(2, "new")])
            try expectEqual(try await client.findAll(Artist.self), [Artist(1, "new")])
            try expectEqual(try await client.findAll(Skill.self), [Skill("kept", 1)])
        },
        promise(.entities, "a set that throws leaves the entity and what it holds") { client in
            try await client.insert(
                Artist(1, "a", studio: Studio(1, "a"), skills: [Skill("x", 1)])
            )
            try await client.insert(Branch(1, "a", [Branch(2, "b")]))
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                let branch = try EntityCases.required(context.find(Branch.self, key: 1))
                let skill = try artist.entities(\Artist.skills)[0]
                try skill.set(\Skill.level, to: 5)
                try expectErrorInside(.invalidValue) {
                    try artist.set(
                        Artist(
                            1,
                            "changed",
                            studio: Studio(2, "new"),
                            skills: [Skill("x", 9), Skill("\0")]
                        )
                    )
                }
                try expectEqual(artist.changedFields, [])
                try expectEqual(try skill.value(\Skill.level), 5)
                try expectErrorInside(.invalidValue) {
                    try branch.set(
                        \Branch.branches,
                        to: [Branch(2, "changed"), Branch(3, "c", [Branch(4, "\0")])]
                    )
                }
                try expectErrorInside(.invalidValue) {
                    try branch.set(Branch(1, "A", [Branch(2, "B", [Branch(3, "\0")])]))
                }
                try expectEqual(branch.changedFields, [])
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, "a", studio: Studio(1, "a"), skills: [Skill("x", 5)])]
            )
            try expectEqual(
                try await client.findAll(Branch.self),
                [Branch(1, "a", [Branch(2, "b")]), Branch(2, "b")]
            )
            try expectEqual(try await client.findAll(Studio.self), [Studio(1, "a")])
        },
        promise(.entities, "a value that cannot be held leaves nothing in the context") { client in
            try await client.insert([Artist(1), Artist(2)])
            try await client.insert(Studio(1, "a"))
            try await client.write { transaction in
                let context = try transaction.entities
                let artists = try context.fetch(Artist.all)
                try context.delete(artists[0])
                let studio = try EntityCases.required(context.find(Studio.self, key: 1))
                let sets: [(DBClientError.Code, () throws -> Void)] = [
                    (.notFound, { try artists[0].set(\Artist.studio, to: Studio(5, "new")) }),
                    (.notFound, { try artists[0].set(\Artist.skills, to: [Skill("new")]) }),
                    (.notFound, { try artists[0].set(\Artist.tags, to: [Skill("new")]) }),
                    (.notFound, { try artists[0].set(Artist(1, studio: Studio(1, "b"))) }),
                    (.invalidRequest, { try artists[1].set(\Contract.studio, to: Studio(1, "b")) }),
                    (.invalidRequest, { try artists[1].set(\Exhibit.shown, to: [Skill("new")]) }),
                    (.invalidRequest, { try artists[1].set(Artist(3, studio: Studio(1, "b"))) }),
                ]
                for (code, set) in sets { try expectErrorInside(code, set) }
                try expectEqual(studio.changedFields, [])
                try expectEqual(artists[1].changedFields, [])
            }
            try expectEqual(try await client.findAll(Artist.self), [Artist(2)])
            try expectEqual(try await client.findAll(Studio.self), [Studio(1, "a")])
            try expectEqual(try await client.count(Skill.all), 0)
        },
        promise(.entities, "a refresh that throws keeps what was set") { client in
            try await client.insert(Hero(1, "a"))
            try await client.write { transaction in
                let context = try transaction.entities
                let new = try context.insert(Hero(2, "b"))
                try expectErrorInside(.notFound) { try context.refresh(new) }
                try expectEqual(try new.value(\Hero.name), "b")
            }
            try expectEqual(try await client.count(Hero.all), 2)
        },
    ]
}
