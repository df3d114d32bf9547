import DBClientCore

/// `ManagedEntity` with relationships: entities that hold others, and are stored with them.
enum HeldEntityCases {
    private static let marvel = Studio(1, "Marvel", founded: 1939)
    private static let ink = Skill("ink", 2)
    private static let feet = Skill("feet", 0)

    private static let artists = [
        Artist(
            1,
            "Kirby",
            studio: marvel,
            debut: Issue("Bolt", 1, title: "x"),
            skills: [ink, feet, ink],
            tags: [ink, feet],
            friends: [2, 2]
        ),
        Artist(2, "Lee", studio: marvel, former: Studio(2, "Image"), mentor: 1, rival: 9),
        Artist(3, "Nobody"),
    ]

    static let all: [ConformanceCase] = reading + setting + values

    private static let reading: [ConformanceCase] = [
        promise(.entities, "what is held is the one object of its row") { client in
            try await client.insert(artists)
            try await client.read { transaction in
                let context = try transaction.entities
                let found = try context.fetch(Artist.all)
                let studio = try context.find(Studio.self, key: 1)
                try expect(try found[0].entity(\Artist.studio) === studio, "two objects")
                try expect(try found[1].entity(\Artist.studio) === studio, "two objects")
                try expect(try found[2].entity(\Artist.studio) == nil, "what is not held")
                try expect(try found[0].entity(\Artist.former) == nil, "what is not held")
                try expectEqual(
                    try found[1].entity(\Artist.former)?.value(\Studio.name),
                    "Image"
                )
                try expectEqual(try found[0].entity(\Artist.debut)?.value(\Issue.title), "x")
                try expect(try found[1].entity(\Artist.mentor) === found[0], "two objects")
                try expect(try found[1].entity(\Artist.rival) == nil, "a weak key names nothing")
                let skills = try found[0].entities(\Artist.skills)
                try expectEqual(
                    try skills.map { try $0.value(\Skill.code) },
                    ["ink", "feet", "ink"]
                )
                try expect(skills[0] === skills[2], "two objects")
                try expectEqual(
                    try found[0].entities(\Artist.tags).map { try $0.value(\Skill.code) },
                    ["feet", "ink"]
                )
                let friends = try found[0].entities(\Artist.friends)
                try expectEqual(friends.count, 2)
                try expect(friends[0] === found[1] && friends[1] === found[1], "two objects")
                try expectEqual(try found[2].entities(\Artist.skills).count, 0)
            }
        },
        promise(.entities, "what is held is read as values and keys") { client in
            try await client.insert(artists)
            try await client.read { transaction in
                let context = try transaction.entities
                let found = try context.fetch(Artist.all)
                try expectEqual(try found[0].value(\Artist.studio), marvel)
                try expectEqual(try found[2].value(\Artist.studio), nil)
                try expectEqual(try found[0].value(\Artist.skills), artists[0].skills)
                try expectEqual(try found[0].value(\Artist.tags), artists[0].tags)
                try expectEqual(try found[1].value(\Artist.mentor), Reference(1))
                try expectEqual(try found[1].value(\Artist.rival), Reference(9))
                try expectEqual(try found[0].value(\Artist.friends), [2, 2])
                for (entity, artist) in zip(found, artists) {
                    try expectEqual(try entity.value(as: Artist.self), artist)
                }
            }
        },
        promise(.entities, "an entity that may be nil is when its key names nothing") { client in
            try await client.insert(artists)
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 3))
                try artist.set("studio", to: 77)
                try expect(try artist.entity(\Artist.studio) == nil, "the entity is not nil")
                try context.refresh(artist)
            }
        },
    ]

    private static let setting: [ConformanceCase] = [
        promise(.entities, "what is held is set by entities") { client in
            try await client.insert(artists)
            try await client.write { transaction in
                let context = try transaction.entities
                let found = try context.fetch(Artist.all)
                let image = try EntityCases.required(found[1].entity(\Artist.former))
                let third = try context.insert(Studio(3, "DC"))
                let pencil = try context.insert(Skill("pencil", 9))
                try found[0].set(\Artist.studio, to: image)
                try found[1].set(\Artist.former, to: nil)
                try found[2].set(\Artist.studio, to: third)
                try found[2].set(\Artist.mentor, to: found[1])
                let skills = try found[0].entities(\Artist.skills)
                try found[0].set(\Artist.skills, to: [pencil] + skills.reversed())
                try found[2].set(\Artist.tags, to: [pencil, pencil])
                try found[2].set(\Artist.friends, to: [found[0], found[2], found[0]])
                try expectEqual(found[0].changedFields, ["skills", "studio"])
                try expectEqual(found[1].changedFields, ["former"])
                try expectEqual(
                    found[2].changedFields,
                    ["studio", "tags", "mentor", "friends"]
                )
                try expect(try found[0].entity(\Artist.studio) === image, "another is held")
                try expect(try found[2].entities(\Artist.tags).count == 1, "a set holds twice")
                // Set to what it was.
                try found[1].set(\Artist.studio, to: found[1].entity(\Artist.studio))
                try found[0].set(\Artist.tags, to: found[0].entities(\Artist.tags).reversed())
                try expectEqual(found[0].changedFields, ["skills", "studio"])
            }
            var expected = artists
            expected[0].studio = Studio(2, "Image")
            expected[0].skills = [Skill("pencil", 9), ink, feet, ink]
            expected[1].former = nil
            expected[2].studio = Studio(3, "DC")
            expected[2].mentor = Reference(2)
            expected[2].tags = [Skill("pencil", 9)]
            expected[2].friends = [1, 3, 1]
            try expectEqual(try await client.findAll(Artist.self), expected)
        },
        promise(.entities, "what is held is set by values and keys") { client in
            try await client.insert(artists)
            try await client.write { transaction in
                let context = try transaction.entities
                let found = try context.fetch(Artist.all)
                // Known, known and changed, and new.
                try found[2].set(\Artist.studio, to: marvel)
                try found[2].set(\Artist.former, to: Studio(2, "renamed"))
                try found[0].set(\Artist.former, to: Studio(4, "new"))
                try found[2].set(\Artist.skills, to: [Skill("new", 5), ink])
                try found[2].set(\Artist.tags, to: [Skill("new", 5)])
                try found[2].set(\Artist.mentor, to: Reference(1))
                try found[0].set(\Artist.friends, to: [])
                try found[2].set(\Artist.friends, to: [3])
                try expectEqual(try found[1].value(\Artist.former)?.name, "renamed")
                try expectEqual(context.hasChanges, true)
            }
            var expected = artists
            expected[0].former = Studio(4, "new")
            expected[0].friends = []
            expected[1].former = Studio(2, "renamed")
            expected[2] = Artist(
                3,
                "Nobody",
                studio: marvel,
                former: Studio(2, "renamed"),
                skills: [Skill("new", 5), ink],
                tags: [Skill("new", 5)],
                mentor: 1,
                friends: [3]
            )
            try expectEqual(try await client.findAll(Artist.self), expected)
            try expectEqual(try await client.count(Studio.all), 3)
        },
        promise(.entities, "a changed element is written once, and by itself") { client in
            try await client.insert(artists)
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                for skill in try artist.entities(\Artist.skills) {
                    try skill.set(\Skill.level, to: 7)
                }
                try expectEqual(artist.changedFields, [])
            }
            try expectEqual(
                try await client.find(Artist.self, key: 1)?.skills.map(\.level),
                [7, 7, 7]
            )
        },
        promise(.entities, "what is held is read anew when it is refreshed or undone") { client in
            try await client.insert(artists)
            try await client.write { transaction in
                let context = try transaction.entities
                let found = try context.fetch(Artist.all)
                try found[2].set(\Artist.studio, to: marvel)
                try found[2].set(\Artist.skills, to: [ink])
                try context.refresh(found[2])
                try expectEqual(found[2].changedFields, [])
                try expectEqual(try found[2].value(\Artist.skills), [])
                try transaction.update(Artist.self, key: 3) { $0.set(\.skills, to: [feet]) }
                try expectEqual(try found[2].value(\Artist.skills), [feet])
                try context.refresh(found[2])
                try expectEqual(try found[2].value(\Artist.skills), [feet])
                do {
                    try transaction.write { _ in
                        try found[0].set(\Artist.skills, to: [])
                        try found[0].set(\Artist.studio, to: context.insert(Studio(9, "x")))
                        try context.flush()
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
                try expectEqual(try found[0].value(\Artist.skills), artists[0].skills)
                try expectEqual(try found[0].value(\Artist.studio), marvel)
            }
            try expectEqual(try await client.find(Artist.self, key: 1), artists[0])
            try expectEqual(try await client.count(Studio.all), 2)
        },
    ]

    private static let values: [ConformanceCase] = [
        promise(.entities, "a value becomes entities with what it holds") { client in
            try await client.insert(Studio(1, "old"))
            try await client.write { transaction in
                let context = try transaction.entities
                let entity = try context.insert(artists[0])
                try expect(entity.isInserted, "it is not new")
                let studio = try EntityCases.required(entity.entity(\Artist.studio))
                try expect(!studio.isInserted, "what is stored is made anew")
                try expectEqual(try studio.value(\Studio.name), "Marvel")
                try context.insert(Artist(2))
            }
            try expectEqual(try await client.find(Artist.self, key: 1), artists[0])
            try await client.write { transaction in
                let context = try transaction.entities
                let entity = try EntityCases.required(context.find(Artist.self, key: 1))
                try entity.set(artists[0])
                try expectEqual(entity.changedFields, [])
                var changed = artists[0]
                changed.skills.removeLast()
                changed.studio = nil
                try entity.set(changed)
                try expectEqual(entity.changedFields, ["skills", "studio"])
                try expectEqual(try entity.value(as: Artist.self), changed)
            }
            try expectEqual(
                try await client.find(Artist.self, key: 1)?.skills,
                [ink, feet]
            )
        },
        promise(
            .entities,
            "new entities hold each other before the store makes their keys",
            requires: [.generatedKeys]
        ) { client in
            try await client.write { transaction in
                let context = try transaction.entities
                let folder = try context.insert(Folder(cover: Note(0, "a"), notes: [Note(0, "b")]))
                let cover = try EntityCases.required(folder.entity(\Folder.cover))
                try folder.set(
                    \Folder.notes,
                    to: folder.entities(\Folder.notes) + [cover, context.insert(Note(0, "c"))]
                )
                let empty = try context.insert(Folder.self, key: 0)
                try empty.set(\Folder.cover, to: cover)
                try expectEqual(try empty.value(\Folder.cover)?.text, "a")
            }
            let folders = try await client.findAll(Folder.self)
            try expectEqual(folders.map { $0.cover?.text }, ["a", "a"])
            try expectEqual(folders[0].notes.map(\.text), ["b", "a", "c"])
            try expectEqual(folders[0].cover, folders[0].notes[1])
            try expectEqual(try await client.count(Note.all), 3)
        },
        promise(.entities, "values that hold their own kind become entities") { client in
            let tree = Branch(1, "a", [Branch(2, "b", [Branch(3, "c")]), Branch(4, "d")])
            try await client.write { _ = try $0.entities.insert(tree) }
            try expectEqual(try await client.find(Branch.self, key: 1), tree)
        },
    ]
}
