import DBClientCore

/// Models that are malformed, or do not fit what is stored.
enum SchemaCases {
    static let all: [ConformanceCase] = [
        refusing("no primary key", NoKey.self),
        refusing("an optional primary key", OptionalKey.self),
        refusing("a list as primary key", ListKey.self),
        refusing("two fields of one name", TwiceNamed.self),
        refusing("two fields whose names differ in case alone", CaseNamed.self),
        refusing("an entity name of nothing", EmptyName.self),
        refusing("an entity name with NUL", NULName.self),
        refusing("an entity name of 64 bytes", LongName.self),
        refusing("a field name of nothing", EmptyField.self),
        refusing("a field name of 64 bytes", LongField.self),
        refusing("an index on a list", ListIndex.self),
        refusing("an index on a property that is not stored", UnknownIndex.self),
        refusing("a generated key of two fields", GeneratedPair.self),
        refusing("an index of 33 fields", WideIndex.self),
        refusing("a primary key of 33 fields", WideKey.self),
        promise(.schemas, "what is wrong with an index is told by entity and field") { client in
            let error = try await expectError(.invalidSchema) {
                try await client.insert(Loose<WideIndex>(1))
            }
            try expectEqual(error.entity, "Loose")
            try expectEqual(error.field, "other")
        },
        promise(.schemas, "a model that writes too few fields is refused") { client in
            try await expectError(.invalidSchema) { try await client.insert(Loose<Few>(1)) }
            try expectEqual(try await client.count(Loose<Few>.all), 0)
        },
        promise(.schemas, "a model that writes too many fields is refused") { client in
            try await expectError(.invalidSchema) { try await client.insert(Loose<Many>(1)) }
            try expectEqual(try await client.count(Loose<Many>.all), 0)
        },
        promise(.schemas, "a model that reads too many fields is refused") { client in
            try await client.insert(Loose<Fitting>(1))
            try await expectError(.invalidSchema) {
                _ = try await client.findAll(Loose<Greedy>.self)
            }
            try await expectError(.invalidSchema) {
                _ = try await client.findAll(Loose<Wishful>.self)
            }
        },
        promise(.schemas, "a stored field of another type is a mismatch") { client in
            try await client.insert(Hero(1))
            let error = try await expectError(.schemaMismatch) {
                _ = try await client.findAll(OtherHero.self)
            }
            try expectEqual(error.entity, "Hero")
            try await expectError(.schemaMismatch) {
                try await client.insert(OtherHero(id: 2, name: 5))
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
        promise(.schemas, "two models of one shape share an entity") { client in
            try await client.insert(Stranger(1, mood: "angry", level: 1))
            let known = try await client.find(Knower.self, key: 1)
            try expectEqual(known?.mood, .angry)
            try expectEqual(known?.level, .high)
            try expectEqual(known?.origin.planet, "Earth")
        },
        promise(
            .schemas,
            "a unique index of one model is kept by every model of its entity",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([FormerAccount(1, email: "a"), FormerAccount(2, email: "b")])
            try await client.insert(Account(3, email: "c", tenant: "t3", login: "l"))
            for email in ["a", "b", "c"] {
                try await expectError(.uniqueViolation) {
                    try await client.insert(Account(4, email: email, tenant: "t4"))
                }
                try await expectError(.uniqueViolation) {
                    try await client.insert(FormerAccount(4, email: email))
                }
            }
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(4, tenant: "t3", login: "l"))
            }
            try await client.delete(FormerAccount.self, key: 1)
            try await client.insert(Account(4, email: "a", tenant: "t4"))
            try expectEqual(try await client.findAll(Account.self).map(\.id), [2, 3, 4])
        },
        promise(
            .schemas,
            "a unique index that equal values keep from being made leaves all as it was",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert([FormerAccount(1, email: "a"), FormerAccount(2, email: "a")])
            for _ in 0..<2 {
                try await expectError(.uniqueViolation) {
                    try await client.insert(Account(3, email: "c", tenant: "t3"))
                }
            }
            try await client.insert(FormerAccount(3, email: "a"))
            try expectEqual(try await client.findAll(FormerAccount.self).map(\.id), [1, 2, 3])
            try await client.delete(FormerAccount.self, keys: [1, 3])
            try await client.insert(Account(4, email: "c", tenant: "t4"))
            try await expectError(.uniqueViolation) {
                try await client.insert(FormerAccount(5, email: "a"))
            }
            try expectEqual(try await client.findAll(Account.self).map(\.id), [2, 4])
        },
        promise(.schemas, "entity names that differ in form are different entities") { client in
            try await client.insert(Loose<Composed>(1, 1))
            try await client.insert(Loose<Decomposed>(1, 2))
            try expectEqual(try await client.findAll(Loose<Composed>.self).map(\.other), [1])
            try expectEqual(try await client.findAll(Loose<Decomposed>.self).map(\.other), [2])
        },
        promise(
            .schemas,
            "a transaction goes on after an index that could not be made",
            requires: [.uniqueIndexes, .savepoints]
        ) { client in
            try await client.insert([Loose<Fitting>(1, 5), Loose<Fitting>(2, 5)])
            try await client.write { transaction in
                try expectErrorInside(.uniqueViolation) {
                    try transaction.insert(Loose<TwiceIndexed>(3, 6))
                }
                do {
                    try transaction.write { nested in
                        try nested.insert(Loose<Fitting>(4, 5))
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
                try transaction.insert(Loose<Fitting>(4, 7))
            }
            try expectEqual(try await client.findAll(Loose<Fitting>.self).map(\.id), [1, 2, 4])
            try await client.delete(Loose<Fitting>.self, key: 2)
            try await client.insert(Loose<TwiceIndexed>(3, 6))
            try await expectError(.uniqueViolation) {
                try await client.insert(Loose<TwiceIndexed>(8, 6))
            }
        },
        promise(.schemas, "a name that another entity has in another case is refused") { client in
            try await client.insert(Loose<Upper>(1, 1))
            for _ in 0..<2 {
                try await expectError(.schemaMismatch) {
                    _ = try await client.findAll(Loose<Lower>.self)
                }
                try await expectError(.schemaMismatch) {
                    try await client.insert(Loose<Lower>(1, 2))
                }
            }
            try expectEqual(try await client.findAll(Loose<Upper>.self).map(\.other), [1])
        },
    ]

    private static func refusing<Shape: LooseShape>(
        _ name: String,
        _ shape: Shape.Type
    ) -> ConformanceCase {
        promise(.schemas, "\(name) is refused by every call") { client in
            typealias Model = Loose<Shape>
            try await expectError(.invalidSchema) { try await client.insert(Model(1)) }
            try await expectError(.invalidSchema) { try await client.upsert([Model(1)]) }
            try await expectError(.invalidSchema) { try await client.update(Model(1)) }
            try await expectError(.invalidSchema) { _ = try await client.find(Model.self, key: 1) }
            try await expectError(.invalidSchema) { _ = try await client.fetch(Model.all) }
            try await expectError(.invalidSchema) { _ = try await client.count(Model.all) }
            try await expectError(.invalidSchema) { try await client.deleteAll(Model.self) }
            try await expectError(.invalidSchema) { try await client.delete(Model.self, key: 1) }
            try await expectError(.invalidSchema) {
                try await client.update(Model.all) { $0.set(\.other, to: 1) }
            }
            // The client still works with other models.
            try await client.insert(Hero(1))
        }
    }
}
