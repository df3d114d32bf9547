import DBClientCore
import Foundation

/// Rows that are made of others inside the store.
enum InsertFromCases {
    static let all: [ConformanceCase] = meaning + made + refusals + observed

    private static let sales = [
        ItemSale(1, ware: 7, buyer: "a", quantity: 3, day: 1),
        ItemSale(2, ware: nil, buyer: "b", quantity: 5, day: 2),
        ItemSale(3, ware: 9, buyer: "c", quantity: 1, day: 3),
    ]

    private static let meaning: [ConformanceCase] =
        promises(.insert, "values are made of fields, expressions and constants") { client in
            _ = try await client.insert(sales)
            let count = try await client.insert(
                ArchivedSale.self,
                from: ItemSale.where { $0.quantity > 1 }
            ) { archived, sale in
                archived.set(\.id, to: sale.id)
                archived.set(\.ware, to: sale.ware)
                archived.set(\.total, to: sale.quantity * 10 + 1)
                archived.set(\.note, to: sale.buyer + "!")
                archived.set(\.day, to: sale.day)
            }
            try expectEqual(count, 2)
            try expectEqual(
                try await client.findAll(ArchivedSale.self),
                [
                    ArchivedSale(1, ware: 7, total: 31, note: "a!", day: 1),
                    ArchivedSale(2, total: 51, note: "b!", day: 2),
                ]
            )
            let rest = try await client.insert(
                ArchivedSale.self,
                from: ItemSale.where { $0.quantity == 1 }
            ) { archived, sale in
                archived.set(\.id, to: sale.id)
                archived.set(\.total, to: 5)
                archived.set(\.reason, to: "lost")
                archived.set(\.day, to: Date(timeIntervalSince1970: 0))
            }
            try expectEqual(rest, 1)
            try expectEqual(
                try await client.find(ArchivedSale.self, key: 3),
                ArchivedSale(3, total: 5, reason: "lost")
            )
            let none = try await client.insert(
                ArchivedSale.self,
                from: ItemSale.all.limit(0)
            ) { archived, sale in
                archived.set(\.id, to: sale.id)
                archived.set(\.total, to: 1)
                archived.set(\.day, to: sale.day)
            }
            try expectEqual(none, 0)
        } + [
            promise(.insert, "the rows are read before the first is written") { client in
                try await client.insert(sales)
                try await expectError(.duplicateKey) {
                    try await client.insert(ItemSale.self, from: ItemSale.where { $0.id < 3 }) {
                        $0.set(\.id, to: $1.id + 1)
                        $0.set(\.buyer, to: $1.buyer)
                        $0.set(\.quantity, to: $1.quantity)
                        $0.set(\.day, to: $1.day)
                    }
                }
                let doubled = try await client.insert(ItemSale.self, from: ItemSale.all) {
                    $0.set(\.id, to: $1.id + 10)
                    $0.set(\.ware, to: $1.ware)
                    $0.set(\.buyer, to: "copy")
                    $0.set(\.quantity, to: $1.quantity * 2)
                    $0.set(\.day, to: $1.day)
                }
                try expectEqual(doubled, 3)
                try expectEqual(
                    try await client.findAll(ItemSale.self).map(\.id),
                    [1, 2, 3, 11, 12, 13]
                )
                try expectEqual(
                    try await client.fetch(ItemSale.where { $0.buyer == "copy" }).map(\.quantity),
                    [6, 10, 2]
                )
            },
            promise(.insert, "fields of every type are copied") { client in
                let values = [EveryType.full(1), EveryType(2)]
                try await client.insert(values)
                let count = try await client.insert(EveryType.self, from: EveryType.all) {
                    copy,
                    value in
                    copy.set(\.id, to: value.id + 10)
                    copy.set(\.flag, to: value.flag)
                    copy.set(\.int8, to: value.int8)
                    copy.set(\.int16, to: value.int16)
                    copy.set(\.int32, to: value.int32)
                    copy.set(\.int64, to: value.int64)
                    copy.set(\.uint8, to: value.uint8)
                    copy.set(\.uint16, to: value.uint16)
                    copy.set(\.uint32, to: value.uint32)
                    copy.set(\.uint64, to: value.uint64)
                    copy.set(\.uint, to: value.uint)
                    copy.set(\.float, to: value.float)
                    copy.set(\.double, to: value.double)
                    copy.set(\.text, to: value.text)
                    copy.set(\.data, to: value.data)
                    copy.set(\.date, to: value.date)
                    copy.set(\.uuid, to: value.uuid)
                    copy.set(\.url, to: value.url)
                    copy.set(\.decimal, to: value.decimal)
                    copy.set(\.mood, to: value.mood)
                    copy.set(\.level, to: value.level)
                    copy.set(\.tags, to: value.tags)
                    copy.set(\.numbers, to: value.numbers)
                    copy.set(\.scores, to: value.scores)
                    copy.set(\.origin, to: value.origin)
                    copy.set(\.place, to: Place("copied"))
                    copy.set(\.optionalInt64, to: value.int64)
                    copy.set(\.optionalText, to: value.optionalText)
                    copy.set(\.optionalUuid, to: value.uuid)
                    copy.set(\.optionalDecimal, to: value.optionalDecimal)
                }
                try expectEqual(count, 2)
                for value in values {
                    let copy = try await client.find(EveryType.self, key: value.id + 10)
                    try expectEqual(copy?.flag, value.flag)
                    try expectEqual(copy?.int8, value.int8)
                    try expectEqual(copy?.int16, value.int16)
                    try expectEqual(copy?.int32, value.int32)
                    try expectEqual(copy?.int64, value.int64)
                    try expectEqual(copy?.uint8, value.uint8)
                    try expectEqual(copy?.uint16, value.uint16)
                    try expectEqual(copy?.uint32, value.uint32)
                    try expectEqual(copy?.uint64, value.uint64)
                    try expectEqual(copy?.uint, value.uint)
                    try expectEqual(copy?.float, value.float)
                    try expectEqual(copy?.double, value.double)
                    try expectEqual(copy?.data, value.data)
                    try expectEqual(copy?.date, value.date)
                    try expectEqual(copy?.uuid, value.uuid)
                    try expectEqual(copy?.url, value.url)
                    try expectEqual(copy?.decimal, value.decimal)
                    try expectEqual(copy?.mood, value.mood)
                    try expectEqual(copy?.level, value.level)
                    try expectEqual(copy?.tags, value.tags)
                    try expectEqual(copy?.numbers, value.numbers)
                    try expectEqual(copy?.scores, value.scores)
                    try expectEqual(copy?.origin, value.origin)
                    try expectEqual(copy?.place, Place("copied"))
                    try expectSameText([copy?.text ?? "?"], [value.text])
                    try expectEqual(copy?.optionalInt64, value.int64)
                    try expectEqual(copy?.optionalText, value.optionalText)
                    try expectEqual(copy?.optionalUuid, value.uuid)
                    try expectEqual(copy?.optionalDecimal, value.optionalDecimal)
                    try expectEqual(copy?.optionalDate, nil)
                }
            },
            promise(.insert, "what a value leads to is copied") { client in
                try await client.insert([
                    Artist(1, "a", studio: Studio(1, "s", founded: 1939)), Artist(2, "b"),
                ])
                let count = try await client.insert(SoldItem.self, from: Artist.all) {
                    $0.set(\.id, to: $1.id)
                    $0.set(\.name, to: $1.name)
                    $0.set(\.kind, to: $1.studio.name)
                    $0.set(\.price, to: $1.studio.founded ?? 0)
                }
                try expectEqual(count, 2)
                try expectEqual(
                    try await client.findAll(SoldItem.self),
                    [SoldItem(1, "a", kind: "s", price: 1939), SoldItem(2, "b")]
                )
            },
        ]

    private static let made: [ConformanceCase] = [
        promise(.insert, "keys are made in the order of the request", requires: [.generatedKeys]) {
            client in
            try await client.insert(sales)
            let request = ItemSale.all.sorted { $0.quantity.descending }
            let count = try await client.insert(Ticket.self, from: request) {
                $0.set(\.title, to: $1.buyer)
            }
            try expectEqual(count, 3)
            let tickets = try await client.findAll(Ticket.self)
            try expectEqual(tickets.map(\.title), ["b", "a", "c"])
            let next = try await client.insert(Ticket(title: "next"))
            try expect(next.id > tickets[2].id, "the key of a copy was made again")
            let given = try await client.insert(Ticket.self, from: ItemSale.where { $0.id == 3 }) {
                $0.set(\.id, to: $1.id + 1_000)
                $0.set(\.title, to: "given")
            }
            try expectEqual(given, 1)
            let last = try await client.insert(Ticket(title: "last"))
            try expect(last.id > 1_003, "a key was made below one that was given")
        },
        promise(.insert, "UUIDs and texts are made as keys", requires: [.generatedKeys]) { client in
            try await client.insert(sales)
            try await client.insert(Session.self, from: ItemSale.all) {
                $0.set(\.title, to: $1.buyer)
            }
            try await client.insert(Document.self, from: ItemSale.all) {
                $0.set(\.title, to: $1.buyer)
            }
            let sessions = try await client.findAll(Session.self)
            try expectEqual(Set(sessions.map(\.id)).count, 3)
            try expectEqual(Set(sessions.map(\.title)), ["a", "b", "c"])
            try expectEqual(Set(try await client.findAll(Document.self).map(\.id)).count, 3)
        },
        promise(.insert, "values of text keys are copied") { client in
            try await client.insert(sales)
            try await client.insert(Skill.self, from: ItemSale.all) {
                $0.set(\.code, to: $1.buyer)
                $0.set(\.level, to: $1.quantity)
            }
            try await client.insert(ItemKind.self, from: Skill.all) {
                $0.set(\.code, to: $1.code)
                $0.set(\.title, to: $1.code + $1.code)
            }
            try expectEqual(
                try await client.findAll(ItemKind.self),
                [ItemKind("a", "aa"), ItemKind("b", "bb"), ItemKind("c", "cc")]
            )
        },
    ]

    private static let refusals: [ConformanceCase] = [
        promise(.insert, "a required field without a default must be set") { client in
            try await client.insert(sales)
            let error = try await expectError(.invalidRequest) {
                try await client.insert(ArchivedSale.self, from: ItemSale.all) {
                    $0.set(\.id, to: $1.id)
                    $0.set(\.day, to: $1.day)
                }
            }
            try expectEqual(error.entity, "ArchivedSale")
            try expectEqual(error.field, "total")
            try await expectError(.invalidRequest) {
                try await client.insert(ArchivedSale.self, from: ItemSale.all) {
                    $0.set(\.total, to: $1.quantity)
                    $0.set(\.day, to: $1.day)
                }
            }
            try await expectError(.unsupported) {
                try await client.insert(Artist.self, from: ItemSale.all) {
                    $0.set(\.id, to: $1.id)
                    $0.set(\.name, to: $1.buyer)
                }
            }
            try expectEqual(try await client.count(ArchivedSale.all), 0)
        },
        promise(.insert, "rows that cannot be inserted undo the whole copy") { client in
            try await client.insert(sales)
            try await client.insert(ArchivedSale(3))
            try await client.write { transaction in
                try expectErrorInside(.duplicateKey) {
                    try transaction.insert(ArchivedSale.self, from: ItemSale.all) {
                        $0.set(\.id, to: $1.id)
                        $0.set(\.total, to: 1)
                        $0.set(\.day, to: $1.day)
                    }
                }
                try expectErrorInside(.invalidValue) {
                    try transaction.insert(ArchivedSale.self, from: ItemSale.all) {
                        $0.set(\.id, to: $1.id + 10)
                        $0.set(\.total, to: 1 / ($1.quantity - 1))
                        $0.set(\.day, to: $1.day)
                    }
                }
                try expectEqual(try transaction.count(ArchivedSale.all), 1)
            }
            try expectEqual(try await client.findAll(ArchivedSale.self), [ArchivedSale(3)])
        },
        promise(
            .insert,
            "a unique value twice undoes the whole copy",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(sales)
            try await expectError(.uniqueViolation) {
                try await client.insert(Account.self, from: ItemSale.all) {
                    $0.set(\.id, to: $1.id)
                    $0.set(\.email, to: "one")
                    $0.set(\.tenant, to: $1.buyer)
                    $0.set(\.balance, to: 0)
                }
            }
            try expectEqual(try await client.count(Account.all), 0)
        },
    ]

    private static let observed: [ConformanceCase] = [
        observing("what is copied is told") { client in
            try await client.insert(sales)
            let request = ArchivedSale.where { $0.total > 10 }.sorted { -$0.total }
            var observer = try await Observer(client.observe(request))
            try await client.insert(ArchivedSale.self, from: ItemSale.all) {
                $0.set(\.id, to: $1.id)
                $0.set(\.total, to: $1.quantity * 10)
                $0.set(\.day, to: $1.day)
            }
            let changes = try await observer.update()
            try expectEqual(changes.insertions, [0, 1])
            try expectEqual(Array(changes.objects), try await client.fetch(request))
        },
        promise(.operations, "values are copied by an operation") { client in
            try await client.insert(sales)
            let copy = WriteOperation<Int>.insert(SoldItem.self, from: ItemSale.all) {
                $0.set(\.id, to: $1.id)
                $0.set(\.name, to: $1.buyer)
                $0.set(\.price, to: $1.quantity)
            }
            try expectEqual(try await client.run(copy), 3)
            try expectEqual(try await client.findAll(SoldItem.self).map(\.price), [3, 5, 1])
        },
        promise(.decorators, "a decorator sees and checks what is copied") { client in
            try await client.insert(sales)
            let spy = SpyDBClient(client)
            try await spy.insert(Hero.self, from: ItemSale.where { $0.id == 1 }) {
                set(&$0, $1)
                $0.set(\.power, to: 1)
            }
            try expectEqual(Set(spy.calls.map(\.kind)), [.insertMatching])
            try expectEqual(spy.calls[0].entity, "Hero")
            let checked = ValidatingDBClient(
                client,
                rules: [.rule(Hero.self) { if $0.power < 2 { throw SuiteError.deliberate } }]
            )
            do {
                try await checked.insert(Hero.self, from: ItemSale.where { $0.id > 1 }) {
                    set(&$0, $1)
                    $0.set(\.power, to: 1)
                }
                throw ConformanceFailure("nothing was refused")
            } catch SuiteError.deliberate {}
            try await checked.insert(Hero.self, from: ItemSale.where { $0.id == 2 }) {
                set(&$0, $1)
                $0.set(\.power, to: 2)
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.power), [1, 2])
        },
    ]

    private static func set(
        _ hero: inout InsertedFields<Hero, ItemSale>,
        _ sale: Fields<ItemSale>
    ) {
        hero.set(\.id, to: sale.id)
        hero.set(\.name, to: sale.buyer)
        hero.set(\.realName, to: "")
        hero.set(\.createdAt, to: sale.day)
        hero.set(\.isActive, to: true)
    }
}
