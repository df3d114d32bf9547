import DBClientCore

/// References as what their keys are: values to select and to group by, and primary keys.
enum ReferenceKeyCases {
    private static let artists = [
        Artist(1, "Kirby"), Artist(2, "Lee", mentor: 1), Artist(3, "Ditko", mentor: 2),
        Artist(4, "Romita", mentor: 1),
    ]
    private static let studios = [Studio(1, "Marvel"), Studio(2, "Image"), Studio(3, "Epic")]
    private static let members = [
        Membership(1, 1, "ink"), Membership(1, 2, "edit"), Membership(2, 1, "ink"),
    ]

    private static func joined(
        _ concern: ConformanceConcern,
        _ name: String,
        requires requirements: Set<Capability> = [],
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(concern, name, requires: requirements) { client in
            try await client.insert(artists)
            try await client.insert(studios)
            try await client.insert(members)
            try await run(client)
        }
    }

    private static func key(_ artist: Int, _ studio: Int) -> Membership.PrimaryKey {
        Membership(artist, studio).primaryKey
    }

    static let all: [ConformanceCase] = [
        joined(
            .relationships,
            "references are selected, grouped by and told apart",
            requires: [.aggregates]
        ) {
            client in
            try expectEqual(
                try await client.fetch(Artist.all.select(\.mentor)),
                [nil, Reference(1), Reference(2), Reference(1)]
            )
            let rows = try await client.fetch(Membership.all.select(\.studio, \.role))
            try expectEqual(rows.map(\.0.key), [1, 2, 1])
            let groups = try await client.fetch(
                Membership.all.grouped(by: \.artist).select(.count, .max(\.studio))
            )
            try expectEqual(groups.map(\.key), [Reference(1), Reference(2)])
            try expectEqual(groups.map(\.values.0), [2, 1])
            try expectEqual(groups.map(\.values.1), [Reference(2), Reference(1)])
            try expectEqual(
                try await client.fetch(
                    Membership.all.grouped { ($0.studio, $0.role) }.select(.count)
                )
                .map(\.key.0.key),
                [1, 2]
            )
            try expectEqual(
                try await client.distinct(\.mentor, of: Artist.all),
                [nil, Reference(1), Reference(2)]
            )
            try expectEqual(try await client.max(\.mentor, of: Artist.all), Reference(2))
            try expectEqual(try await client.min(\.artist, of: Membership.all), Reference(1))
            try expectEqual(
                try await client.fetch(Artist.all.sorted { [$0.mentor.descending, $0.id] })
                    .map(\.id),
                [3, 2, 4, 1]
            )
        },
        joined(.relationships, "references are among others") { client in
            func ids(
                _ condition: (Fields<Artist>) -> Condition<Artist>
            ) async throws -> [Int] {
                try await client.fetch(Artist.where(condition)).map(\.id)
            }
            let one = Reference<Artist>(1)
            try expectEqual(try await ids { $0.mentor.isIn([one, Reference(9)]) }, [2, 4])
            try expectEqual(try await ids { !$0.mentor.isIn([one]) }, [1, 3])
            try expectEqual(try await ids { $0.mentor.isIn([nil, Reference(2)]) }, [1, 3])
            try expectEqual(try await ids { $0.mentor.isIn([Reference<Artist>]()) }, [])
            try expectEqual(try await ids { [one].contains($0.mentor) }, [2, 4])
            try expectEqual(
                try await client.fetch(
                    Membership.where { $0.artist.isIn([one]) && [Reference(2)].contains($0.studio) }
                ),
                [members[1]]
            )
            try await client.insert([Issue("a", 1), Issue("a", 2)])
            try await client.insert(Artist(5, favourite: .init("a", 2)))
            let issues = [Reference<Issue>(.init("a", 2)), Reference<Issue>(.init("b", 2))]
            try expectEqual(try await ids { $0.favourite.isIn(issues) }, [5])
            try expectEqual(try await ids { $0.favourite.isIn([issues[1], nil]) }, [1, 2, 3, 4])
        },
        joined(.keys, "a value is found and written by a key of references") { client in
            try expectEqual(try await client.findAll(Membership.self), members)
            try expectEqual(try await client.find(Membership.self, key: key(1, 2)), members[1])
            try expectEqual(try await client.find(Membership.self, key: key(2, 2)), nil)
            try expectEqual(
                try await client.find(Membership.self, keys: [key(2, 1), key(9, 9), key(1, 1)]),
                [members[2], members[0]]
            )
            let error = try await expectError(.duplicateKey) {
                try await client.insert([Membership(3, 1), Membership(1, 1)])
            }
            try expectEqual(error.entity, "Membership")
            try await client.update(Membership.self, key: key(1, 2)) { $0.set(\.role, to: "own") }
            let outcome = try await client.upsert([Membership(3, 3), Membership(1, 1, "draw")])
            try expectEqual(outcome.inserted, [Membership(3, 3)])
            try expectEqual(outcome.updated, [Membership(1, 1, "draw")])
            try expectEqual(
                try await client.findAll(Membership.self).map(\.role),
                ["draw", "own", "ink", ""]
            )
            try await expectError(.invalidRequest) {
                try await client.update(Membership.self, key: key(1, 2)) {
                    $0.set(\.studio, to: Reference(3))
                }
            }
            try expectEqual(try await client.delete(Membership.self, key: key(1, 2)), true)
            try await client.delete(Membership(3, 3))
            try expectEqual(try await client.count(Membership.all), 2)
        },
        joined(.relationships, "a key of references names what is there") { client in
            let error = try await expectError(.danglingReference) {
                try await client.insert([Membership(3, 1), Membership(3, 9)])
            }
            try expectEqual(error.field, "studio")
            try expectEqual(try await client.count(Membership.all), 3)
            try await expectError(.danglingReference) {
                try await client.upsert(Imprint(7, "none"))
            }
            try expectEqual(
                try await client.fetch(Membership.where { $0.artist.name == "Lee" }),
                [members[2]]
            )
            try expectEqual(
                try await client.fetch(
                    Membership.where { $0.studio == Reference(1) && $0.artist.mentor == nil }
                ),
                [members[0]]
            )
            try expectEqual(
                try await client.fetch(studios[0].inverse(of: \Membership.studio)),
                [members[0], members[2]]
            )
            try expectEqual(try await client.load(members[1].studio)?.name, "Image")
        },
        joined(.relationships, "rules of deletion of a key of references") { client in
            let error = try await expectError(.deletionDenied) {
                try await client.delete(Studio.self, key: 2)
            }
            try expectEqual(error.entity, "Membership")
            try await client.delete(Artist.self, key: 1)
            try expectEqual(try await client.findAll(Membership.self), [members[2]])
            try await client.delete(Studio.self, key: 2)
            try await client.insert([Imprint(1, "one"), Imprint(3, "three")])
            try expectEqual(
                try await client.find(Imprint.self, key: Reference(3)),
                Imprint(3, "three")
            )
            try await expectError(.duplicateKey) { try await client.insert(Imprint(1)) }
            try await client.delete(Studio.self, key: 3)
            try expectEqual(try await client.findAll(Imprint.self), [Imprint(1, "one")])
        },
        ConformanceCase(
            .relationships,
            "rules of a key of references hold for a client that never used the model",
            requires: [.persistence]
        ) { context in
            try await context.client.insert(artists)
            try await context.client.insert(studios)
            try await context.client.insert(members)
            let client = try await context.reopen()
            try await expectError(.deletionDenied) {
                try await client.delete(Studio.self, key: 2)
            }
            try await client.delete(Artist.self, key: 1)
            try expectEqual(try await client.findAll(Membership.self), [members[2]])
        },
        joined(.relationships, "keys of references within keys, and held by others") { client in
            try await client.insert([Issue("a", 1), Issue("b", 2)])
            let credits = [
                Credit(1, .init("a", 1), key(1, 2), imprint: Imprint(3, "three")),
                Credit(2, .init("a", 1), key(1, 2)), Credit(1, .init("b", 2), key(2, 1)),
            ]
            try await client.insert(credits)
            try expectEqual(try await client.findAll(Credit.self), credits)
            try expectEqual(
                try await client.find(
                    Credit.self,
                    keys: [credits[2], credits[0]].map(\.primaryKey)
                ),
                [credits[2], credits[0]]
            )
            try expectEqual(
                try await client.fetch(Credit.where { $0.member == Reference(key(1, 2)) }),
                Array(credits[...1])
            )
            try expectEqual(
                try await client.fetch(Credit.where { $0.imprint.motto == "three" }).map(\.number),
                [1]
            )
            try await client.delete(Imprint.self, key: Reference(3))
            try expectEqual(
                try await client.find(Credit.self, key: credits[0].primaryKey)?.imprint,
                nil
            )
            // The artist's membership goes, and the credits of that.
            try await client.delete(Artist.self, key: 1)
            try expectEqual(try await client.findAll(Credit.self), [credits[2]])
            try await client.delete(Issue.self, key: .init("b", 2))
            try expectEqual(try await client.count(Credit.all), 0)
        },
        observing("values with keys of references are observed") { client in
            try await client.insert(artists)
            try await client.insert(studios)
            try await client.insert(members)
            var observer = try await Observer(
                client.observe(Membership.where { $0.artist.isIn([Reference(1)]) })
            )
            var values = client.observe(Membership.self, key: key(1, 2)).makeAsyncIterator()
            try expectEqual(try await values.next() ?? nil, members[1])
            try await client.insert(Membership(1, 3))
            try expectEqual(
                Array(try await observer.update().objects),
                [members[0], members[1], Membership(1, 3)]
            )
            try await client.update(Membership(1, 2, "own"))
            try expectEqual(try await observer.update().modifications.map(\.new), [1])
            try expectEqual(try await values.next() ?? nil, Membership(1, 2, "own"))
            try await client.delete(Artist.self, key: 1)
            try expectEqual(try await observer.update().deletions, [0, 1, 2])
            try expectEqual(try await values.next(), .some(nil))
        },
    ]
}
