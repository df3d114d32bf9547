import DBClientCore

/// What an observer is told of values that hold others.
enum ObservedHeldCases {
    static let marvel = Studio(1, "Marvel", founded: 1939)
    static let image = Studio(2, "Image")
    static let ink = Skill("ink", 2)
    static let pencil = Skill("pencil", 9)

    /// Three artists that a request without a sort has at the positions 0, 1 and 2.
    static let artists = [
        Artist(1, "Kirby", studio: marvel, skills: [ink, pencil], tags: [ink]),
        Artist(2, "Liefeld", studio: image, former: marvel),
        Artist(3, "Lee", studio: marvel, mentor: 1, rival: 2, friends: [1, 2]),
    ]

    private static func observing(
        _ name: String,
        _ request: FetchRequest<Artist> = Artist.all,
        last: Artist = Artist(99, "~"),
        _ run: @escaping @Sendable (any DBClient, inout Observer<Artist>) async throws -> Void
    ) -> ConformanceCase {
        DBClientTesting.observing(name) { client in
            try await client.insert(artists)
            try await client.insert(Skill("spare"))
            var observer = try await Observer(client.observe(request))
            try await run(client, &observer)
            // Nothing else was delivered: the next change set is that of the next write.
            try await client.insert(last)
            let changes = try await observer.update()
            try expectEqual(changes.insertions.count, 1, "what came last:")
            try expectEqual(changes.modifications.count, 0, "what came last:")
            try expectEqual(Array(changes.objects), try await client.fetch(request))
        }
    }

    static let all: [ConformanceCase] =
        values + lists + references + places + rules + windows + forms

    private static let values: [ConformanceCase] = [
        observing("a value that several hold changes for all of them") { client, observer in
            try await client.update(Studio.self, key: 1) { $0.set(\.name, to: "Timely") }
            let changes = try await observer.update()
            try expectEqual(
                changes.modifications.map { [$0.old, $0.new] },
                [[0, 0], [1, 1], [2, 2]]
            )
            try expectEqual(changes.deletions + changes.insertions, [])
            try expectEqual(changes.objects[1].former?.name, "Timely")
        },
        observing("a value that one holds changes for it alone") { client, observer in
            try await client.update(Studio(2, "Extreme", founded: 1992))
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [1])
            try expectEqual(changes.objects[1].studio?.founded, 1992)
        },
        observing("another value is held") { client, observer in
            try await client.update(Artist.self, key: 1) { $0.set(\.studio, to: image) }
            var changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.element.studio), [image])
            try await client.update(Studio.self, key: 2) { $0.set(\.name, to: "Shadowline") }
            changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [0, 1])
            try await client.update(Artist.self, key: 2) { $0.set(\.studio, to: nil) }
            changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [1])
            try await client.update(Studio.self, key: 2) { $0.set(\.name, to: "Image") }
            changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [0])
        },
        observing("values that nobody holds deliver nothing") { client, observer in
            try await client.insert(Studio(7, "Fleetway"))
            try await client.update(Studio(7, "Egmont"))
            try await client.delete(Studio.self, key: 7)
            try await client.update(Skill("spare", 5))
        },
        observing("writing what is stored delivers nothing for values that hold others") {
            client,
            observer in
            try await client.update(artists[0])
            try await client.upsert(artists)
            try await client.update(Studio.self, key: 1) { $0.set(\.name, to: "Marvel") }
            try await client.update(marvel)
        },
        observing("what a unit changes and changes back delivers nothing") { client, observer in
            try await client.write { transaction in
                try transaction.update(Studio.self, key: 1) { $0.set(\.name, to: "other") }
                try transaction.update(Artist.self, key: 1) { $0.set(\.skills, to: []) }
                try transaction.update(Artist.self, key: 1) { $0.set(\.skills, to: [ink, pencil]) }
                try transaction.update(Studio.self, key: 1) { $0.set(\.name, to: "Marvel") }
            }
        },
        observing("a unit that is undone delivers nothing for values that hold others") {
            client,
            observer in
            do {
                try await client.write { transaction in
                    try transaction.update(Studio.self, key: 1) { $0.set(\.name, to: "other") }
                    throw SuiteError.deliberate
                }
            } catch SuiteError.deliberate {}
        },
        observing("saving a value saves what it holds, for others that hold it too") {
            client,
            observer in
            var kirby = artists[0]
            kirby.studio?.name = "Atlas"
            kirby.skills[0].level = 3
            kirby.tags = [Skill("ink", 3)]
            try await client.update(kirby)
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [0, 1, 2])
            try expectEqual(changes.objects[2].studio?.name, "Atlas")
            try expectEqual(changes.objects[0].tags, [Skill("ink", 3)])
        },
    ]

    private static let lists: [ConformanceCase] = [
        observing("an element of a list changes") { client, observer in
            try await client.update(Skill.self, key: "pencil") { $0.set(\.level, to: 1) }
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [0])
            try expectEqual(changes.objects[0].skills, [ink, Skill("pencil", 1)])
        },
        observing("a list gets, loses and reorders elements") { client, observer in
            let lists = [[pencil, ink], [pencil], [], [ink, ink], [ink, pencil, Skill("new")]]
            for list in lists {
                try await client.update(Artist.self, key: 1) { $0.set(\.skills, to: list) }
                let changes = try await observer.update()
                try expectEqual(changes.modifications.map(\.element.skills), [list])
            }
            try await client.update(Skill("new", 4))
            try expectEqual(try await observer.update().modifications.map(\.new), [0])
        },
        observing("a set gets and loses elements") { client, observer in
            for set in [[pencil], [pencil, ink], [], [ink]] as [Set<Skill>] {
                try await client.update(Artist.self, key: 3) { $0.set(\.tags, to: set) }
                let changes = try await observer.update()
                try expectEqual(changes.modifications.map(\.element.tags), [set])
            }
        },
        DBClientTesting.observing("values that hold their own kind are told to any depth") {
            client in
            let tree = Branch(1, "a", [Branch(2, "b", [Branch(3, "c"), Branch(4, "d")])])
            try await client.insert([tree, Branch(9, "z")])
            let roots = Branch.where { $0.id == 1 || $0.id == 9 }
            var observer = try await Observer(client.observe(roots))
            try await client.update(Branch.self, key: 4) { $0.set(\.name, to: "e") }
            var changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [0])
            try expectEqual(changes.objects[0].branches[0].branches[1].name, "e")
            try await client.update(Branch.self, key: 3) {
                $0.set(\.branches, to: [Branch(5, "f")])
            }
            changes = try await observer.update()
            try expectEqual(changes.objects[0].branches[0].branches[0].branches, [Branch(5, "f")])
            try await client.update(Branch.self, key: 5) { $0.set(\.name, to: "g") }
            changes = try await observer.update()
            try expectEqual(changes.modifications.count, 1)
            try await client.delete(Branch.self, key: 2)
            changes = try await observer.update()
            try expectEqual(Array(changes.objects), [Branch(1, "a"), Branch(9, "z")])
            try await client.update(Branch.self, key: 5) { $0.set(\.name, to: "unseen") }
            try await client.update(Branch.self, key: 9) { $0.set(\.name, to: "y") }
            try expectEqual(try await observer.update().modifications.map(\.new), [1])
        },
    ]

    private static let references: [ConformanceCase] = [
        observing(
            "what is referred to is no part of the value",
            Artist.where { $0.id == 3 || $0.id == 99 }
        ) { client, observer in
            try await client.update(Artist.self, key: 1) { $0.set(\.name, to: "unseen") }
            try await client.update(Artist.self, key: 2) { $0.set(\.name, to: "unseen") }
            try await client.delete(Artist.self, key: 2)
            // The friend is gone from the list; the rival is weak and stays.
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.element.friends), [[1]])
            try expectEqual(changes.objects[0].rival, Reference(2))
        },
        observing("other keys are referred to") { client, observer in
            try await client.update(Artist.self, key: 3) { $0.set(\.mentor, to: Reference(2)) }
            try expectEqual(try await observer.update().modifications.map(\.new), [2])
            try await client.update(Artist.self, key: 3) { $0.set(\.friends, to: [2, 1]) }
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.element.friends), [[2, 1]])
        },
    ]

    private static let places: [ConformanceCase] = [
        observing(
            "a condition on what is held",
            Artist.where { $0.studio.name == "Marvel" },
            last: Artist(99, studio: marvel)
        ) { client, observer in
            try await client.update(Studio.self, key: 2) { $0.set(\.name, to: "Marvel") }
            var changes = try await observer.update()
            try expectEqual(changes.insertions, [1])
            try expectEqual(changes.modifications.count, 0)
            try await client.update(Studio.self, key: 1) { $0.set(\.name, to: "Timely") }
            changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 2])
            try expectEqual(changes.modifications.map(\.element.former?.name), ["Timely"])
            try await client.update(Studio.self, key: 1) { $0.set(\.name, to: "Marvel") }
            try expectEqual(try await observer.update().insertions, [0, 2])
        },
        observing(
            "a condition on elements, and on how many there are",
            Artist.where { $0.skills.contains { $0.level > 8 } || $0.tags.count > 1 },
            last: Artist(99, skills: [pencil])
        ) { client, observer in
            try await client.update(Skill("pencil", 8))
            var changes = try await observer.update()
            try expectEqual(changes.deletions, [0])
            try await client.update(Artist.self, key: 2) {
                $0.set(\.tags, to: [ink, Skill("pencil", 8)])
            }
            changes = try await observer.update()
            try expectEqual(changes.insertions, [0])
            try await client.update(Skill("pencil", 9))
            changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [1, 2])
            try await client.delete(Skill.self, key: "pencil")
            changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [])
            try await client.upsert(pencil)
        },
        observing(
            "a condition through references",
            Artist.where { $0.mentor.studio.name == "Marvel" || $0.id == 99 }
        ) { client, observer in
            try await client.update(Artist.self, key: 1) { $0.set(\.studio, to: image) }
            try expectEqual(try await observer.update().deletions, [0])
            try await client.update(Studio.self, key: 2) { $0.set(\.name, to: "Marvel") }
            try expectEqual(try await observer.update().objects.map(\.id), [3])
            try await client.update(Artist.self, key: 2) { $0.set(\.mentor, to: Reference(1)) }
            try expectEqual(try await observer.update().insertions, [0])
        },
        observing(
            "an order by what is held",
            Artist.all.sorted { [$0.studio.name, $0.id.descending] }
        ) { client, observer in
            try expectEqual(
                try await client.fetch(Artist.all.sorted { [$0.studio.name, $0.id.descending] })
                    .map(\.id),
                [2, 3, 1]
            )
            try await client.update(Studio.self, key: 2) { $0.set(\.name, to: "Zenith") }
            var changes = try await observer.update()
            try expectEqual(changes.moves, [.init(from: 0, to: 2)])
            try expectEqual(changes.modifications.map { [$0.old, $0.new] }, [[0, 2]])
            try await client.update(Studio.self, key: 1) { $0.set(\.name, to: "Timely") }
            changes = try await observer.update()
            try expectEqual(changes.moves, [])
            try expectEqual(changes.modifications.map(\.new), [0, 1, 2])
            try await client.update(Artist.self, key: 1) { $0.set(\.studio, to: nil) }
            changes = try await observer.update()
            try expectEqual(changes.moves, [.init(from: 1, to: 0)])
        },
        observing("an order through references", Artist.all.sorted { $0.mentor.studio.founded }) {
            client,
            observer in
            try expectEqual(observer.copy.rows?.count, 3)
            try await client.update(Artist.self, key: 1) { $0.set(\.mentor, to: Reference(2)) }
            _ = try await observer.update()
            try await client.update(Studio.self, key: 2) { $0.set(\.founded, to: 1992) }
            let changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [2, 3, 1])
        },
    ]

    private static let rules: [ConformanceCase] = [
        observing("what is held is deleted and nullified") { client, observer in
            try await client.delete(Studio.self, key: 1)
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [0, 1, 2])
            try expectEqual(changes.objects.map(\.studio), [nil, image, nil])
            try await client.insert(marvel)
        },
        observing("an element is deleted and leaves its lists") { client, observer in
            try await client.delete(Skill.self, key: "ink")
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.element.skills), [[pencil]])
            try expectEqual(changes.objects[0].tags, [])
        },
        DBClientTesting.observing("values that go with what they hold are deleted") { client in
            try await client.insert([
                Exhibit(1, shown: [ink], guarded: [pencil], lent: [2]),
                Exhibit(2, shown: [pencil, ink]), Exhibit(3, guarded: [pencil]),
            ])
            var observer = try await Observer(client.observe(Exhibit.all))
            try await client.delete(Skill.self, key: "ink")
            var changes = try await observer.update()
            try expectEqual(changes.deletions, [0, 1])
            try await client.upsert(Exhibit(3, shown: [Skill("new")]))
            changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.new), [0])
        },
        DBClientTesting.observing("a weak value that is not there comes and goes") { client in
            try await client.insert(Visitor(1, guide: Studio(5, "a")))
            try await client.delete(Studio.self, key: 5)
            var observer = try await Observer(client.observe(Visitor.all))
            try expectEqual(try await client.fetch(Visitor.all).map(\.guide), [nil])
            try await client.insert(Studio(6, "unseen"))
            try await client.insert(Studio(5, "b"))
            let changes = try await observer.update()
            try expectEqual(changes.modifications.map(\.element.guide), [Studio(5, "b")])
            try await client.delete(Studio.self, key: 5)
            try expectEqual(try await observer.update().objects.map(\.guide), [nil])
        },
    ]

    private static let windows: [ConformanceCase] = [
        observing(
            "a window in an order by what is held",
            Artist.all.sorted { [$0.studio.name.descending, $0.name.descending] }.limit(2),
            last: Artist(99, studio: Studio(9, "~"))
        ) { client, observer in
            try await client.update(Studio.self, key: 2) { $0.set(\.name, to: "Zenith") }
            var changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [2, 3])
            try await client.delete(Artist.self, key: 2)
            changes = try await observer.update()
            try expectEqual(changes.objects.map(\.id), [3, 1])
            try await client.insert((10..<150).map { Artist($0, "n\($0)", studio: marvel) })
            try await observer.settle {
                try await client.fetch(
                    Artist.all.sorted { [$0.studio.name.descending, $0.name.descending] }.limit(2)
                )
            }
            try await client.delete(Artist.where { $0.id >= 10 })
            try await observer.settle {
                try await client.fetch(
                    Artist.all.sorted { [$0.studio.name.descending, $0.name.descending] }.limit(2)
                )
            }
        }
    ]
}

/// A model with a weak relationship by value.
@Stored private struct Visitor: Equatable {
    let id: Int
    @Relationship(onDelete: .weak) var guide: Studio?

    init(_ id: Int, guide: Studio?) {
        self.id = id
        self.guide = guide
    }
}
