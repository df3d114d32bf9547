import DBClientCore

/// The owners of a value, observed.
enum ObservedInverseCases {
    private static let marvel = Studio(1, "Marvel")
    private static let image = Studio(2, "Image")
    private static let ink = Skill("ink", 2)

    private static let artists = [
        Artist(1, "Kirby", studio: marvel, skills: [ink, ink], friends: [2]),
        Artist(2, "Liefeld", studio: image, tags: [ink], mentor: 1),
        Artist(3, "Lee", studio: marvel, mentor: 1),
    ]

    static let all: [ConformanceCase] = [
        observing("owners that hold a value are observed and counted, and move between values") {
            client in
            try await client.insert(artists)
            var ofMarvel = try await Observer(client.observe(marvel.inverse(of: \Artist.studio)))
            var ofImage = try await Observer(client.observe(image.inverse(of: \Artist.studio)))
            var counts = client.observeCount(marvel.inverse(of: \Artist.studio)).makeAsyncIterator()
            var others = client.observeCount(image.inverse(of: \Artist.studio)).makeAsyncIterator()
            try expectEqual(ofMarvel.copy.rows?.count, 2)
            try expectEqual(try await counts.next(), 2)
            try expectEqual(try await others.next(), 1)
            try await client.update(Artist.self, key: 3) { $0.set(\.studio, to: image) }
            try expectEqual(try await ofMarvel.update().deletions, [1])
            let arrived = try await ofImage.update()
            try expectEqual(arrived.insertions, [1])
            try expectEqual(arrived.objects.map(\.id), [2, 3])
            try expectEqual(try await counts.next(), 1)
            try expectEqual(try await others.next(), 2)
            // The value itself changes: its owners hold something else, and are as many.
            try await client.update(Studio.self, key: 2) { $0.set(\.name, to: "Extreme") }
            try expectEqual(try await ofImage.update().modifications.map(\.new), [0, 1])
            try await client.delete(Studio.self, key: 2)
            try expectEqual(try await ofImage.update().deletions, [0, 1])
            try expectEqual(try await others.next(), 0)
            try await client.delete(Artist.self, key: 1)
            try expectEqual(try await ofMarvel.update().deletions, [0])
            try expectEqual(try await counts.next(), 0)
        },
        observing("owners whose lists and sets have an element are observed and counted") {
            client in
            try await client.insert(artists)
            var skilled = try await Observer(client.observe(ink.inverse(of: \Artist.skills)))
            var tagged = try await Observer(client.observe(ink.inverse(of: \Artist.tags)))
            var counts = client.observeCount(ink.inverse(of: \Artist.skills)).makeAsyncIterator()
            try expectEqual(try await counts.next(), 1, "an owner that has it twice:")
            try await client.write { transaction in
                try transaction.update(Artist.self, key: 1) { $0.set(\.skills, to: []) }
                try transaction.update(Artist.self, key: 2) { $0.set(\.skills, to: [ink]) }
                try transaction.update(Artist.self, key: 3) { $0.set(\.skills, to: [ink]) }
                try transaction.update(Artist.self, key: 2) { $0.set(\.tags, to: []) }
            }
            let changes = try await skilled.update()
            try expectEqual(changes.deletions, [0])
            try expectEqual(changes.insertions, [0, 1])
            try expectEqual(changes.objects.map(\.id), [2, 3])
            try expectEqual(try await tagged.update().deletions, [0])
            try expectEqual(try await counts.next(), 2)
            try await client.delete(Skill.self, key: "ink")
            try expectEqual(try await skilled.update().deletions, [0, 1])
            try expectEqual(try await counts.next(), 0)
        },
        observing("owners that refer to a value are observed and counted") { client in
            try await client.insert(artists)
            let pupils = artists[0].inverse(of: \Artist.mentor)
            let friends = artists[1].inverse(of: \Artist.friends)
            var observer = try await Observer(client.observe(pupils))
            var counts = client.observeCount(pupils).makeAsyncIterator()
            var friendly = client.observeCount(friends).makeAsyncIterator()
            try expectEqual(try await counts.next(), 2)
            try expectEqual(try await friendly.next(), 1)
            try await client.update(Artist.self, key: 1) { $0.set(\.name, to: "unseen") }
            try await client.update(Artist.self, key: 2) { $0.set(\.mentor, to: Reference(3)) }
            try expectEqual(try await observer.update().deletions, [0])
            try expectEqual(try await counts.next(), 1)
            try await client.update(Artist.self, key: 3) { $0.set(\.friends, to: [1, 2]) }
            try expectEqual(try await friendly.next(), 2)
            try expectEqual(try await observer.update().modifications.map(\.new), [0])
            try await client.delete(Artist.self, key: 1)
            try expectEqual(try await observer.update().deletions, [0])
            try expectEqual(try await counts.next(), 0)
        },
    ]
}
