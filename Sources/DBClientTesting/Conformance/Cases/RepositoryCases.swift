import DBClientCore

/// Repositories, plain, of models that convert, mapped and merged.
enum RepositoryCases {
    static let all: [ConformanceCase] = calls + mappings

    private static let three = (1...3).map { Hero($0) }

    private static let calls: [ConformanceCase] = [
        promise(.repositories, "a model is put, got and deleted") { client in
            let repository = client.repository(for: Hero.self)
            try expectEqual(try await repository.putAll(three), three)
            try expectEqual(try await repository.get(key: 2), three[1])
            let last = Hero.where { $0.name.hasSuffix("3") }
            try expectEqual(try await repository.get(last), three[2])
            try expectEqual(try await repository.getAll(), three)
            try expectEqual(try await repository.getAll(keys: [3, 1]).map(\.id), [3, 1])
            try expectEqual(try await repository.getAll(Hero.all.limit(1)), [three[0]])
            let changed = Hero(1, "changed")
            try expectEqual(try await repository.put(changed), changed)
            try await repository.delete(key: 1)
            try await repository.delete(three[1])
            try expectEqual(try await repository.deleteAll(Hero.all.limit(5)), 1)
            try await repository.put(changed)
            try expectEqual(try await repository.deleteAll(), 1)
        },
        promise(.repositories, "every call has a blocking twin") { client in
            let repository = client.blocking.repository(for: Hero.self)
            try expectEqual(try repository.putAll(three), three)
            try expectEqual(try repository.get(key: 2), three[1])
            try expectEqual(try repository.get(Hero.all.offset(2)), three[2])
            try expectEqual(try repository.getAll(), three)
            try expectEqual(try repository.getAll(keys: [3, 1]).map(\.id), [3, 1])
            try expectEqual(try repository.getAll(Hero.all.limit(1)), [three[0]])
            let changed = Hero(1, "changed")
            try expectEqual(try repository.put(changed), changed)
            try repository.delete(key: 1)
            try repository.delete(three[1])
            try expectErrorInside(.notFound) { try repository.delete(three[1]) }
            try expectEqual(try repository.deleteAll(Hero.all.limit(5)), 1)
            try expectEqual(try repository.deleteAll(), 0)
            // In a transaction it is a part of that.
            try expectDeliberate {
                try client.blocking.write { _ in
                    try repository.put(changed)
                    throw SuiteError.deliberate
                }
            }
            try expectEqual(try repository.getAll(), [])
        },
        promise(.repositories, "what is not there is not found") { client in
            let repository = client.repository(for: Hero.self)
            try await repository.put(three[0])
            let missing = try await expectError(.notFound) {
                _ = try await repository.get(key: 9)
            }
            try expectEqual(missing.entity, "Hero")
            try expectEqual(missing.key, "9")
            try await expectError(.notFound) { _ = try await repository.get(Hero.all.offset(1)) }
            try await expectError(.notFound) { _ = try await repository.getAll(keys: [1, 9]) }
            try await expectError(.notFound) { try await repository.delete(key: 9) }
            try await expectError(.notFound) { try await repository.delete(three[1]) }
            try expectEqual(try await repository.deleteAll(Hero.where { $0.id > 5 }), 0)
            try expectEqual(try await repository.getAll(), [three[0]])
        },
        promise(.repositories, "a key is found by other fields") { client in
            try await client.insert(three)
            try expectEqual(try await client.findKey(of: Hero.self) { $0.name == "Hero 2" }, 2)
            try expectEqual(try await client.findKey(of: Hero.self) { $0.name == "none" }, nil)
            try expectEqual(try client.blocking.findKey(of: Hero.self) { $0.id == 3 }, 3)
            try expectEqual(
                try await client.findKey(of: Champion.self) { $0.name == "Hero 1" },
                1
            )
            try await expectError(.invalidRequest) {
                _ = try await client.findKey(of: Hero.self) { $0.id > 1 }
            }
            try await client.insert([Issue("A", 1, title: "a"), Issue("A", 2, title: "b")])
            try expectEqual(
                try await client.findKey(of: Issue.self) { $0.title == "b" },
                Issue.PrimaryKey("A", 2)
            )
        },
    ]

    private static let mappings: [ConformanceCase] = [
        promise(.repositories, "a model that converts is merged with what is stored") { client in
            try await client.insert(Hero(1, "old", bio: "kept"))
            let repository = client.repository(for: Champion.self)
            let put = try await repository.putAll([
                Champion(1, "new", strength: 2), Champion(2, "second"),
            ])
            try expectEqual(put.map(\.title), ["new", "second"])
            try expectEqual(
                try await client.findAll(Hero.self),
                [Hero(1, "new", power: 2, bio: "kept"), Hero(2, "second", bio: "new")]
            )
            try expectEqual(try await repository.get(ChampionQuery(minimum: 1)).id, 1)
            try expectEqual(try await repository.getAll(keys: [2, 1]).map(\.id), [2, 1])
            try await repository.delete(Champion(1))
            try await expectError(.notFound) { _ = try await repository.get(key: 1) }
            try await expectError(.invalidValue) {
                try await repository.putAll([Champion(3), Champion(4, "unwritable")])
            }
            try expectEqual(try await repository.getAll().map(\.id), [2])
        },
        promise(.repositories, "a mapped value is merged with what is stored") { client in
            try await client.insert(Hero(1, "old", bio: "kept"))
            let profiles = profiles(client)
            let new = Profile(id: 1, title: "new")
            try expectEqual(try await profiles.put(new), new)
            try expectEqual(
                try await client.find(Hero.self, key: 1),
                Hero(1, "new", bio: "kept")
            )
            try profiles.blocking.put(Profile(id: 2, title: "second"))
            try expectEqual(try await profiles.getAll().map(\.title), ["new", "second"])
        },
        promise(.repositories, "mappings compose") { client in
            let titles = profiles(client).mapped(
                decode: { $0.title },
                encode: { Profile(id: $0.utf8.count, title: $0) }
            )
            try await titles.putAll(["one", "three"])
            try expectEqual(try await titles.get(key: 5), "three")
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [3, 5])
            try await titles.delete("one")
            try expectEqual(try titles.blocking.getAll(), ["three"])
        },
        promise(.repositories, "a mapping that throws midway undoes the call") { client in
            try await client.insert(Hero(1, "before"))
            for title in ["refused", "unmappable"] {
                let profiles = profiles(client)
                let put = [Profile(id: 1, title: "a"), Profile(id: 2, title: title)]
                do {
                    try await profiles.putAll(put)
                    throw ConformanceFailure("nothing was thrown")
                } catch SuiteError.deliberate {}
                try expectDeliberate { try profiles.blocking.putAll(put) }
                try expectEqual(try await client.findAll(Hero.self), [Hero(1, "before")])
            }
        },
    ]

    /// What an app shows of a hero, which cannot be made of all and cannot make all.
    private static func profiles(_ client: any DBClient) -> Repository<Hero, Profile> {
        client.repository(for: Hero.self).merged(
            decode: { hero in
                if hero.name == "unmappable" { throw SuiteError.deliberate }
                return Profile(id: hero.id, title: hero.name)
            },
            encode: { profile, existing in
                if profile.title == "refused" { throw SuiteError.deliberate }
                var hero = existing ?? Hero(profile.id)
                hero.name = profile.title
                return hero
            }
        )
    }

    private static func expectDeliberate(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch SuiteError.deliberate {
            return
        }
        throw ConformanceFailure("nothing was thrown")
    }
}

private struct Profile: Equatable {
    var id: Int
    var title: String
}
