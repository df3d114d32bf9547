import DBClientCore

/// Joins and groups by stored names.
enum DynamicReportCases {
    static let all: [ConformanceCase] = joins + groups + refusals

    private struct Entities {
        let sale: EntitySchema
        let item: EntitySchema
        let kind: EntitySchema

        init() throws {
            let catalog = try EntityCatalog([ItemSale.self, SoldItem.self, ItemKind.self])
            sale = try catalog.entity(named: "ItemSale")
            item = try catalog.entity(named: "SoldItem")
            kind = try catalog.entity(named: "ItemKind")
        }

        var sold: DynamicRequest {
            DynamicRequest(sale)
                .join(
                    DynamicRequest(item),
                    on: .field("ItemSale.ware", .equal, field: "SoldItem.id")
                )
        }

        var allSales: DynamicRequest {
            DynamicRequest(sale)
                .leftJoin(
                    DynamicRequest(item),
                    on: .field("ItemSale.ware", .equal, field: "SoldItem.id")
                )
        }
    }

    private static let joins: [ConformanceCase] = [
        promise(.dynamic, "rows are joined by name") { client in
            try await JoinCases.insertSales(client)
            let sold = try Entities().sold
            let rows = try await client.fetch(sold)
            try expectEqual(rows.map { $0["ItemSale.id"] }, [1, 2, 3, 5])
            try expectEqual(
                rows.map { $0["SoldItem.name"] },
                ["desk", "lamp", "desk", "chair"]
            )
            try expectEqual(rows[0].key, [1, 10])
            try expectEqual(try await client.count(sold), 4)
            let wanted =
                sold
                .filter(
                    .field("ItemSale.quantity", .greater, 1)
                        && .field("SoldItem.price", .less, 100)
                )
                .sorted(by: .init("SoldItem.name", descending: true))
            try expectEqual(try await client.fetch(wanted).map { $0["ItemSale.id"] }, [2, 3])
            try expectEqual(try await client.count(wanted.limit(1)), 1)
            try expectEqual(
                try client.blocking.fetch(sold.offset(1).limit(2)).map { $0["ItemSale.id"] },
                [2, 3]
            )
            try expectEqual(try await client.run(.fetch(sold)), rows)
            try expectEqual(
                try await client.fetch(sold.after(rows[1])).map { $0["ItemSale.id"] },
                [3, 5]
            )
        },
        promise(.dynamic, "a left join by name has nil where nothing belongs to a row") { client in
            try await JoinCases.insertSales(client)
            let entities = try Entities()
            let rows = try await client.fetch(entities.allSales)
            try expectEqual(rows.map { $0["ItemSale.id"] }, [1, 2, 3, 4, 5, 6])
            try expectEqual(
                rows.map { $0["SoldItem.price"] },
                [30, 60, 30, .null, 200, .null]
            )
            let absent = entities.allSales.filter(.field("SoldItem.id", .equal, nil))
            try expectEqual(try await client.fetch(absent).map { $0["ItemSale.id"] }, [4, 6])
            let cheap = DynamicRequest(entities.sale)
                .leftJoin(
                    DynamicRequest(entities.item).filter(.field("price", .less, 50)),
                    on: .field("ItemSale.ware", .equal, field: "SoldItem.id")
                )
            try expectEqual(
                try await client.fetch(cheap).map { $0["SoldItem.id"] },
                [10, .null, 10, .null, .null, .null]
            )
        },
        promise(.dynamic, "what is joined is joined further, and an entity with itself") { client in
            try await JoinCases.insertSales(client)
            let entities = try Entities()
            let kinds = entities.allSales
                .leftJoin(
                    DynamicRequest(entities.kind),
                    on: .field("SoldItem.kind", .equal, field: "ItemKind.code")
                        && !.field("SoldItem.kind", .equal, nil)
                )
                .filter(.field("ItemSale.quantity", .less, 4))
            try expectEqual(
                try await client.fetch(kinds).map { $0["ItemKind.title"] },
                ["Furniture", "Furniture", "Furniture", .null, .null]
            )
            let parts = DynamicRequest(entities.item).sorted(by: .init("name"))
                .join(
                    DynamicRequest(entities.item),
                    on: .field("SoldItem.whole", .equal, field: "SoldItem 2.id")
                )
            let rows = try await client.fetch(parts)
            try expectEqual(rows.map { $0["SoldItem.name"] }, ["bulb", "lamp"])
            try expectEqual(rows.map { $0["SoldItem 2.name"] }, ["lamp", "desk"])
        },
        promise(.dynamic, "joined rows are observed", requires: [.observation]) { client in
            try await JoinCases.insertSales(client)
            let entities = try Entities()
            let names = entities.sold.sorted(by: .init("SoldItem.name"))
            var rows = client.observeRows(names).makeAsyncIterator()
            try expectEqual(
                try await rows.next()?.map { $0["SoldItem.name"] },
                ["chair", "desk", "desk", "lamp"]
            )
            var counts = client.observeCount(entities.sold).makeAsyncIterator()
            try expectEqual(try await counts.next(), 4)
            try await client.update(entities.item, key: [10], set: ["name": "table"])
            try expectEqual(
                try await rows.next()?.map { $0["SoldItem.name"] },
                ["chair", "lamp", "table", "table"]
            )
            try await client.delete(entities.item, key: [10])
            try expectEqual(
                try await rows.next()?.map { $0["SoldItem.name"] },
                ["chair", "lamp"]
            )
            try expectEqual(try await counts.next(), 2)
        },
    ]

    private static let groups: [ConformanceCase] = [
        promise(.dynamic, "groups and their functions by name", requires: [.aggregates]) { client in
            try await JoinCases.insertSales(client)
            let entities = try Entities()
            let perBuyer = DynamicRequest(entities.sale).grouped(by: "buyer")
                .select(
                    .count,
                    .sum("quantity"),
                    .average("quantity"),
                    .min("ware"),
                    .max("day"),
                    .countDistinct("ware")
                )
            let groups = try await client.fetch(perBuyer)
            try expectEqual(groups.map(\.keys), [["a"], ["b"], ["c"]])
            try expectEqual(groups.map { $0.values[0] }, [3, 2, 1])
            try expectEqual(groups.map { $0.values[1] }, [6, 3, 4])
            try expectEqual(groups.map { $0.values[2] }, [2.0, 1.5, 4.0])
            try expectEqual(groups.map { $0.values[3] }, [10, 11, .null])
            try expectEqual(groups.map { $0.values[5] }, [2, 2, 0])
            let best = perBuyer.having(.count, .greater, 1)
                .sorted(by: .function(.sum("quantity"), descending: true))
            try expectEqual(try await client.fetch(best).map(\.keys), [["a"], ["b"]])
            try expectEqual(try client.blocking.fetch(best.limit(1)).map(\.keys), [["a"]])
            try expectEqual(try await client.fetch(best.offset(1)).map(\.keys), [["b"]])
            let last = perBuyer.sorted(by: .key("buyer", descending: true)).limit(1)
            try expectEqual(try await client.run(.fetch(last)).map(\.keys), [["c"]])
            let unknown = perBuyer.having(.min("ware"), .equal, nil)
            try expectEqual(try await client.fetch(unknown).map(\.keys), [["c"]])
            let two = DynamicRequest(entities.sale).filter(.field("quantity", .less, 3))
                .grouped(by: "buyer", "quantity")
            try expectEqual(
                try await client.fetch(two).map(\.keys),
                [["a", 1], ["a", 2], ["b", 1], ["b", 2]]
            )
        },
        promise(.dynamic, "windows of groups by name", requires: [.aggregates]) { client in
            try await JoinCases.insertSales(client)
            let total = DynamicGroupRequest.Function.sum("quantity")
            let perBuyer = DynamicRequest(try Entities().sale).grouped(by: "buyer")
            let largest = DynamicGroupRequest.Window(sorted: .function(total, descending: true))
            let groups = try await client.fetch(
                perBuyer.select(
                    total,
                    .window(.rank, over: largest),
                    .window(.sum(total), over: largest),
                    .window(.share(of: .count)),
                    .window(.lag(total)),
                    .window(.lead(.min("ware"))),
                    .window(.average(.count)),
                    .window(.first(.max("ware"))),
                    .window(.rowNumber, over: .init(sorted: .key("buyer", descending: true)))
                )
            )
            try expectEqual(groups.map(\.keys), [["a"], ["b"], ["c"]])
            try expectEqual(groups.map { $0.values[0] }, [6, 3, 4])
            try expectEqual(groups.map { $0.values[1] }, [1, 3, 2])
            try expectEqual(groups.map { $0.values[2] }, [6, 13, 10])
            try expectEqual(groups.map { $0.values[3] }, [0.5, .real(2.0 / 6), .real(1.0 / 6)])
            try expectEqual(groups.map { $0.values[4] }, [.null, 6, 3])
            try expectEqual(groups.map { $0.values[5] }, [11, .null, .null])
            try expectEqual(groups.map { $0.values[6] }, [2.0, 2.0, 2.0])
            try expectEqual(groups.map { $0.values[7] }, [99, 99, 99])
            try expectEqual(groups.map { $0.values[8] }, [3, 2, 1])
            // The limit takes groups of the whole.
            let first = perBuyer.select(.window(.share(of: total)), .window(.count))
                .sorted(by: .function(total, descending: true)).limit(1)
            let best = try await client.fetch(first)
            try expectEqual(best.map(\.keys), [["a"]])
            try expectEqual(best.map(\.values), [[.real(6.0 / 13), 3]])
            let two = DynamicRequest(try Entities().sale).grouped(by: "buyer", "quantity")
                .select(.window(.count, over: .init(by: "buyer")))
                .having(.count, .greater, 0)
            try expectEqual(
                try await client.fetch(two).map { [$0.keys[0]] + $0.values },
                [["a", 3], ["a", 3], ["a", 3], ["b", 2], ["b", 2], ["c", 1]]
            )
        },
        promise(.dynamic, "a sum of no values is zero by name as well", requires: [.aggregates]) {
            client in
            try await JoinCases.insertSales(client)
            let perName = try Entities().allSales.grouped(by: "ItemSale.buyer")
                .select(.sum("SoldItem.price"), .max("SoldItem.name"))
            let groups = try await client.fetch(perName)
            try expectEqual(groups.map(\.values), [[60, "desk"], [260, "lamp"], [0, .null]])
            try expectEqual(
                try await client.fetch(perName.having(.sum("SoldItem.price"), .less, 100))
                    .map(\.keys),
                [["a"], ["c"]]
            )
            try expectEqual(
                try await client.fetch(perName.having(.sum("SoldItem.price"), .equal, nil)).count,
                0
            )
        },
        promise(
            .dynamic,
            "groups by name are observed",
            requires: [.aggregates, .observation]
        ) { client in
            try await JoinCases.insertSales(client)
            let entities = try Entities()
            let perName = entities.sold.grouped(by: "SoldItem.name")
                .select(.sum("ItemSale.quantity"))
                .sorted(by: .function(.sum("ItemSale.quantity"), descending: true))
            var groups = client.observeGroups(perName).makeAsyncIterator()
            try expectEqual(
                try await groups.next()?.map(\.keys),
                [["desk"], ["lamp"], ["chair"]]
            )
            try await client.update(entities.sale, key: [5], set: ["quantity": 9])
            try expectEqual(
                try await groups.next()?.map(\.keys),
                [["chair"], ["desk"], ["lamp"]]
            )
        },
    ]

    private static let refusals: [ConformanceCase] = [
        promise(.dynamic, "joins and groups by name are checked") { client in
            try await JoinCases.insertSales(client)
            let entities = try Entities()
            let sales = DynamicRequest(entities.sale)
            let on: DynamicCondition = .field("ItemSale.ware", .equal, field: "SoldItem.id")
            for request in [
                sales.limit(1).join(DynamicRequest(entities.item), on: on),
                sales.join(DynamicRequest(entities.item).offset(1), on: on),
                sales.join(
                    DynamicRequest(entities.item),
                    on: .field("ware", .equal, field: "SoldItem.id")
                ),
                entities.sold.filter(.field("name", .equal, "desk")),
                entities.sold.limit(-1),
            ] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
            }
            try await expectError(.unsupported) {
                _ = try await client.fetch(
                    DynamicRequest(entities.kind).join(entities.sold, on: .constant(true))
                )
            }
            try await expectError(.invalidRequest) {
                _ = try await client.delete(entities.sold)
            }
            try await expectError(.invalidRequest) {
                _ = try await client.update(entities.sold, set: ["ItemSale.quantity": 1])
            }
            let row = try await client.fetch(entities.sold)[0]
            try await expectError(.invalidRequest) { _ = try await client.insert([row]) }
            try await expectError(.invalidRequest) { _ = try await client.upsert([row]) }
            try await expectError(.invalidRequest) {
                _ = try await client.find(row.entity, key: row.key)
            }
            try await expectError(.invalidRequest) {
                try await client.update(row.entity, key: row.key, set: [:])
            }
            for request in [
                sales.grouped(by: "seller"),
                DynamicGroupRequest(sales, by: []),
                sales.grouped(by: "buyer").select(.sum("buyer")),
                sales.grouped(by: "buyer").having(.count, .greater, "x"),
                sales.grouped(by: "buyer").having(.average("quantity"), .greater, "x"),
                sales.grouped(by: "buyer").sorted(by: .key("quantity")),
                sales.grouped(by: "buyer").limit(-1),
                sales.grouped(by: "buyer").sorted(by: .function(.window(.rank))),
                sales.grouped(by: "buyer").having(.window(.count), .greater, 1),
                sales.grouped(by: "buyer").select(.window(.sum(.window(.count)))),
                sales.grouped(by: "buyer").select(.window(.sum(.min("buyer")))),
                sales.grouped(by: "buyer").select(.window(.count, over: .init(by: "quantity"))),
            ] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
            }
            try expectEqual(try await client.count(sales), 6)
        }
    ]
}
