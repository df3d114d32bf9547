import DBClientCore
import Foundation

/// `ManagedEntity`: rows that are read, set and stored field by field in one transaction.
enum EntityCases {
    static let all: [ConformanceCase] =
        identity + fields + writing + savepoints + refusals

    private static let identity: [ConformanceCase] = [
        promise(.entities, "one row is one object, however it is found") { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            try await client.read { transaction in
                let context = try transaction.entities
                let one = try context.find(Hero.self, key: 1)
                let found = try context.find(Hero.self, keys: [2, 9, 1])
                let fetched = try context.fetch(Hero.all.sorted { $0.name.descending })
                try expectEqual(found.count, 2)
                try expect(found[1] === one && fetched[1] === one, "the row is two objects")
                try expect(found[0] === fetched[0], "the row is two objects")
                try expect(try transaction.entities === context, "the transaction has two contexts")
                try expectEqual(try context.find(Hero.self, key: 9) == nil, true)
            }
        },
        promise(.entities, "rows whose keys only Unicode holds to be equal are two objects") {
            client in
            try await client.insert([TextKeyed("\u{E9}", "1"), TextKeyed("e\u{301}", "2")])
            try await client.read { transaction in
                let context = try transaction.entities
                let found = try context.find(TextKeyed.self, keys: ["e\u{301}", "\u{E9}"])
                try expectEqual(try found.map { try $0.value(\TextKeyed.note) }, ["2", "1"])
            }
        },
        promise(.entities, "a fetched row is as it is stored now") { client in
            try await client.insert(Hero(1, "a"))
            try await client.write { transaction in
                let context = try transaction.entities
                let entity = try required(context.find(Hero.self, key: 1))
                try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "b") }
                try expectEqual(try entity.value(\Hero.name), "b")
                try context.refresh(entity)
                try expectEqual(try entity.value(\Hero.name), "b")
                try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "c") }
                _ = try context.fetch(Hero.all)
                try expectEqual(try entity.value(\Hero.name), "c")
            }
        },
    ]

    private static let fields: [ConformanceCase] = [
        promise(.entities, "fields are read and set by key path and by name, of every kind") {
            client in
            let value = EveryType.full(1)
            try await client.insert(value)
            try await client.write { transaction in
                let context = try transaction.entities
                let entity = try required(
                    context.find(EveryType.self, key: value.primaryKey)
                )
                try expectSame(try entity.value(as: EveryType.self), value)
                try entity.set(value)
                try expectEqual(entity.changedFields, [])
                try expectEqual(context.hasChanges, false)
            }
            try expectSame(try await client.find(EveryType.self, key: value.primaryKey), value)
        },
        promise(.entities, "a name or a type that the entity does not have is refused") { client in
            try await client.insert(Hero(1, "a"))
            try await client.write { transaction in
                let entity = try required(try transaction.entities.find(Hero.self, key: 1))
                try expectEqual(try entity.value("name", as: String.self), "a")
                try expectErrorInside(.invalidRequest) { _ = try entity.value("nam", as: Int.self) }
                let error = try expectErrorInside(.invalidRequest) {
                    try entity.set("power", to: "much")
                }
                try expectEqual(error.field, "power")
                try expectErrorInside(.decoding) { _ = try entity.value("name", as: Int.self) }
                try expectErrorInside(.invalidRequest) { _ = try entity.value(\Account.id) }
                try expectErrorInside(.invalidRequest) { _ = try entity.value(\Hero.shout) }
                try expectErrorInside(.invalidRequest) { try entity.set(\Hero.id, to: 2) }
                try expectErrorInside(.invalidRequest) { try entity.set(Hero(2)) }
                try expectErrorInside(.invalidValue) { try entity.set(\Hero.name, to: "\0") }
                try expectErrorInside(.constraintViolation) {
                    try entity.set("name", to: String?.none)
                }
                try entity.set("bio", to: "x")
                try entity.set("bio", to: String?.none)
                try expectEqual(entity.changedFields, [])
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "a")])
        },
    ]

    private static let writing: [ConformanceCase] = [
        promise(.entities, "changes are written with the transaction, changed fields alone") {
            client in
            try await client.insert([Hero(1, "a"), Hero(2, "b"), Hero(3, "c")])
            try await client.write { transaction in
                let context = try transaction.entities
                let one = try required(context.find(Hero.self, key: 1))
                let two = try required(context.find(Hero.self, key: 2))
                try one.set(\Hero.name, to: "d")
                try two.set(\Hero.power, to: 5)
                try two.set(\Hero.bio, to: "x")
                try expectEqual(one.changedFields, ["name"])
                try expectEqual(two.changedFields, ["power", "bio"])
                try context.delete(required(context.find(Hero.self, key: 3)))
                try context.insert(Hero(4, "e"))
                let new = try context.insert(Hero.self, key: 5)
                for name in ["name", "realName"] { try new.set(name, to: "f") }
                try new.set("power", to: 1.5)
                try new.set(\Hero.createdAt, to: Date(timeIntervalSince1970: 0))
                try new.set(\Hero.isActive, to: false)
            }
            try expectEqual(
                try await client.findAll(Hero.self),
                [
                    Hero(1, "d"), Hero(2, "b", power: 5, bio: "x"), Hero(4, "e"),
                    Hero(5, "f", realName: "f", power: 1.5, isActive: false),
                ]
            )
        },
        promise(.entities, "a changed field does not write over the fields beside it") { client in
            try await client.insert(Hero(1, "a"))
            try await client.write { transaction in
                let entity = try required(try transaction.entities.find(Hero.self, key: 1))
                try transaction.update(Hero.self, key: 1) { $0.set(\.realName, to: "other") }
                try entity.set(\Hero.name, to: "b")
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "b", realName: "other")])
        },
        promise(.entities, "every call of the transaction sees what entities hold") { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            try await client.write { transaction in
                let context = try transaction.entities
                try required(context.find(Hero.self, key: 1)).set(\Hero.name, to: "z")
                try expectEqual(try transaction.find(Hero.self, key: 1)?.name, "z")
                try required(context.find(Hero.self, key: 2)).set(\Hero.name, to: "y")
                try expectEqual(try context.fetch(Hero.where { $0.name == "y" }).count, 1)
                try context.insert(Hero(3, "x"))
                try expectEqual(try transaction.count(Hero.all), 3)
                try context.delete(required(context.find(Hero.self, key: 3)))
                try expectEqual(try transaction.exists(Hero.self, key: 3), false)
            }
        },
        promise(.entities, "a body that throws undoes everything") { client in
            try await client.insert(Hero(1, "a"))
            try? await client.write { transaction in
                let context = try transaction.entities
                try required(context.find(Hero.self, key: 1)).set(\Hero.name, to: "b")
                try context.insert(Hero(2))
                try context.flush()
                throw SuiteError.deliberate
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "a")])
        },
        promise(.entities, "the store makes the keys of new entities", requires: [.generatedKeys]) {
            client in
            let keys = try await client.write { transaction in
                let context = try transaction.entities
                let tickets = [
                    try context.insert(Ticket(title: "a")), try context.insert(Ticket(title: "b")),
                    try context.insert(Ticket.self, key: 0),
                ]
                try tickets[2].set(\Ticket.title, to: "c")
                try context.flush()
                let keys = try tickets.map { try $0.value(\Ticket.id) }
                for (key, ticket) in zip(keys, tickets) {
                    let found = try context.find(Ticket.self, key: key)
                    try expect(found === ticket, "the new row is two objects")
                }
                return keys
            }
            try expectEqual(Set(keys).count, 3)
            try expectEqual(try await client.findAll(Ticket.self).map(\.title), ["a", "b", "c"])
        },
        promise(.entities, "a refused flush leaves everything waiting", requires: [.uniqueIndexes])
        {
            client in
            try await client.insert([Account(1, email: "a"), Account(2, email: "b")])
            try await client.write { transaction in
                let context = try transaction.entities
                let one = try required(context.find(Account.self, key: 1))
                let two = try required(context.find(Account.self, key: 2))
                try context.insert(Account(3, email: "c"))
                try one.set(\Account.balance, to: 7)
                try two.set(\Account.email, to: "a")
                try expectErrorInside(.uniqueViolation) { try context.flush() }
                try expectEqual(two.changedFields, ["email"])
                try two.set(\Account.email, to: "d")
            }
            try expectEqual(
                try await client.findAll(Account.self),
                [
                    Account(1, email: "a", balance: 7), Account(2, email: "d"),
                    Account(3, email: "c"),
                ]
            )
        },
    ]

    private static let savepoints: [ConformanceCase] = [
        promise(
            .entities,
            "an undone savepoint takes back what entities did",
            requires: [.savepoints]
        ) { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            try await client.write { transaction in
                let context = try transaction.entities
                let one = try required(context.find(Hero.self, key: 1))
                let two = try required(context.find(Hero.self, key: 2))
                try one.set(\Hero.name, to: "before")
                var inner: ManagedEntity?
                do {
                    try transaction.write { attempt in
                        try expect(try attempt.entities === context, "the savepoint has its own")
                        try one.set(\Hero.name, to: "inside")
                        try context.delete(two)
                        inner = try context.insert(Hero(3))
                        try expectEqual(try attempt.count(Hero.all), 2)
                        try one.set(\Hero.bio, to: "unwritten")
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
                try expectEqual(try one.value(\Hero.name), "before")
                try expectEqual(try one.value(\Hero.bio), nil)
                try expectEqual(try two.value(\Hero.name), "b")
                try expectErrorInside(.notFound) { _ = try inner?.value(\Hero.name) }
                try transaction.write { _ in try two.set(\Hero.name, to: "after") }
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["before", "after"])
        }
    ]

    private static let refusals: [ConformanceCase] = [
        promise(.entities, "entities end with their transaction") { client in
            try await client.insert(Hero(1, "a"))
            let kept = Kept<(EntityContext, ManagedEntity)>()
            try await client.write { transaction in
                let context = try transaction.entities
                kept.keep((context, try required(context.find(Hero.self, key: 1))))
            }
            let (context, entity) = try kept.get()
            let calls: [() throws -> Void] = [
                { _ = try entity.value(\Hero.name) }, { try entity.set(\Hero.name, to: "b") },
                { _ = try entity.value("name", as: String.self) },
                { _ = try context.find(Hero.self, key: 1) }, { _ = try context.fetch(Hero.all) },
                { try context.insert(Hero(2)) }, { try context.delete(entity) },
                { try context.refresh(entity) },
            ]
            for call in calls { try expectErrorInside(.transactionEnded, call) }
            try await client.write { transaction in
                let other = try transaction.entities
                let (_, entity) = try kept.get()
                let error = try expectErrorInside(.invalidRequest) { try other.delete(entity) }
                try expectEqual(error.entity, "Hero")
                try expectErrorInside(.invalidRequest) { try other.refresh(entity) }
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "a")])
        },
        promise(.entities, "a read transaction changes no entity") { client in
            try await client.insert(Hero(1, "a"))
            try await client.read { transaction in
                let context = try transaction.entities
                let entity = try required(context.find(Hero.self, key: 1))
                try expectErrorInside(.readOnly) { try entity.set(\Hero.name, to: "b") }
                try expectErrorInside(.readOnly) { try context.delete(entity) }
                try expectErrorInside(.readOnly) { try context.insert(Hero(2)) }
                try expectEqual(try entity.value(\Hero.name), "a")
            }
        },
        promise(.entities, "a deleted entity and one whose row is gone are refused") { client in
            try await client.insert([Hero(1, "a"), Hero(2, "b")])
            try await client.write { transaction in
                let context = try transaction.entities
                let one = try required(context.find(Hero.self, key: 1))
                try context.delete(one)
                try expectErrorInside(.notFound) { _ = try one.value(\Hero.name) }
                try expectErrorInside(.notFound) { try one.set(\Hero.name, to: "c") }
                try expectEqual(try context.find(Hero.self, key: 1) == nil, true)
                try context.insert(Hero(1, "again"))
                try context.flush()
                let again = try required(context.find(Hero.self, key: 1))
                try expectEqual(try again.value(\Hero.name), "again")
                try context.delete(again)
                try context.flush()
                try transaction.insert(Hero(1, "anew"))
                try expectEqual(
                    try context.fetch(Hero.all).map { try $0.value(\Hero.name) },
                    ["anew", "b"]
                )
            }
            try await expectError(.notFound) {
                try await client.write { transaction in
                    let entity = try required(try transaction.entities.find(Hero.self, key: 2))
                    try transaction.delete(Hero.self, key: 2)
                    try entity.set(\Hero.name, to: "c")
                }
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.name), ["anew", "b"])
        },
        promise(.entities, "a new entity with a taken key or without a required field is refused") {
            client in
            try await client.insert(Hero(1, "a"))
            try await expectError(.duplicateKey) {
                try await client.write { try $0.entities.insert(Hero(1, "b")) }
            }
            try await expectError(.duplicateKey) {
                try await client.write { transaction in
                    let context = try transaction.entities
                    let known = try context.find(Hero.self, key: 1)
                    try context.insert(Hero.self, key: 1)
                    _ = known
                }
            }
            let error = try await expectError(.constraintViolation) {
                try await client.write { try $0.entities.insert(Hero.self, key: 2) }
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(error.field, "name")
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, "a")])
        },
    ]

    static func required(_ entity: ManagedEntity?) throws -> ManagedEntity {
        guard let entity else { throw ConformanceFailure("the entity is not found") }
        return entity
    }
}
