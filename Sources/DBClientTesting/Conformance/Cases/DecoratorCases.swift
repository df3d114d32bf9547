import DBClientCore

/// Clients that add something to the one of a backend.
enum DecoratorCases {
    static let all: [ConformanceCase] = validation + others

    /// Studios have names, skills levels, heroes power; champions, kept as heroes, have titles.
    private static func checked(_ client: any DBClient) -> ValidatingDBClient {
        ValidatingDBClient(
            client,
            rules: [
                .rule(Studio.self) { if $0.name.isEmpty { throw Refused.studio } },
                .rule(Skill.self) { if $0.level < 0 { throw Refused.skill } },
                .rule(Hero.self) { if $0.power < 0 { throw Refused.hero } },
                .rule(Champion.self) { if $0.title.isEmpty { throw Refused.champion } },
            ]
        )
    }

    private static let validation: [ConformanceCase] = [
        promise(.decorators, "values are checked before they are stored") { client in
            let checked = checked(client)
            let heroes = [Hero(1), Hero(2)]
            try await checked.insert(heroes)
            let refused = Hero(2, power: -1)
            try await expectRefusal(.hero) {
                try await checked.insert([Hero(3), Hero(4, power: -1)])
            }
            try await expectRefusal(.hero) { try await checked.update(refused) }
            try await expectRefusal(.hero) {
                try await checked.updateExisting([Hero(1, "x"), refused])
            }
            try await expectRefusal(.hero) { try await checked.upsert([Hero(3), refused]) }
            try await expectRefusal(.hero) { _ = try checked.blocking.upsert(refused) }
            try await expectRefusal(.hero) {
                try await checked.update(Hero.self, key: 1) { $0.set(\.power, to: -1) }
            }
            try await expectRefusal(.hero) {
                try await checked.update(Hero.self, keys: [1, 2]) {
                    $0.set(\.power, to: Double(1 - $1))
                }
            }
            try await expectRefusal(.hero) {
                try await checked.update(Hero.where { $0.power == 0 }) { $0.set(\.power, to: -1) }
            }
            try await expectRefusal(.hero) {
                try await checked.run(.modify(Hero.self, key: 2) { $0.power = -1 })
            }
            try expectEqual(try await client.findAll(Hero.self), heroes)
            try await checked.update(Hero.self, key: 1) { $0.set(\.power, to: 1) }
            try expectEqual(try await client.find(Hero.self, key: 1)?.power, 1)
        },
        promise(.decorators, "what is saved with its owner is checked too") { client in
            let checked = checked(client)
            let fine = Artist(1, studio: Studio(1, "s"), skills: [Skill("a", 1)])
            try await checked.insert(fine)
            let nameless = Studio(2, "")
            let unskilled = Skill("b", -1)
            try await expectRefusal(.studio) {
                try await checked.insert(Artist(2, studio: nameless))
            }
            try await expectRefusal(.studio) { try await checked.insert(Contract(1, nameless)) }
            try await expectRefusal(.studio) {
                try await checked.upsert(Artist(1, former: nameless))
            }
            try await expectRefusal(.skill) {
                try await checked.update(Artist(1, skills: [unskilled]))
            }
            try await expectRefusal(.skill) {
                try await checked.updateExisting([Artist(1, tags: [unskilled])])
            }
            try await expectRefusal(.skill) {
                try await checked.update(Artist.self, key: 1) { $0.set(\.skills, to: [unskilled]) }
            }
            try await expectRefusal(.studio) {
                try await checked.update(Artist.all) { $0.set(\.studio, to: nameless) }
            }
            try expectEqual(try await client.findAll(Artist.self), [fine])
            try expectEqual(try await client.findAll(Studio.self), [Studio(1, "s")])
            try expectEqual(try await client.findAll(Skill.self), [Skill("a", 1)])
            try expectEqual(try await client.count(Contract.all), 0)
        },
        promise(.decorators, "a model that converts has rules of its own and those of its storage")
        {
            client in
            let checked = checked(client)
            try await checked.insert([Champion(1, "a"), Champion(2, "b")])
            try await expectRefusal(.champion) { try await checked.insert(Champion(3, "")) }
            try await expectRefusal(.champion) {
                try await checked.upsert([Champion(1, "x"), .init(2, "")])
            }
            try await expectRefusal(.hero) {
                try await checked.update(Champion(1, "x", strength: -1))
            }
            try await expectRefusal(.champion) {
                try await checked.update(Champion.self, key: 1) { $0.set(\.name, to: "") }
            }
            try await expectRefusal(.champion) { try await checked.insert(Hero(3, "")) }
            try expectEqual(
                try await client.findAll(Champion.self),
                [Champion(1, "a"), Champion(2, "b")]
            )
        },
        promise(.decorators, "nothing is written past the rules") { client in
            let checked = checked(client)
            try await checked.insert(Hero(1))
            let entity = Hero.schema.entity
            try await expectError(.readOnly) {
                try await checked.update(entity, key: [1], set: ["name": ""])
            }
            try await expectError(.readOnly) { _ = try await checked.delete(entity, key: [1]) }
            try await expectError(.unsupported) { try await checked.write { _ = try $0.entities } }
            try expectEqual(try await checked.find(entity, key: [1])?["name"], "Hero 1")
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
    ]

    private static let others: [ConformanceCase] = [
        promise(.decorators, "a client that only reads refuses every write, however it is asked") {
            client in
            try await client.insert([Hero(1), Hero(2)])
            let reader = ReadOnlyDBClient(client)
            try expectEqual(try await reader.findAll(Hero.self).map(\.id), [1, 2])
            try expectEqual(try reader.blocking.count(Hero.all), 2)
            try expectEqual(try await reader.fetch(Hero.all.select(\.id)), [1, 2])
            let row = try await reader.find(Hero.schema.entity, key: [1])
            try await expectError(.readOnly) { try await reader.insert(Hero(3)) }
            try await expectError(.readOnly) { try await reader.upsert([Hero(1, "x")]) }
            try await expectError(.readOnly) { _ = try reader.blocking.deleteAll(Hero.self) }
            try await expectError(.readOnly) { try await reader.run(.deleteAll(Hero.self)) }
            try await expectError(.readOnly) { try await reader.insert([row].compactMap(\.self)) }
            try await expectError(.readOnly) {
                try await reader.repository(for: Hero.self).delete(key: 1)
            }
            try await expectError(.readOnly) {
                try await reader.update(Hero.self, key: 1) { $0.set(\.name, to: "x") }
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1), Hero(2)])
        },
        promise(
            .decorators,
            "a transaction that failed for a passing reason is undone and runs again"
        ) {
            client in
            let failing = FailingDBClient(
                client,
                atCall: 2,
                with: DBClientError(.busy, "The call was made to fail.")
            )
            let retrying = RetryingDBClient(
                failing,
                policy: RetryingDBClient.Policy(attempts: 2, delay: .microseconds(1))
            )
            try await retrying.write { transaction in
                try transaction.insert(Hero(1))
                try transaction.insert(Hero(2))
            }
            try expect(failing.hasFailed, "no call has failed")
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2])
            let broken = FailingDBClient(client, atCall: 2)
            try await expectError(.io) {
                try await RetryingDBClient(broken).write { transaction in
                    try transaction.insert(Hero(3))
                    try transaction.insert(Hero(4))
                }
            }
            try expectEqual(try await client.count(Hero.all), 2)
        },
        promise(.decorators, "decorators compose and leave observing as it is") { client in
            let spy = SpyDBClient(checked(client))
            let reader = RetryingDBClient(ReadOnlyDBClient(spy))
            var changes = reader.observe(Hero.where { $0.power > 0 }).makeAsyncIterator()
            guard case .initial(let before) = try await changes.next() else {
                throw ConformanceFailure("there is no initial result")
            }
            try expect(before.isEmpty, "the store is not empty")
            try await spy.insert([Hero(1, power: 1), Hero(2), Hero(3, power: 3)])
            try await expectRefusal(.hero) { try await spy.insert(Hero(4, power: -1)) }
            guard case .update(let inserted) = try await changes.next() else {
                throw ConformanceFailure("there is no change")
            }
            try expectEqual(inserted.insertions, [0, 1])
            try await client.update(Hero.self, key: 2) { $0.set(\.power, to: 2) }
            guard case .update(let change) = try await changes.next() else {
                throw ConformanceFailure("there is no change")
            }
            try expectEqual(change.insertions, [1])
            try expectEqual(change.objects.map(\.id), [1, 2, 3])
            try expectEqual(
                spy.writes.map(\.shape),
                ["insert Hero (3)", "insert Hero (1)"]
            )
        },
        promise(.decorators, "a preview shows what is stored and keeps what is written to itself") {
            client in
            let artist = Artist(1, "a", studio: Studio(1, "s"), skills: [Skill("a", 1)])
            try await client.insert(artist)
            let preview = client.preview()
            try await preview.update(Artist.self, key: 1) { $0.set(\.name, to: "b") }
            try await preview.insert(Artist(2, studio: Studio(1, "renamed")))
            try expectEqual(try await preview.findAll(Artist.self).map(\.name), ["b", ""])
            try expectEqual(
                try await preview.find(Artist.self, key: 1)?.studio,
                Studio(1, "renamed")
            )
            try preview.close()
            try expectEqual(try await client.findAll(Artist.self), [artist])
        },
    ]

    /// The error that a validation rule throws.
    private enum Refused: Error {
        case studio
        case skill
        case hero
        case champion
    }

    private static func expectRefusal(
        _ refusal: Refused,
        line: Int = #line,
        _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as Refused {
            return try expectEqual(error, refusal, line: line)
        }
        throw ConformanceFailure("nothing was refused", line: line)
    }
}
