import DBClientCore
import Foundation

/// Rows, conditions and sorts by stored names.
enum DynamicCases {
    static let all: [ConformanceCase] = rows + writes + refusals

    private static func heroes() throws -> EntitySchema {
        try EntityCatalog([Account.self, Hero.self]).entity(named: "Hero")
    }

    private static let rows: [ConformanceCase] = [
        promise(.dynamic, "every type of field crosses both ways") { client in
            let entity = try EntityCatalog([EveryType.self]).entity(named: "EveryType")
            let values = [EveryType(1), EveryType.full(2)]
            try await client.insert(values)
            let rows = try await client.fetch(DynamicRequest(entity))
            try expectEqual(rows.count, 2)
            let full = values[1]
            try expectEqual(rows[1]["text"], .text(full.text))
            try expectEqual(rows[1]["date"], .date(full.date))
            try expectEqual(rows[1]["uuid"], .uuid(full.uuid))
            try expectEqual(rows[1]["decimal"], .decimal(full.decimal))
            try expectEqual(rows[1]["url"], .url(full.url))
            try expectEqual(rows[1]["data"], .data(full.data))
            try expectEqual(rows[1]["int8"], -8)
            try expectEqual(rows[1]["flag"], true)
            try expectEqual(rows[1]["place_city"], "Metropolis")
            try expectEqual(rows[0]["optionalText"], .null)
            try expectEqual(rows[0]["nothing"], nil)
            try await client.deleteAll(EveryType.self)
            let copies = try rows.map { try DynamicRow(entity, $0.values) }
            try expectEqual(copies, rows)
            try expectEqual(try await client.insert(copies), rows)
            try expectSame(try await client.findAll(EveryType.self), values)
        },
        promise(.dynamic, "conditions, sorts, limits and functions by name") { client in
            let entity = try heroes()
            try await client.insert(
                (1...6).map { Hero($0, "n\($0)", publisherId: $0 == 6 ? nil : $0 % 2) }
            )
            func found(_ condition: DynamicCondition) async throws -> [DynamicValue?] {
                try await client.fetch(DynamicRequest(entity).filter(condition)).map { $0["id"] }
            }
            try expectEqual(try await found(.field("publisherId", .equal, 1)), [1, 3, 5])
            try expectEqual(try await found(.field("publisherId", .equal, nil)), [6])
            try expectEqual(try await found(.field("publisherId", .notEqual, 1)), [2, 4, 6])
            try expectEqual(
                try await found(.field("id", isIn: [2, 9, 4]) && !.field("name", .equal, "n4")),
                [2]
            )
            try expectEqual(
                try await found(
                    .field("name", matches: TextPattern(.suffix, "3")) || .field("id", .less, 2)
                ),
                [1, 3]
            )
            let window = DynamicRequest(entity)
                .sorted(by: .init("publisherId", descending: true), .init("id", descending: true))
                .offset(1).limit(3)
            try expectEqual(
                try await client.fetch(window).map { $0["id"] },
                [3, 1, 4]
            )
            try expectEqual(try await client.count(window), 3)
            try expectEqual(try client.blocking.find(entity, key: [6])?["publisherId"], .null)
            try expectEqual(try await client.find(entity, key: [7]), nil)
        },
        promise(.dynamic, "lists are asked for elements by name", requires: [.listElements]) {
            client in
            let entity = try EntityCatalog([EveryType.self]).entity(named: "EveryType")
            var values = [EveryType(1), EveryType(2), EveryType(3)]
            (values[0].tags, values[1].tags) = (["a", "b"], ["b,c"])
            values[2].optionalTags = ["a"]
            try await client.insert(values)
            func found(_ name: String, _ element: DynamicValue) async throws -> [DynamicValue?] {
                let request = DynamicRequest(entity).filter(.field(name, hasElement: element))
                return try await client.fetch(request).map { $0["id"] }
            }
            try expectEqual(try await found("tags", "a"), [1])
            try expectEqual(try await found("tags", "b"), [1])
            try expectEqual(try await found("tags", 1), [])
            try expectEqual(try await found("optionalTags", "a"), [3])
            let typed = EveryType.all.filter(try .field("tags", hasElement: "b,c"))
            try expectEqual(try await client.fetch(typed).map(\.id), [2])
            let wrong: [(String, DynamicValue)] = [("text", "a"), ("nothing", "a"), ("tags", nil)]
            for (name, element) in wrong {
                try await expectError(.invalidRequest) { _ = try await found(name, element) }
            }
        },
        promise(.dynamic, "pages by name, with absent values placed") { client in
            let entity = try heroes()
            try await client.insert(
                (1...7).map { Hero($0, "n\($0)", publisherId: $0 % 3 == 0 ? nil : $0 % 3) }
            )
            for (isDescending, nilsFirst) in [(false, nil), (false, false), (true, true)] {
                var sort = DynamicRequest.Sort(
                    "publisherId",
                    descending: isDescending,
                    nilsFirst: nilsFirst
                )
                let request = DynamicRequest(entity).sorted(by: sort)
                let all = try await client.fetch(request)
                let expected: [DynamicValue] =
                    isDescending
                    ? [3, 6, 2, 5, 1, 4, 7]
                    : nilsFirst == false ? [1, 4, 7, 2, 5, 3, 6] : [3, 6, 1, 4, 7, 2, 5]
                try expectEqual(all.compactMap { $0["id"] }, expected)
                var paged: [DynamicRow] = []
                var page = try await client.fetch(request.limit(2))
                while let last = page.last {
                    paged += page
                    page = try await client.fetch(request.limit(2).offset(1).after(last))
                }
                try expectEqual(paged, all)
                sort.field = "nothing"
                let wrong = request.sorted(by: sort)
                try await expectError(.invalidRequest) { _ = try wrong.validated() }
            }
            try expectEqual(try DynamicRequest(entity).limit(1).validated().limit, 1)
            let other = try EntityCatalog([Account.self]).entity(named: "Account")
            let foreign = DynamicRequest(entity).after(try DynamicRow(other))
            try await expectError(.invalidRequest) { _ = try foreign.validated() }
        },
        promise(.dynamic, "functions and distinct values by name", requires: [.aggregates]) {
            client in
            let entity = try heroes()
            try await client.insert((1...4).map { Hero($0, "n\($0)", power: Double($0 % 2)) })
            let all = DynamicRequest(entity)
            try await client.read { transaction in
                try expectEqual(try transaction.aggregate(.sum, "id", of: all), 10)
                try expectEqual(try transaction.aggregate(.average, "id", of: all), 2.5)
                try expectEqual(try transaction.aggregate(.maximum, "name", of: all), "n4")
                try expectEqual(try transaction.aggregate(.minimum, "bio", of: all), nil)
                try expectEqual(
                    try transaction.aggregate(.maximum, "createdAt", of: all),
                    .date(Date(timeIntervalSince1970: 0))
                )
                try expectEqual(try transaction.distinct("power", of: all), [0.0, 1.0])
                try expectErrorInside(.invalidRequest) {
                    _ = try transaction.aggregate(.sum, "name", of: all)
                }
            }
            try expectEqual(try await client.aggregate(.sum, "id", of: all), 10)
            try expectEqual(try client.blocking.aggregate(.maximum, "name", of: all), "n4")
            try expectEqual(try await client.distinct("power", of: all), [0.0, 1.0])
            try expectEqual(try client.blocking.distinct("power", of: all.limit(1)), [1.0])
            try await expectError(.invalidRequest) {
                _ = try await client.aggregate(.sum, "nothing", of: all)
            }
        },
    ]

    private static let writes: [ConformanceCase] = [
        promise(.dynamic, "rows are inserted, updated, upserted and deleted") { client in
            let entity = try heroes()
            func row(_ id: Int64, _ name: String) throws -> DynamicRow {
                try DynamicRow(
                    entity,
                    [
                        "id": .integer(id), "name": .text(name), "realName": "", "power": 0,
                        "createdAt": .date(Date(timeIntervalSince1970: 0)), "isActive": true,
                    ]
                )
            }
            try await client.insert([row(1, "a"), row(2, "b")])
            try await expectError(.duplicateKey) {
                try await client.insert([row(3, "c"), row(1, "d")])
            }
            try await client.update([row(2, "B")])
            try await expectError(.notFound) {
                try await client.update([row(1, "A"), row(9, "x")])
            }
            let outcome = try client.blocking.upsert([row(2, "b2"), row(3, "c"), row(2, "b3")])
            try expectEqual([outcome.inserted, outcome.updated], [1, 1])
            try await client.update(entity, key: [1], set: ["name": "A", "bio": "x"])
            try await client.update(entity, key: [1], set: ["bio": nil, "power": 2.5])
            try expectEqual(
                try await client.findAll(Hero.self),
                [Hero(1, "A", power: 2.5), Hero(2, "b3"), Hero(3, "c")]
            )
            let late = DynamicRequest(entity).filter(.field("id", .greater, 1))
            try expectEqual(try await client.update(late, set: ["realName": "z"]), 2)
            try expectEqual(try await client.update(late, set: [:]), 2)
            try expectEqual(try await client.count(Hero.where { $0.realName == "z" }), 2)
            try expectEqual(try await client.delete(entity, key: [1]), true)
            try expectEqual(try await client.delete(entity, key: [1]), false)
            try expectEqual(try await client.delete(late), 2)
        },
        promise(.dynamic, "keys are made for rows without one", requires: [.generatedKeys]) {
            client in
            let catalog = try EntityCatalog([Ticket.self, Session.self, Document.self])
            for entity in catalog.entities {
                let row = try DynamicRow(entity, ["title": "a"])
                let stored = try await client.insert([row, row])
                try expect(stored[0].key != stored[1].key, "the same key twice in \(entity.name)")
                try expectEqual(try await client.find(entity, key: stored[1].key), stored[1])
            }
        },
        promise(.dynamic, "each call has an operation that does the same") { client in
            let entity = try heroes()
            try await client.insert((1...3).map { Hero($0) })
            let all = DynamicRequest(entity)
            let rows = try await client.run(.fetch(all))
            try expectEqual(rows.count, 3)
            let doubled = WriteOperation.delete(all).flatMap { deleted in
                WriteOperation.insert(rows).flatMap { _ in ReadOperation.count(all) }
                    .map { $0 + deleted }
            }
            try expectEqual(try await client.run(doubled), 6)
            try expectEqual(try await client.run(.find(entity, key: [2])), rows[1])
            try await client.run(.update(entity, key: [2], set: ["name": "x"]))
            try expectEqual(try await client.run(.update(all, set: ["power": 1])), 3)
            try await client.run(.update([rows[0]]))
            try expectEqual(try await client.run(.upsert(rows)).updated, 3)
            try expectEqual(try await client.run(.delete(entity, key: [2])), true)
        },
    ]

    private static let refusals: [ConformanceCase] = [
        promise(.dynamic, "names and values are checked against the schema") { client in
            let entity = try heroes()
            try await client.insert(Hero(1))
            let all = DynamicRequest(entity)
            let unknown = try await expectError(.invalidRequest) {
                _ = try await client.fetch(all.filter(.field("nme", .equal, "x")))
            }
            try expectEqual(unknown.field, "nme")
            let wrong = try await expectError(.invalidRequest) {
                _ = try await client.count(all.filter(.field("name", .equal, 5)))
            }
            try expectEqual(wrong.field, "name")
            for request in [
                all.sorted(by: .init("nme")), all.limit(-1), all.offset(-1),
                all.filter(.field("id", matches: TextPattern(.prefix, "1"))),
                all.sorted(by: .init("id", text: .caseInsensitive)),
            ] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
            }
            try await expectError(.invalidRequest) { _ = try DynamicRow(entity, ["nme": "x"]) }
            try await expectError(.invalidRequest) { _ = try DynamicRow(entity, ["name": 1]) }
            try await expectError(.invalidValue) {
                _ = try DynamicRow(entity, ["power": .real(.nan)])
            }
            try await expectError(.invalidRequest) {
                _ = try await client.find(entity, key: [1, 2])
            }
            try await expectError(.invalidRequest) {
                try await client.update(entity, key: [1], set: ["id": 2])
            }
            try await expectError(.constraintViolation) {
                try await client.update(entity, key: [1], set: ["name": nil])
            }
            try await expectError(.notFound) {
                try await client.update(entity, key: [7], set: ["name": "x"])
            }
            try await expectError(.constraintViolation) {
                try await client.insert([DynamicRow(entity, ["id": 2])])
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
        promise(.dynamic, "integers are held to their width, JSON to its grammar") { client in
            let entity = try EntityCatalog([EveryType.self]).entity(named: "EveryType")
            var row = try DynamicRow(entity)
            try row.set("int8", to: -128)
            try row.set("uint8", to: 255)
            try row.set("tags", to: .json(#"[ "b" , "a\/" ]"#))
            for (field, value) in [("int8", 128), ("int8", -129), ("uint8", 256), ("uint64", -1)] {
                try await expectError(.invalidValue) {
                    try row.set(field, to: .integer(Int64(value)))
                }
            }
            try await expectError(.invalidValue) { try row.set("tags", to: .json("[1,")) }
            try await client.insert(EveryType(1))
            try await client.update(entity, key: [1], set: ["tags": .json(#"[ "b" , "a\/" ]"#)])
            try expectEqual(try await client.find(EveryType.self, key: 1)?.tags, ["b", "a/"])
            try expectEqual(
                try await client.count(
                    EveryType.matching(
                        {
                            var example = EveryType(0)
                            example.tags = ["b", "a/"]
                            return example
                        }(),
                        fields: \.tags
                    )
                ),
                1
            )
        },
        promise(.dynamic, "a number that its field cannot hold is refused") { client in
            let entity = try EntityCatalog([EveryType.self]).entity(named: "EveryType")
            try await client.insert(EveryType(1))
            let odd = Int64(1 << 53 + 1)
            for (field, value) in [
                ("float", DynamicValue.real(1e300)), ("float", .integer(16_777_217)),
                ("double", .integer(odd)), ("float", .real(-1e39)),
            ] {
                try await expectError(.invalidValue) {
                    try await client.update(entity, key: [1], set: [field: value])
                }
            }
            try await expectError(.invalidValue) {
                _ = try await client.count(
                    DynamicRequest(entity).filter(.field("double", .equal, .integer(odd)))
                )
            }
            try await client.update(
                entity,
                key: [1],
                set: ["float": .real(.infinity), "double": .integer(odd - 1)]
            )
            let found = try await client.find(EveryType.self, key: 1)
            try expectEqual(found?.float, .infinity)
            try expectEqual(found?.double, Double(1 << 53))
        },
        promise(.dynamic, "a row written back as it was read keeps every digit") { client in
            let entity = try EntityCatalog([Ledger.self]).entity(named: "Ledger")
            let amounts = [
                "12345678901234567.89", "0.1", "0.0000001", "-0.30000000000000004",
                "18446744073709551615", "340282366920938463463374607431768211455", "1",
            ]
            .compactMap { Decimal(string: $0) }
            let ledger = Ledger(1, amounts: amounts, dates: [Date(timeIntervalSince1970: 0.5)])
            try await client.insert(ledger)
            let rows = try await client.fetch(DynamicRequest(entity))
            try await client.update(rows)
            try expectEqual(try await client.findAll(Ledger.self), [ledger])
            try expectEqual(try await client.fetch(DynamicRequest(entity)), rows)
            try await client.update(
                entity,
                key: [1],
                set: ["amounts": .json(" [ 1.50, 2e2, 98765432109876543.21 ] ")]
            )
            let written = ["1.5", "200", "98765432109876543.21"].compactMap { Decimal(string: $0) }
            try expectEqual(try await client.find(Ledger.self, key: 1)?.amounts, written)
        },
        promise(.dynamic, "a long chain of conditions is not nested") { client in
            let entity = try heroes()
            try await client.insert((1...5).map { Hero($0) })
            let any = (3...300).map { DynamicCondition.field("id", .equal, .integer($0)) }
                .reduce(.constant(false)) { $0 || $1 }
            try expectEqual(try await client.count(DynamicRequest(entity).filter(any)), 3)
            let all = (100...300).reduce(DynamicRequest(entity).filter(any)) {
                $0.filter(!.field("id", .equal, .integer($1)))
            }
            try expectEqual(try await client.count(all), 3)
        },
        promise(.dynamic, "an entity that is not in the catalog") { client in
            try await expectError(.invalidRequest) {
                _ = try EntityCatalog([Hero.self]).entity(named: "hero")
            }
            try await expectError(.invalidSchema) {
                _ = try EntityCatalog([Hero.self, Hero.self])
            }
            try await expectError(.invalidSchema) { _ = try EntityCatalog([Loose<NoKey>.self]) }
        },
    ]
}
