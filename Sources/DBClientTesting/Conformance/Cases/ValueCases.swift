import DBClientCore
import Foundation

/// Values of every type, which must be read as they were written.
enum ValueCases {
    static let all: [ConformanceCase] = [
        promise(.values, "every type comes back as it was given") { client in
            let value = EveryType.full(1)
            try await client.insert(value)
            let found = try await client.find(EveryType.self, key: 1)
            try expectSame(found, value)
            try expectEqual(found, value)
        },
        promise(.values, "an absent value of every type comes back absent") { client in
            let value = EveryType(1)
            try await client.insert(value)
            let found = try await client.find(EveryType.self, key: 1)
            try expectSame(found, value)
            try expectEqual(found, value)
        },
        promise(.values, "every type comes back after an update and an upsert") { client in
            try await client.insert([EveryType(1), EveryType(2)])
            try await client.update(EveryType.full(1))
            try await client.upsert([EveryType.full(2), EveryType.full(3)])
            try expectSame(
                try await client.findAll(EveryType.self),
                [EveryType.full(1), EveryType.full(2), EveryType.full(3)]
            )
        },
        promise(.values, "the extremes of every integer come back") { client in
            var low = EveryType(1)
            (low.int8, low.int16, low.int32, low.int64) = (.min, .min, .min, .min)
            (low.optionalUint8, low.optionalUint64) = (.min, .min)
            var high = EveryType(.max)
            (high.int8, high.int16, high.int32, high.int64) = (.max, .max, .max, .max)
            (high.uint8, high.uint16, high.uint32) = (.max, .max, .max)
            (high.uint64, high.uint) = (UInt64(Int64.max), UInt(Int64.max))
            try await client.insert([low, high])
            try expectEqual(try await client.findAll(EveryType.self), [low, high])
        },
        promise(.values, "unsigned integers of the whole range keep their order when asked to") {
            client in
            let values: [UInt64] = [.max, 0, 1 << 63, 1, (1 << 63) - 1, .max - 1]
            try await client.insert(values.map { OffsetKeyed(OffsetUInt64($0), "\($0)") })
            let all = try await client.findAll(OffsetKeyed.self)
            try expectEqual(all.map(\.id.value), values.sorted())
            try expectEqual(
                try await client.find(OffsetKeyed.self, key: OffsetUInt64(.max))?.note,
                "\(UInt64.max)"
            )
            let large = OffsetKeyed.where { $0.id > OffsetUInt64(UInt64(Int64.max)) }
            try expectEqual(try await client.count(large), 3)
            try expectEqual(try await client.min(\.id, of: OffsetKeyed.all), 0)
            try expectEqual(try await client.max(\.id, of: OffsetKeyed.all)?.value, .max)
        },
        promise(.values, "what writes return of JSON is what is stored") { client in
            let given = Ledger(1, dates: [Date(timeIntervalSince1970: 1.000_000_3)])
            let stored = Ledger(1, dates: [Date(timeIntervalSince1970: 1)])
            try expectEqual(try await client.insert(given), stored)
            try expectEqual(try await client.upsert([given]).updated, [stored])
            try expectEqual(try await client.updateExisting([given]), [stored])
            try expectEqual(try await client.find(Ledger.self, key: 1), stored)
        },
        promise(.values, "a negative zero in a list is zero") { client in
            let returned = try await client.insert(Measured(1, [-0.0, 1e-5, -0.5, -10]))
            try expectEqual(returned.values.map(\.sign), [.plus, .plus, .minus, .minus])
            let found = try await client.find(Measured.self, key: 1)
            try expectEqual(found?.values.map(\.sign), [.plus, .plus, .minus, .minus])
            try expectEqual(found?.values, [0, 1e-5, -0.5, -10])
            for zero in [0.0, -0.0] {
                let holders = Measured.where { $0.values.contains(zero) }
                try expectEqual(try await client.count(holders), 1)
            }
        },
        promise(.values, "integers past 2^53 stay exact") { client in
            var value = EveryType(1)
            value.int64 = (1 << 53) + 1
            try await client.insert(value)
            let request = EveryType.where { $0.int64 == (1 << 53) + 1 }
            try expectEqual(try await client.count(request), 1)
            try expectEqual(try await client.count(EveryType.where { $0.int64 == 1 << 53 }), 0)
        },
        promise(.values, "doubles come back bit by bit") { client in
            let doubles: [Double] = [
                .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0.1 + 0.2,
                -.pi, 1e308, 9_007_199_254_740_992,
            ]
            try await client.insert(doubles.enumerated().map { Hero($0.0, power: $0.1) })
            let found = try await client.fetch(Hero.all).map(\.power.bitPattern)
            try expectEqual(found, doubles.map(\.bitPattern))
        },
        promise(.values, "infinities are kept and sort at the ends") { client in
            try await client.insert([
                Hero(1, power: .infinity), Hero(2, power: -.infinity), Hero(3, power: 0),
            ])
            let sorted = try await client.fetch(Hero.all.sorted { $0.power })
            try expectEqual(sorted.map(\.power), [-.infinity, 0, .infinity])
            try expectEqual(try await client.count(Hero.where { $0.power == .infinity }), 1)
        },
        promise(.values, "negative zero is stored as zero") { client in
            let stored = try await client.insert(Hero(1, power: -0.0))
            try expectEqual(stored.power.sign, .plus)
            let found = try await client.find(Hero.self, key: 1)
            try expectEqual(found?.power.sign, .plus)
            try expectEqual(try await client.count(Hero.where { $0.power == -0.0 }), 1)
            try await client.update(Hero.self, key: 1) { $0.set(\.power, to: -0.0) }
            try expectEqual(try await client.find(Hero.self, key: 1)?.power.sign, .plus)
        },
        promise(.values, "floats are exact both ways") { client in
            let floats: [Float] = [
                0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.pi, .infinity,
            ]
            for (id, float) in floats.enumerated() {
                var value = EveryType(id)
                value.float = float
                try await client.insert(value)
            }
            try expectEqual(try await client.findAll(EveryType.self).map(\.float), floats)
            try expectEqual(try await client.count(EveryType.where { $0.float == 0.1 }), 1)
        },
        promise(.values, "dates are rounded to microseconds, and insert returns them so") {
            client in
            let given = Date(timeIntervalSince1970: 1_700_000_000.123_456_7)
            let rounded = Date(microsecondsSince1970: 1_700_000_000_123_457)
            let stored = try await client.insert(Hero(1, createdAt: given))
            try expectEqual(stored.createdAt, rounded)
            try expectEqual(try await client.find(Hero.self, key: 1)?.createdAt, rounded)
            let outcome = try await client.upsert(Hero(1, createdAt: given))
            try expectEqual(outcome.value.createdAt, rounded)
        },
        promise(.values, "a URL with a base is stored whole, and insert returns it so") { client in
            var given = EveryType(1)
            guard let base = URL(string: "https://example.org/a/"),
                let relative = URL(string: "b?c=d", relativeTo: base),
                let whole = URL(string: "https://example.org/a/b?c=d")
            else { throw ConformanceFailure("the URLs cannot be made") }
            given.url = relative
            given.optionalUrl = relative
            for stored in [
                try await client.insert(given), try await client.upsert(given).value,
                try await client.updateExisting([given])[0],
            ] {
                try expectEqual(stored.url, whole)
                try expectEqual(stored.optionalUrl, whole)
                try expectEqual(stored, try await client.find(EveryType.self, key: 1))
            }
            try expectEqual(try await client.count(EveryType.where { $0.url == relative }), 1)
        },
        promise(.values, "what is returned of many is what is stored, each in its place") {
            client in
            func hero(_ id: Int, _ name: String) -> Hero {
                Hero(id, name, createdAt: Date(timeIntervalSince1970: Double(id) + 0.000_000_4))
            }
            let inserted = try await client.insert((1...40).map { hero($0, "first") })
            try expectEqual(inserted, try await client.findAll(Hero.self))
            let later = (21...60).reversed().map { hero($0, "second") } + [hero(30, "last")]
            let outcome = try await client.upsert(later)
            let stored = try await client.findAll(Hero.self)
            try expectEqual(outcome.inserted.map(\.id), Array((41...60).reversed()))
            try expectEqual(
                outcome.updated.map(\.id),
                (21...40).reversed().filter { $0 != 30 } + [30]
            )
            for hero in outcome.inserted + outcome.updated {
                try expectEqual(hero, stored[hero.id - 1])
            }
            try expectEqual(stored[29].name, "last")
            let known = try await client.updateExisting([hero(61, "none"), hero(7, "third")])
            try expectEqual(known, try await client.find(Hero.self, keys: [7]))
            let keys = try await client.upsert((61...64).map { hero($0, "new") }).inserted
            try expectEqual(keys, Array(try await client.findAll(Hero.self).suffix(4)))
        },
        promise(.values, "dates are equal after rounding") { client in
            let given = Date(timeIntervalSince1970: 1_700_000_000.123_456_7)
            try await client.insert(Hero(1, createdAt: given))
            let near = Date(timeIntervalSince1970: 1_700_000_000.123_456_9)
            try expectEqual(try await client.count(Hero.where { $0.createdAt == near }), 1)
            try expectEqual(try await client.count(Hero.where { $0.createdAt < near }), 0)
        },
        promise(.values, "dates from 4714 BC to 294246 AD are kept and ordered") { client in
            let dates = [
                Date(timeIntervalSince1970: -210_866_803_200), .distantPast,
                Date(timeIntervalSince1970: -0.000_001), Date(timeIntervalSince1970: 0),
                .distantFuture, Date(timeIntervalSince1970: 9_223_371_331_200),
            ]
            try await client.insert(
                dates.enumerated().reversed().map { Hero($0.offset, createdAt: $0.element) }
            )
            let sorted = try await client.fetch(Hero.all.sorted { $0.createdAt })
            try expectEqual(sorted.map(\.id), Array(dates.indices))
            try expectEqual(sorted.map(\.createdAt), dates)
        },
        promise(.values, "decimals keep their value and not their scale") { client in
            var value = EveryType(1)
            value.decimal = Decimal(sign: .plus, exponent: -3, significand: 1_500)
            try await client.insert(value)
            let half = Decimal(sign: .plus, exponent: -1, significand: 15)
            try expectEqual(try await client.find(EveryType.self, key: 1)?.decimal, half)
            try expectEqual(try await client.count(EveryType.where { $0.decimal == half }), 1)
        },
        promise(.values, "decimals of 38 digits come back and sort as numbers") { client in
            let texts = [
                "-99999999999999999999999999999999999999", "-10", "-9.5", "-0.001", "0", "0.0001",
                "0.01", "9", "10", "12345678901234567890.123456789012345678",
                "99999999999999999999999999999999999999",
            ]
            let decimals = texts.compactMap { Decimal(string: $0) }
            for (id, decimal) in decimals.enumerated().reversed() {
                var value = EveryType(id)
                value.decimal = decimal
                try await client.insert(value)
            }
            let sorted = try await client.fetch(EveryType.all.sorted { $0.decimal })
            try expectEqual(sorted.map(\.decimal), decimals)
        },
        promise(.values, "empty data, text and lists are not nil") { client in
            var value = EveryType(1)
            value.optionalData = Data()
            value.optionalText = ""
            value.optionalTags = []
            value.optionalScores = [:]
            try await client.insert([value, EveryType(2)])
            try expectEqual(try await client.find(EveryType.self, key: 1), value)
            for request in [
                EveryType.where { $0.optionalData == nil },
                EveryType.where { $0.optionalText == nil },
                EveryType.where { $0.optionalTags == nil },
                EveryType.where { $0.optionalScores == nil },
            ] {
                try expectEqual(try await client.fetch(request).map(\.id), [2])
            }
        },
        promise(.values, "an embedded value of nothing but nil is not an absent one") { client in
            var value = EveryType(1)
            value.optionalPlace = Place("")
            try await client.insert([value, EveryType(2)])
            let found = try await client.findAll(EveryType.self)
            try expectEqual(found.map(\.optionalPlace), [Place(""), nil])
        },
        promise(.values, "text that looks like a number stays text") { client in
            try await client.insert([
                Hero(1, "007"), Hero(2, "7"), Hero(3, "1e3"), Hero(4, "0x10"), Hero(5, " 7 "),
            ])
            let names = try await client.findAll(Hero.self).map(\.name)
            try expectEqual(names, ["007", "7", "1e3", "0x10", " 7 "])
            try expectEqual(try await client.count(Hero.where { $0.name == "7" }), 1)
        },
        promise(.values, "composed and decomposed letters are different texts") { client in
            try await client.insert([Hero(1, "caf\u{E9}"), Hero(2, "cafe\u{301}")])
            let names = try await client.findAll(Hero.self).map(\.name)
            try expectSameText(names, ["caf\u{E9}", "cafe\u{301}"])
            let composed = try await client.fetch(Hero.where { $0.name == "caf\u{E9}" })
            try expectEqual(composed.map(\.id), [1])
            let decomposed = try await client.fetch(Hero.where { $0.name == "cafe\u{301}" })
            try expectEqual(decomposed.map(\.id), [2])
        },
    ]
}
