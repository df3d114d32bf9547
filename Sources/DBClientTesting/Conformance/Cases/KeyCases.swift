import DBClientCore
import Foundation

/// Primary keys of every kind, given and generated.
enum KeyCases {
    static let all = given + generated

    private static let given: [ConformanceCase] = [
        keyed("text", ["", " ", "B", "a", "a ", "aa", "é", "\u{FFFF}", "🦸"], TextKeyed.self),
        keyed(
            "a UUID",
            [
                uuid(0x00, 0x01), uuid(0x01, 0x00), uuid(0x7F, 0xFF), uuid(0x80, 0x00),
                uuid(0xFF, 0xFF),
            ],
            UUIDKeyed.self
        ),
        keyed("an enum", [Mood.angry, .calm, .élan], MoodKeyed.self),
        keyed(
            "a date",
            [
                .distantPast, Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: 0),
                Date(timeIntervalSince1970: 0.000_001), .distantFuture,
            ],
            DateKeyed.self
        ),
        keyed(
            "a decimal",
            ["-10", "-9.5", "0", "0.5", "9", "10"].compactMap { Decimal(string: $0) },
            DecimalKeyed.self
        ),
        promise(.keys, "integer keys sort as numbers, negative ones first") { client in
            let ids = [Int.min, -10, -9, -1, 0, 1, 9, 10, .max]
            try await client.insert(ids.shuffled().map { Hero($0, "x") })
            try expectEqual(try await client.findAll(Hero.self).map(\.id), ids)
            for id in ids {
                try expectEqual(try await client.find(Hero.self, key: id)?.id, id)
            }
        },
        promise(.keys, "composed and decomposed letters are different keys") { client in
            try await client.insert([TextKeyed("\u{E9}", "1"), TextKeyed("e\u{301}", "2")])
            try expectEqual(try await client.find(TextKeyed.self, key: "\u{E9}")?.note, "1")
            try expectEqual(try await client.find(TextKeyed.self, key: "e\u{301}")?.note, "2")
            try await client.upsert([TextKeyed("\u{E9}", "3"), TextKeyed("e\u{301}", "4")])
            try expectEqual(try await client.findAll(TextKeyed.self).map(\.note), ["4", "3"])
            try await client.delete(TextKeyed.self, key: "\u{E9}")
            try expectEqual(try await client.findAll(TextKeyed.self).map(\.note), ["4"])
        },
        promise(.keys, "upper and lower case are different keys") { client in
            try await client.insert([TextKeyed("a", "1"), TextKeyed("A", "2")])
            try expectEqual(try await client.find(TextKeyed.self, key: "A")?.note, "2")
            try expectEqual(try await client.count(TextKeyed.all), 2)
        },
        promise(.keys, "a composite key is one value of several fields, in key order") { client in
            let issues = [
                Issue("", 0), Issue("A", -1), Issue("A", 2), Issue("A", 10), Issue("AB", 1),
                Issue("B", 1),
            ]
            try await client.insert(issues.shuffled())
            try expectEqual(try await client.findAll(Issue.self), issues)
            let key = Issue.PrimaryKey("A", 2)
            try expectEqual(try await client.find(Issue.self, key: key), Issue("A", 2))
            try expectEqual(
                try await client.find(Issue.self, keys: [.init("B", 1), .init("B", 2), key]),
                [Issue("B", 1), Issue("A", 2)]
            )
        },
        promise(.keys, "a composite key serves every write") { client in
            try await client.insert([Issue("A", 1), Issue("A", 2)])
            try await expectError(.duplicateKey) { try await client.insert(Issue("A", 1)) }
            let outcome = try await client.upsert([
                Issue("A", 1, title: "x"), Issue("B", 1, title: "y"),
            ])
            try expectEqual(outcome.inserted, [Issue("B", 1, title: "y")])
            try expectEqual(outcome.updated, [Issue("A", 1, title: "x")])
            try await client.update(Issue.self, key: .init("A", 2)) { $0.set(\.title, to: "z") }
            try expectEqual(try await client.delete(Issue.self, key: .init("A", 1)), true)
            try expectEqual(try await client.findAll(Issue.self).map(\.title), ["z", "y"])
        },
        promise(.keys, "a part of a composite key can be asked for and cannot be set") { client in
            try await client.insert([Issue("A", 1), Issue("A", 2), Issue("B", 1)])
            try expectEqual(try await client.count(Issue.where { $0.series == "A" }), 2)
            try expectEqual(try await client.count(Issue.where { $0.number == 1 }), 2)
            try await expectError(.invalidRequest) {
                try await client.update(Issue.all) { $0.set(\.number, to: 3) }
            }
        },
        promise(.keys, "a model of nothing but a key can be stored") { client in
            try await client.insert([KeyOnly(2), KeyOnly(1)])
            try await expectError(.duplicateKey) { try await client.insert(KeyOnly(1)) }
            try await client.update(KeyOnly(1))
            try await expectError(.notFound) { try await client.update(KeyOnly(3)) }
            let outcome = try await client.upsert([KeyOnly(1), KeyOnly(3)])
            try expectEqual(outcome.inserted, [KeyOnly(3)])
            try expectEqual(outcome.updated, [KeyOnly(1)])
            try expectEqual(
                try await client.findAll(KeyOnly.self),
                [KeyOnly(1), KeyOnly(2), KeyOnly(3)]
            )
        },
    ]

    private static let generated: [ConformanceCase] = [
        promise(.keys, "a generated integer is given back by insert", requires: [.generatedKeys]) {
            client in
            let stored = try await client.insert([Ticket(title: "a"), Ticket(title: "b")])
            try expectEqual(stored.map(\.title), ["a", "b"])
            try expect(stored[0].id > 0, "the first key is positive")
            try expect(stored[1].id > stored[0].id, "keys ascend")
            try expectEqual(try await client.findAll(Ticket.self), stored)
        },
        promise(.keys, "a given integer is kept and never generated", requires: [.generatedKeys]) {
            client in
            try expectEqual(try await client.insert(Ticket(id: 100, title: "a")).id, 100)
            var ids: Set<Int> = [100]
            for _ in 0..<3 {
                let id = try await client.insert(Ticket(title: "b")).id
                try expect(ids.insert(id).inserted, "the key \(id) came twice")
            }
            try await expectError(.duplicateKey) {
                try await client.insert(Ticket(id: 100, title: "c"))
            }
        },
        promise(.keys, "a generated integer is never reused", requires: [.generatedKeys]) {
            client in
            let first = try await client.insert([Ticket(title: "a"), Ticket(title: "b")])
            try await client.delete(first[1])
            let second = try await client.insert(Ticket(title: "c"))
            try expect(!first.map(\.id).contains(second.id), "a deleted key came again")
            try await client.deleteAll(Ticket.self)
            let third = try await client.insert(Ticket(title: "d"))
            try expect(
                !(first.map(\.id) + [second.id]).contains(third.id),
                "a deleted key came again"
            )
        },
        promise(.keys, "the largest integer key is followed by none", requires: [.generatedKeys]) {
            client in
            try await client.insert(Ticket(id: .max, title: "a"))
            try await expectError(.full) { try await client.insert(Ticket(title: "b")) }
            try expectEqual(try await client.findAll(Ticket.self).map(\.id), [.max])
        },
        promise(.keys, "the largest integer key is made, and once", requires: [.generatedKeys]) {
            client in
            try await client.insert(Ticket(id: .max - 1, title: "a"))
            try expectEqual(try await client.insert(Ticket(title: "b")).id, .max)
            try await expectError(.full) { try await client.insert(Ticket(title: "c")) }
            try expectEqual(try await client.findAll(Ticket.self).map(\.id), [.max - 1, .max])
            try await client.deleteAll(Ticket.self)
            try await expectError(.full) { try await client.insert(Ticket(title: "d")) }
            try await expectError(.full) { try await client.upsert(Ticket(title: "e")) }
            try expectEqual(try await client.count(Ticket.all), 0)
        },
        promise(.keys, "a negative given integer is kept", requires: [.generatedKeys]) { client in
            try await client.insert(Ticket(id: -5, title: "a"))
            try expectEqual(try await client.find(Ticket.self, key: -5)?.title, "a")
            try expect(try await client.insert(Ticket(title: "b")).id > 0, "keys are positive")
        },
        promise(.keys, "upsert of an ungiven integer inserts", requires: [.generatedKeys]) {
            client in
            let first = try await client.upsert(Ticket(title: "a"))
            try expectEqual(first.isUpdated, false)
            try expect(first.value.id > 0, "the key is given back")
            let outcome = try await client.upsert([
                Ticket(title: "b"), Ticket(id: first.value.id, title: "c"), Ticket(title: "d"),
            ])
            try expectEqual(outcome.inserted.map(\.title), ["b", "d"])
            try expectEqual(outcome.updated.map(\.title), ["c"])
            try expectEqual(Set(outcome.inserted.map(\.id)).count, 2)
            try expectEqual(try await client.count(Ticket.all), 3)
        },
        promise(.keys, "a generated UUID is random", requires: [.generatedKeys]) { client in
            let stored = try await client.insert((0..<20).map { Session(title: "\($0)") })
            try expectEqual(Set(stored.map(\.id)).count, 20)
            try expect(!stored.map(\.id).contains(EveryType.zeroUUID), "no key is the zero UUID")
            for session in stored {
                try expectEqual(try await client.find(Session.self, key: session.id), session)
            }
            let given = Session(id: uuid(1, 2), title: "given")
            try expectEqual(try await client.insert(given), given)
        },
        promise(.keys, "a generated text is a UUID's", requires: [.generatedKeys]) { client in
            let stored = try await client.insert([Document(title: "a"), Document(title: "b")])
            try expect(stored.allSatisfy { UUID(uuidString: $0.id) != nil }, "keys are UUIDs")
            try expectEqual(try await client.count(Document.all), 2)
            let given = Document(id: "mine", title: "given")
            try expectEqual(try await client.insert(given), given)
        },
    ]

    /// Every call by key, with keys of one type in ascending order.
    private static func keyed<Model: KeyedFixture & Equatable>(
        _ name: String,
        _ keys: [Model.PrimaryKey],
        _ type: Model.Type
    ) -> ConformanceCase {
        promise(.keys, "\(name) is a key that sorts, finds, and serves every write") { client in
            let models = keys.map { Model($0, "first") }
            try await client.insert(Array(models.reversed()))
            try expectSame(try await client.findAll(type), models)
            try await expectError(.duplicateKey) { try await client.insert(models[0]) }
            try await client.update(models.map { Model($0.primaryKey, "second") })
            for key in keys {
                try expectSame(try await client.find(type, key: key), Model(key, "second"))
                try await client.update(type, key: key) { $0.set(Model.notePath, to: "third") }
                try expectEqual(
                    try await client.upsert(Model(key, "fourth")).isUpdated,
                    true
                )
            }
            try expectEqual(try await client.delete(type, keys: [keys[1], keys[1]]), 1)
            try expectSame(
                try await client.find(type, keys: Array(keys.prefix(3).reversed())),
                [Model(keys[2], "fourth"), Model(keys[0], "fourth")]
            )
            try expectEqual(try await client.count(Model.all), keys.count - 1)
        }
    }

    private static func uuid(_ first: UInt8, _ last: UInt8) -> UUID {
        UUID(uuid: (first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
    }
}
