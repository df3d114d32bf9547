import DBClientCore
import DBClientTestSupport
import Foundation

/// What a store tells of its entities to a program that has no models.
enum CatalogCases {
    static let all: [ConformanceCase] = [
        promise(.dynamic, "an empty store tells of no entity", requires: [.catalogs]) { client in
            let catalog = try await EntityCatalog(storedIn: client)
            try expectEqual(catalog.entities.map(\.name), [])
            try expectEqual(catalog.omissions, [])
            try await expectError(.invalidRequest) { _ = try catalog.entity(named: "Hero") }
        },
        promise(
            .dynamic,
            "a store tells what fields, keys and indexes it has",
            requires: [.catalogs]
        ) {
            client in
            try await fill(client)
            let catalog = try await EntityCatalog(storedIn: client)
            try expectEqual(catalog.entities.map(\.name), models.map(\.name).sorted())
            try expectEqual(catalog.omissions, [])
            for model in models {
                let stored = try catalog.entity(named: model.name)
                try expect(stored !== model, "the catalog has the model's own entity")
                try expectEqual(stored.keyNames, model.keyNames)
                try expectEqual(Set(stored.fields.map(\.name)), Set(model.fields.map(\.name)))
                for field in model.fields {
                    guard let position = stored.position(of: field.name) else { continue }
                    try expect(
                        stored.fields[position].holds(field),
                        "\(model.name).\(field.name) is \(stored.fields[position].form)"
                    )
                }
                try expectEqual(stored.indexNames, model.indexNames)
            }
        },
        promise(
            .dynamic,
            "rows are read with a store's entities as with the models'",
            requires: [.catalogs]
        ) { client in
            try await fill(client)
            let catalog = try await EntityCatalog(storedIn: client)
            for model in models {
                let stored = try catalog.entity(named: model.name)
                let expected = try await client.fetch(DynamicRequest(model))
                try expect(!expected.isEmpty, "nothing is stored of \(model.name)")
                let found = try await client.fetch(DynamicRequest(stored))
                try expectEqual(found.map(\.values), expected.map(\.values))
                try expectEqual(found.map(\.key), expected.map(\.key))
                for row in expected {
                    try expectEqual(try await client.find(stored, key: row.key)?.values, row.values)
                }
            }
            let hero = try catalog.entity(named: "Hero")
            let request = DynamicRequest(hero).filter(.field("name", .greater, "b"))
                .sorted(by: .init("name", descending: true))
            try expectEqual(try await client.fetch(request).map { $0["name"] }, ["d", "c"])
        },
        promise(.dynamic, "a store tells its relationships, and their links", requires: [.catalogs])
        {
            client in
            try await fill(client)
            let catalog = try await EntityCatalog(storedIn: client)
            let stored = try catalog.entity(named: "Artist")
            let model = Artist.schema.entity
            try expectEqual(stored.relationships.map(\.name), model.relationships.map(\.name))
            for (found, expected) in zip(stored.relationships, model.relationships) {
                try expectEqual(found.kind, expected.kind)
                try expectEqual(found.rule, expected.rule)
                try expectEqual(found.targetName, expected.targetName)
                try expectEqual(
                    found.columns.map { stored.fields[$0].name },
                    expected.columns.map { model.fields[$0].name }
                )
                guard let links = found.link?.entity, let known = expected.link?.entity else {
                    try expect(expected.link == nil, "the store does not tell of the links")
                    continue
                }
                let rows = try await client.fetch(DynamicRequest(links))
                try expectEqual(
                    rows.map(\.values),
                    try await client.fetch(DynamicRequest(known)).map(\.values)
                )
            }
        },
        promise(
            .dynamic,
            "rows are written with a store's entities by the rules",
            requires: [.catalogs]
        ) { client in
            try await fill(client)
            let catalog = try await EntityCatalog(storedIn: client)
            let artist = try catalog.entity(named: "Artist")
            let studio = try catalog.entity(named: "Studio")
            let before = try await client.findAll(Artist.self)
            try await client.insert([
                DynamicRow(artist, ["id": 7, "name": "new", "studio": 1, "mentor": 1])
            ])
            try expectEqual(
                try await client.findAll(Artist.self),
                before + [Artist(7, "new", studio: Studio(1, "s"), mentor: 1)]
            )
            let dangling = try await expectError(.danglingReference) {
                try await client.update(artist, key: [7], set: ["studio": 9])
            }
            try expectEqual(dangling.entity, "Artist")
            try expectEqual(try await client.delete(artist, key: [7]), true)
            try expectEqual(try await client.delete(studio, key: [1]), true)
            try expectEqual(try await client.find(Artist.self, key: 1)?.studio, nil)
            let account = try catalog.entity(named: "Account")
            let rows = try await client.fetch(DynamicRequest(account))
            try await expectError(.duplicateKey) { try await client.insert(rows) }
            // The model's own writes go on as before.
            try await client.insert(Artist(8, "last", tags: [Skill("b")]))
            try expectEqual(try await client.find(Artist.self, key: 8)?.tags, [Skill("b")])
        },
        promise(
            .dynamic,
            "one shape is one entity, in every catalog and transaction",
            requires: [.catalogs]
        ) { client in
            try await fill(client)
            let first = try await EntityCatalog(storedIn: client)
            let second = try client.readBlocking { try EntityCatalog(storedIn: $0) }
            try expectEqual(first.entities, second.entities)
            try expectEqual(first.omissions, second.omissions)
            let inside = try await client.write { transaction in
                try transaction.insert(Ticket(title: "b"))
                return try EntityCatalog(storedIn: transaction).entities.map(\.name)
            }
            try expectEqual(inside, (first.entities.map(\.name) + ["Ticket"]).sorted())
        },
        promise(.dynamic, "a store is copied by the entities that it tells", requires: [.catalogs])
        {
            client in
            try await fill(client)
            let target = InMemoryDBClient()
            let catalog = try await EntityCatalog(storedIn: client)
            try await target.copy(catalog.entities, from: client)
            try expectEqual(
                try await target.findAll(Artist.self),
                try await client.findAll(Artist.self)
            )
            try expectSame(
                try await target.findAll(EveryType.self),
                try await client.findAll(EveryType.self)
            )
            let copied = try await EntityCatalog(storedIn: target)
            try expectEqual(copied.entities.map(\.name), catalog.entities.map(\.name))
        },
        promise(
            .dynamic,
            "streamed rows refer to ones that come later, and are all written or none",
            requires: [.catalogs]
        ) { client in
            try await fill(client)
            let catalog = try await EntityCatalog(storedIn: client)
            let artist = try catalog.entity(named: "Artist")
            let first = 100
            let chain = try (first..<1_700).map { id in
                try DynamicRow(
                    artist,
                    ["id": .integer(Int64(id)), "name": "n", "mentor": .integer(Int64(id + 1))]
                )
            }
            let open = try await expectError(.danglingReference) {
                try await client.write { transaction in
                    var rows = chain.makeIterator()
                    _ = try transaction.insert { rows.next() }
                }
            }
            try expectEqual(open.entity, "Artist")
            try expectEqual(try await client.count(Artist.all), 2)
            let last = try DynamicRow(artist, ["id": 1_700, "name": "n", "mentor": 100])
            let links = artist.relationships.first { $0.name == "friends" }?.link?.entity
            let count = try await client.write { transaction in
                var rows = (chain + [last]).makeIterator()
                var link = try links.map {
                    try DynamicRow($0, ["owner": 100, "position": 0, "target": 1_700])
                }
                return try transaction.insert {
                    if let row = rows.next() { return row }
                    defer { link = nil }
                    return link
                }
            }
            try expectEqual(count, chain.count + 2)
            try expectEqual(try await client.count(Artist.all), chain.count + 3)
            try expectEqual(
                try await client.find(Artist.self, key: 100),
                Artist(100, "n", mentor: 101, friends: [1_700])
            )
        },
        promise(
            .dynamic,
            "rows are observed by the entities that a store tells",
            requires: [.catalogs, .observation]
        ) { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            let hero = try await EntityCatalog(storedIn: client).entity(named: "Hero")
            let request = DynamicRequest(hero).filter(.field("name", .greaterOrEqual, "b"))
            var rows = client.observeRows(request).makeAsyncIterator()
            try expectEqual(try await rows.next()?.map { $0["id"] }, [2])
            try await client.insert(Hero(3, "c"))
            try expectEqual(try await rows.next()?.map { $0["id"] }, [2, 3])
            try await client.update(hero, key: [3], set: ["name": "d"])
            try expectEqual(try await rows.next()?.map { $0["name"] }, ["b", "d"])
            // A row outside of the request is no change of it.
            try await client.insert(Hero(4, "a"))
            try await client.delete(hero, key: [2])
            try expectEqual(try await rows.next()?.map { $0["id"] }, [3])
            let wrong = client.observeRows(request.filter(.field("nothing", .equal, 1)))
            try await expectError(.invalidRequest) { for try await _ in wrong {} }
        },
        promise(
            .dynamic,
            "rows are counted as they come and go, and their requests explained, by stored names",
            requires: [.catalogs, .observation]
        ) { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            let hero = try await EntityCatalog(storedIn: client).entity(named: "Hero")
            let request = DynamicRequest(hero).filter(.field("name", .greaterOrEqual, "b"))
            var counts = client.observeCount(request).makeAsyncIterator()
            try expectEqual(try await counts.next(), 1)
            try await client.insert([Hero(3, "c"), Hero(4, "a")])
            try expectEqual(try await counts.next(), 2)
            // A row outside of the request changes no number.
            try await client.update(hero, key: [4], set: ["name": "aa"])
            try await client.update(hero, key: [2], set: ["name": "a"])
            try expectEqual(try await counts.next(), 1)
            var window = client.observeCount(request.offset(1)).makeAsyncIterator()
            try expectEqual(try await window.next(), 0)
            var names = client.observe(request) { try $0.distinct("name", of: request) }
                .makeAsyncIterator()
            try expectEqual(try await names.next(), ["c"])
            try await client.update(hero, key: [3], set: ["name": "d"])
            try expectEqual(try await names.next(), ["d"])
            let wrong = request.filter(.field("nothing", .equal, 1))
            let counted = client.observeCount(wrong)
            try await expectError(.invalidRequest) { for try await _ in counted {} }
            try expect(try await !client.explain(request).isEmpty, "an empty plan")
            try expect(try client.blocking.explain(request) != "", "an empty plan")
            try expect(try await client.run(.explain(request)) != "", "an empty plan")
            try await expectError(.invalidRequest) { _ = try await client.explain(wrong) }
        },
        promise(
            .dynamic,
            "what the library keeps for itself is in no catalog",
            requires: [.catalogs, .migrations]
        ) { client in
            try await client.insert(Hero(1, "a"))
            try await client.migrate([.perform("once") { _ in }])
            let catalog = try await EntityCatalog(storedIn: client)
            try expectEqual(catalog.entities.map(\.name), ["Hero"])
        },
    ]

    private static let models = [
        Account.schema.entity, Artist.schema.entity, EveryType.schema.entity, Hero.schema.entity,
        Issue.schema.entity, OffsetKeyed.schema.entity, Skill.schema.entity, Studio.schema.entity,
        UUIDKeyed.schema.entity,
    ]

    private static func fill(_ client: any DBClient) async throws {
        try await client.insert([Hero(1, "b"), Hero(2, "c", publisherId: 3), Hero(3, "d")])
        try await client.insert([Account(1), Account(2)])
        try await client.insert([EveryType(1), EveryType.full(2)])
        try await client.insert(OffsetKeyed(OffsetUInt64(.max), "last"))
        try await client.insert(UUIDKeyed(UUID(), "one"))
        try await client.insert([
            Artist(
                1,
                "a",
                studio: Studio(1, "s"),
                debut: Issue("A", 1),
                skills: [Skill("a"), Skill("b"), Skill("a")],
                tags: [Skill("c")],
                favourite: .init("A", 1)
            ),
            Artist(2, "b", mentor: 1, friends: [1]),
        ])
    }
}

extension EntitySchema {
    fileprivate var keyNames: [String] {
        primaryKey.map { fields[$0].name }
    }

    /// The indexes by the names of their fields.
    fileprivate var indexNames: Set<String> {
        Set(
            indexes.map { index in
                "\(index.fields.map { fields[$0].name })\(index.isUnique ? " unique" : "")"
            }
        )
    }
}
