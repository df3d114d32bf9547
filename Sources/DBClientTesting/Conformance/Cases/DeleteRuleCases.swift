import DBClientCore

/// What becomes of a value when what it holds is deleted.
enum DeleteRuleCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "an optional relationship is nullified") { client in
            try await client.insert([
                Artist(1, studio: Studio(1, "a"), former: Studio(1, "a")),
                Artist(2, studio: Studio(2, "b"), debut: Issue("i", 1)),
                Artist(3, mentor: 1, friends: [2, 1, 3]),
            ])
            try await client.delete(Studio(1, "a"))
            try await client.delete(Issue.where { $0.number == 1 })
            try expectEqual(
                try await client.findAll(Artist.self),
                [
                    Artist(1), Artist(2, studio: Studio(2, "b")),
                    Artist(3, mentor: 1, friends: [2, 1, 3]),
                ]
            )
            try expectEqual(try await client.delete(Artist.self, keys: [1, 77]), 1)
            try expectEqual(
                try await client.find(Artist.self, key: 3),
                Artist(3, friends: [2, 3])
            )
        },
        promise(.relationships, "an element that is deleted leaves its lists") { client in
            let (a, b) = (Skill("a"), Skill("b"))
            try await client.insert(Artist(1, skills: [a, b, a], tags: [a, b]))
            try await client.delete(a)
            try expectEqual(
                try await client.find(Artist.self, key: 1),
                Artist(1, skills: [b], tags: [b])
            )
            try await client.update(Artist(1, skills: [b, a], tags: [a]))
            try expectEqual(
                try await client.find(Artist.self, key: 1),
                Artist(1, skills: [b, a], tags: [a])
            )
        },
        promise(.relationships, "a required relationship denies") { client in
            try await client.insert(Contract(1, Studio(1, "a")))
            try await client.insert([Studio(2, "b"), Studio(3, "c")])
            let error = try await expectError(.deletionDenied) {
                try await client.delete(Studio.all)
            }
            try expectEqual(error.entity, "Contract")
            try expectEqual(error.field, "studio")
            try expectEqual(try await client.count(Studio.all), 3)
            try expectEqual(try await client.delete(Studio.where { $0.id > 1 }), 2)
            try await client.write { transaction in
                try expectErrorInside(.deletionDenied) {
                    try transaction.delete(Studio.self, keys: [1])
                }
                try transaction.delete(Contract.self, keys: [1])
                try transaction.delete(Studio.self, keys: [1])
            }
            try expectEqual(try await client.count(Studio.all), 0)
        },
        promise(.relationships, "a set whose rule denies keeps its elements") { client in
            try await client.insert(Exhibit(1, guarded: [Skill("a"), Skill("b")]))
            try await client.insert(Skill("c"))
            try await expectError(.deletionDenied) { try await client.deleteAll(Skill.self) }
            try await client.update(Exhibit(1, guarded: [Skill("b")]))
            try expectEqual(try await client.delete(Skill.where { $0.code != "b" }), 2)
        },
        promise(.relationships, "a deletion cascades as far as the rules say") { client in
            try await client.insert([
                Artist(1), Artist(2, mentor: 1),
            ])
            try await client.insert([
                Contract(1, Studio(1, "a"), holder: 1), Contract(2, Studio(1, "a"), holder: 2),
                Contract(3, Studio(1, "a")),
            ])
            try expectEqual(try await client.delete(Artist.where { $0.id == 1 }), 1)
            try expectEqual(try await client.findAll(Contract.self).map(\.id), [2, 3])
            try expectEqual(try await client.find(Artist.self, key: 2)?.mentor, nil)
            try await client.insert([
                Exhibit(1, shown: [Skill("a"), Skill("b")]), Exhibit(2, shown: [Skill("b")]),
                Exhibit(3),
            ])
            try await client.delete(Skill("a"))
            try expectEqual(try await client.findAll(Exhibit.self).map(\.number), [2, 3])
            try expectEqual(try await client.findAll(Skill.self).map(\.code), ["b"])
            try await client.delete(Skill("b"))
            try expectEqual(try await client.findAll(Exhibit.self).map(\.number), [3])
        },
        promise(.relationships, "what is held in circles is deleted together") { client in
            try await client.insert([Artist(1, mentor: 2), Artist(2, mentor: 1)])
            try expectEqual(try await client.deleteAll(Artist.self), 2)
            try expectEqual(try await client.count(Artist.all), 0)
        },
        promise(.relationships, "a value that is deleted takes its links along") { client in
            let artist = Artist(1, skills: [Skill("a")], tags: [Skill("b")], friends: [1])
            try await client.insert(artist)
            try await client.delete(artist)
            try await client.insert(Artist(1, "again"))
            try expectEqual(try await client.findAll(Artist.self), [Artist(1, "again")])
            try expectEqual(try await client.count(Skill.all), 2)
        },
        promise(.relationships, "a rule holds for what was written in the same transaction") {
            client in
            try await client.write { transaction in
                try transaction.insert([Studio(1, "a"), Studio(2, "b"), Studio(3, "c")])
                try transaction.delete(Studio.self, keys: [3])
                try expectErrorInside(.notFound) {
                    try transaction.write { nested in
                        try nested.insert(Contract(1, Studio(2, "b")))
                        try nested.update(Studio(9, "none"))
                    }
                }
                try transaction.write { try $0.insert(Contract(2, Studio(1, "a"))) }
                try expectErrorInside(.deletionDenied) {
                    try transaction.delete(Studio.self, keys: [1])
                }
                try transaction.delete(Studio.self, keys: [2])
            }
            try expectEqual(try await client.findAll(Studio.self).map(\.id), [1])
            try await expectError(.deletionDenied) {
                try await client.delete(Studio.self, keys: [1])
            }
        },
        promise(.relationships, "what a denied deletion had done is undone") { client in
            try await client.insert([
                Artist(1, studio: Studio(1, "a"), skills: [Skill("x")])
            ])
            try await client.insert(Contract(1, Studio(1, "a"), holder: 1))
            try await client.write { transaction in
                try expectErrorInside(.deletionDenied) {
                    try transaction.delete(Studio.self, keys: [1])
                }
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, studio: Studio(1, "a"), skills: [Skill("x")])]
            )
        },
        ConformanceCase(
            .relationships,
            "a rule holds for a client that never used the model that refers",
            requires: [.persistence]
        ) { context in
            try await context.client.insert(Contract(1, Studio(1, "a")))
            try await context.client.insert(Artist(1, studio: Studio(2, "b")))
            let client = try await context.reopen()
            try await expectError(.deletionDenied) {
                try await client.delete(Studio.self, keys: [1])
            }
            try await client.delete(Studio.self, keys: [2])
            try expectEqual(try await client.findAll(Artist.self), [Artist(1)])
        },
        ConformanceCase(
            .relationships,
            "a rule holds for the other clients of a store at once",
            requires: [.severalClients]
        ) { context in
            try await context.client.insert(Studio(1, "a"))
            let other = try await context.another()
            try expectEqual(try await other.delete(Studio.self, keys: [9]), 0)
            try await context.client.insert(Contract(1, Studio(1, "a")))
            try await expectError(.deletionDenied) {
                try await other.delete(Studio.self, keys: [1])
            }
        },
    ]
}
