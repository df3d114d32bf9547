import DBClientCore

/// Values that are held by their keys alone.
enum ReferenceCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "a reference is loaded when it is asked for") { client in
            try await client.insert(Artist(1, "Lee"))
            let artist = Artist(2, "Ditko", mentor: 1, friends: [1, 1])
            try await client.insert(artist)
            let found = try await client.find(Artist.self, key: 2)
            try expectEqual(found, artist)
            try expectEqual(try await client.load(artist.mentor)?.name, "Lee")
            try expectEqual(try client.blocking.load(Reference<Artist>(1))?.name, "Lee")
            try expectEqual(try await client.load(artist.friends).map(\.name), ["Lee", "Lee"])
            try expectEqual(try await client.load(Artist(1).mentor), nil)
            try expectEqual(try await client.load(Reference<Artist>(7)), nil)
            try expectEqual(
                try await client.read { try $0.load(found?.mentor)?.id },
                1
            )
        },
        promise(.relationships, "values refer to themselves and to each other") { client in
            try await client.insert(Artist(1, mentor: 1))
            try await client.insert([
                Artist(2, mentor: 3, friends: [3, 2]), Artist(3, mentor: 2),
            ])
            try expectEqual(
                try await client.findAll(Artist.self).map { $0.mentor?.key },
                [1, 3, 2]
            )
            try expectEqual(try await client.find(Artist.self, key: 2)?.friends, [3, 2])
        },
        promise(.relationships, "references are equal when their keys are") { client in
            try await client.insert([Artist(1), Artist(2, mentor: 1), Artist(3, mentor: 2)])
            let mentor = Reference<Artist>(1)
            try expectEqual(mentor, Reference(to: Artist(1, "other")))
            try expectEqual(
                try await client.fetch(Artist.where { $0.mentor == mentor }).map(\.id),
                [2]
            )
            try expectEqual(
                try await client.fetch(Artist.where { $0.mentor != mentor }).map(\.id),
                [1, 3]
            )
            try expectEqual(
                try await client.fetch(Artist.where { $0.mentor == nil }).map(\.id),
                [1]
            )
        },
        promise(.relationships, "a key of several fields is referred to") { client in
            let issue = Issue("Amazing", 15, title: "Spider-Man")
            try await client.insert([issue, Issue("Amazing", 16)])
            let artist = Artist(1, debut: Issue("Amazing", 16), favourite: issue.primaryKey)
            try await client.insert([artist, Artist(2)])
            try expectEqual(try await client.findAll(Artist.self), [artist, Artist(2)])
            try expectEqual(try await client.load(artist.favourite)?.title, "Spider-Man")
            try expectEqual(
                try await client.fetch(Artist.where { $0.favourite == Reference(to: issue) })
                    .map(\.id),
                [1]
            )
            try expectEqual(
                try await client.fetch(Artist.where { $0.favourite.title == "Spider-Man" })
                    .map(\.id),
                [1]
            )
            try expectEqual(
                try await client.fetch(Artist.where { $0.favourite.title == nil }).map(\.id),
                [2]
            )
        },
        promise(.relationships, "a reference to what is not there is refused") { client in
            try await client.insert(Artist(1, "a"))
            let error = try await expectError(.danglingReference) {
                try await client.insert([Artist(2), Artist(3, mentor: 9)])
            }
            try expectEqual(error.entity, "Artist")
            try expectEqual(error.field, "mentor")
            try await expectError(.danglingReference) {
                try await client.update(Artist(1, "b", friends: [1, 8]))
            }
            try await expectError(.danglingReference) {
                try await client.upsert(Artist(1, "b", favourite: .init("None", 0)))
            }
            try await expectError(.danglingReference) {
                try await client.update(Artist.self, key: 1) {
                    $0.set(\.name, to: "b")
                    $0.set(\.mentor, to: Reference(9))
                }
            }
            try expectEqual(try await client.findAll(Artist.self), [Artist(1, "a")])
        },
        promise(.relationships, "a weak reference may name what is not there") { client in
            try await client.insert(Artist(1, rival: 9))
            try await client.insert(Exhibit(1, lent: [5, 6]))
            try expectEqual(try await client.find(Artist.self, key: 1)?.rival, Reference(9))
            try expectEqual(try await client.find(Exhibit.self, key: 1)?.lent, [5, 6])
            try expectEqual(
                try await client.count(Artist.where { $0.rival.name == "x" }),
                0
            )
            try await client.insert(Artist(9, "x"))
            try expectEqual(
                try await client.count(Artist.where { $0.rival.name == "x" }),
                1
            )
        },
    ]
}
