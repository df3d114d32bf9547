import DBClientCore
import Foundation

/// What cannot be stored is refused before anything is written; what does not fit is not read.
enum ValueRefusalCases {
    static let all: [ConformanceCase] = [
        promise(.values, "NaN is refused in every call that would store it") { client in
            try await client.insert(Hero(1, power: 1))
            let bad = Hero(2, power: .nan)
            try await expectError(.invalidValue) { try await client.insert(bad) }
            try await expectError(.invalidValue) { try await client.upsert(bad) }
            try await expectError(.invalidValue) { try await client.update(Hero(1, power: .nan)) }
            try await expectError(.invalidValue) {
                try await client.update(Hero.self, key: 1) { $0.set(\.power, to: .nan) }
            }
            try await expectError(.invalidValue) {
                try await client.update(Hero.all) { $0.set(\.power, to: .signalingNaN) }
            }
            try expectEqual(try await client.findAll(Hero.self), [Hero(1, power: 1)])
        },
        promise(.values, "NaN is refused in floats, optionals and JSON") { client in
            var float = EveryType(1)
            float.float = .nan
            try await expectError(.invalidValue) { try await client.insert(float) }
            var optional = EveryType(1)
            optional.optionalDouble = .nan
            try await expectError(.invalidValue) { try await client.insert(optional) }
            let list = Measured(1, [1, .nan])
            try await expectError(.invalidValue) { try await client.insert(list) }
            let error = try await expectError(.invalidValue) {
                try await client.insert(Ledger(1, amounts: [1, .nan]))
            }
            try expectEqual(error.field, "amounts")
            try expectEqual(try await client.count(Ledger.all), 0)
            try expectEqual(try await client.count(EveryType.all), 0)
        },
        promise(.values, "a value nested more than 64 deep is refused") { client in
            // A tree's level is an object in a list in an object.
            try await client.insert(Ledger(1, tree: .nested(15)))
            try expectEqual(try await client.find(Ledger.self, key: 1)?.tree, .nested(15))
            for depth in [40, 300] {
                let error = try await expectError(.invalidValue) {
                    try await client.insert(Ledger(2, tree: .nested(depth)))
                }
                try expectEqual(error.field, "tree")
            }
            try expectEqual(try await client.count(Ledger.all), 1)
        },
        promise(.values, "a refused value names its entity and its field") { client in
            let error = try await expectError(.invalidValue) {
                try await client.insert(Hero(1, power: .nan))
            }
            try expectEqual(error.entity, "Hero")
            try expectEqual(error.field, "power")
        },
        promise(.values, "one refused value undoes its whole batch") { client in
            let batch = [Hero(1), Hero(2), Hero(3, power: .nan), Hero(4)]
            try await expectError(.invalidValue) { try await client.insert(batch) }
            try await expectError(.invalidValue) { try await client.upsert(batch) }
            try expectEqual(try await client.count(Hero.all), 0)
        },
        promise(.values, "an unsigned integer over Int64.max is refused") { client in
            var value = EveryType(1)
            value.uint64 = UInt64(Int64.max) + 1
            try await expectError(.invalidValue) { try await client.insert(value) }
            value.uint64 = 0
            value.optionalUint = .max
            try await expectError(.invalidValue) { try await client.insert(value) }
            try expectEqual(try await client.count(EveryType.all), 0)
        },
        promise(.values, "a date that is not finite or out of range is refused") { client in
            for seconds in [Double.infinity, -.infinity, .nan, -210_866_803_201, 9_223_372_036_855]
            {
                let hero = Hero(1, createdAt: Date(timeIntervalSince1970: seconds))
                try await expectError(.invalidValue) { try await client.insert(hero) }
            }
            try expectEqual(try await client.count(Hero.all), 0)
        },
        promise(.values, "a decimal that is NaN or has 39 digits is refused") { client in
            let long = Decimal(string: "123456789012345678901234567890123456789") ?? .nan
            for decimal in [Decimal.nan, long] {
                var value = EveryType(1)
                value.decimal = decimal
                try await expectError(.invalidValue) { try await client.insert(value) }
                var optional = EveryType(1)
                optional.optionalDecimal = decimal
                try await expectError(.invalidValue) { try await client.insert(optional) }
            }
            try expectEqual(try await client.count(EveryType.all), 0)
        },
        promise(.values, "text with NUL is refused wherever it would be stored") { client in
            let bad = "a\0b"
            try await client.insert(Hero(1, "a"))
            try await expectError(.invalidValue) { try await client.insert(Hero(2, bad)) }
            try await expectError(.invalidValue) { try await client.insert(Hero(2, bio: bad)) }
            try await expectError(.invalidValue) { try await client.update(Hero(1, bad)) }
            try await expectError(.invalidValue) { try await client.upsert(Hero(1, bad)) }
            try await expectError(.invalidValue) {
                try await client.update(Hero.self, key: 1) { $0.set(\.bio, to: bad) }
            }
            try await expectError(.invalidValue) { try await client.insert(TextKeyed(bad)) }
            try expectSame(try await client.findAll(Hero.self), [Hero(1, "a")])
        },
        promise(.values, "text with NUL is refused inside lists, objects and embedded values") {
            client in
            let bad = "\0"
            var tags = EveryType(1)
            tags.tags = ["a", bad]
            var scores = EveryType(1)
            scores.scores = [bad: 1]
            var origin = EveryType(1)
            origin.origin.planet = bad
            var place = EveryType(1)
            place.optionalPlace = Place(bad)
            for value in [tags, scores, origin, place] {
                try await expectError(.invalidValue) { try await client.insert(value) }
            }
            try expectEqual(try await client.count(EveryType.all), 0)
        },
        promise(.values, "a stored value that no case of an enum has is a decoding error") {
            client in
            try await client.insert([
                Stranger(1), Stranger(2, mood: "bored"), Stranger(3, level: 7),
            ])
            try expectEqual(try await client.find(Knower.self, key: 1)?.mood, .calm)
            let mood = try await expectError(.decoding) {
                _ = try await client.find(Knower.self, key: 2)
            }
            try expectEqual(mood.entity, "Acquaintance")
            try expectEqual(mood.field, "mood")
            let level = try await expectError(.decoding) {
                _ = try await client.findAll(Knower.self)
            }
            try expectEqual(level.entity, "Acquaintance")
            let third = try await expectError(.decoding) {
                _ = try await client.fetch(Knower.where { $0.id == 3 })
            }
            try expectEqual(third.field, "level")
        },
        promise(.values, "stored JSON of another shape is a decoding error") { client in
            try await client.insert(Stranger(1, origin: ["star": "Sol"]))
            let error = try await expectError(.decoding) {
                _ = try await client.find(Knower.self, key: 1)
            }
            try expectEqual(error.field, "origin")
        },
    ]
}
