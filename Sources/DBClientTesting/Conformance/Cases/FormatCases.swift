import DBClientCore
import Foundation

/// Fields that say how columns keep them: they round alike on every engine, and mean what they always do.
enum FormatCases {
    static let all: [ConformanceCase] = [
        promise(.values, "a format rounds what its column does not keep") { client in
            for (number, (given, kept)) in rounded.enumerated() {
                var value = Formatted(number, at: given)
                value.upper = FormatKeyed.key(1)
                value.lower = FormatKeyed.key(2)
                let returned = try await client.insert(value)
                try expectEqual(returned.dates, kept, "\(given)")
                try expectEqual(returned.lower, FormatKeyed.key(2))
                try expectEqual(try await client.find(Formatted.self, key: number), returned)
            }
        },
        promise(.values, "amounts in a format are rounded half away from zero") { client in
            let amounts: [(given: String, cents: String, real: String)] = [
                ("12.345", "12.35", "12.345"), ("-12.345", "-12.35", "-12.345"), ("0", "0", "0"),
                ("0.1", "0.1", "0.1"),
                ("92233720368547758.07", "92233720368547758.07", "9.223372036854776e16"),
                ("1234567890.12345678901", "1234567890.12", "1234567890.1234567"),
            ]
            for (id, amount) in amounts.enumerated() {
                var value = Formatted(id)
                value.digits = Decimal(string: amount.given)
                value.cents = value.digits
                value.real = value.digits
                let stored = try await client.insert(value)
                try expectEqual(stored.digits, Decimal(string: amount.given))
                try expectEqual(stored.cents, Decimal(string: amount.cents))
                try expectEqual(stored.real, Decimal(string: amount.real))
                try expectEqual(try await client.find(Formatted.self, key: id), stored)
            }
        },
        promise(.values, "a format rounds in every call that writes") { client in
            let (given, kept) = rounded[0]
            try expectEqual(
                try await client.upsert([Formatted(1, at: given)]).inserted[0].dates,
                kept
            )
            try expectEqual(
                try await client.updateExisting([Formatted(1, at: given)])[0].dates,
                kept
            )
            try await client.update(Formatted(1))
            try await client.update(Formatted.self, key: 1) { $0.set(\.iso, to: given) }
            try await client.update(Formatted.where { $0.id == 1 }) { $0.set(\.day, to: given) }
            try await client.update(Formatted.all) {
                $0.modify(\.dateTime) { $0 = given }
            }
            try await expectError(.invalidValue) {
                try await client.update(Formatted.all) {
                    $0.modify(\.cents) { $0 = Decimal(sign: .plus, exponent: 30, significand: 1) }
                }
            }
            let entity = Formatted.schema.entity
            let named: [String: DynamicValue] = [
                "seconds": .date(given), "milliseconds": .date(given),
            ]
            try await client.update(entity, key: [1], set: named)
            let found = try await client.find(Formatted.self, key: 1)
            try expectEqual(
                found?.dates,
                [kept[0], nil, kept[2], kept[3], kept[4], kept[5], nil, nil, nil]
            )
        },
        promise(.values, "an absent value of a format stays absent") { client in
            try expectEqual(try await client.insert(Formatted(1)), Formatted(1))
            try expectEqual(try await client.find(Formatted.self, key: 1), Formatted(1))
            try expectEqual(try await client.count(Formatted.where { $0.iso == nil }), 1)
            try expectEqual(try await client.count(Formatted.where { $0.cents == nil }), 1)
        },
        promise(.values, "what identifies a row is refused where its format would round it") {
            client in
            let half = Date(timeIntervalSince1970: 0.5)
            for value in [FormatKeyed(1, moment: half), FormatKeyed(1, price: 0.001)] {
                try await expectError(.invalidValue) { try await client.insert(value) }
                try await expectError(.invalidValue) { try await client.upsert(value) }
            }
            let error = try await expectError(.invalidValue) {
                try await client.insert(DayKeyed(day: half, note: ""))
            }
            try expectEqual(error.field, "day")
            try await client.insert(DayKeyed(day: Date(timeIntervalSince1970: 86_400), note: "a"))
            try expectEqual(try await client.count(FormatKeyed.all), 0)
            try expectEqual(try await client.count(DayKeyed.all), 1)
        },
        promise(.values, "what a format has no room for is refused") { client in
            var value = Formatted(1)
            value.cents = Decimal(string: "92233720368547758.08")
            let error = try await expectError(.invalidValue) { try await client.insert(value) }
            try expectEqual(error.field, "cents")
            try await client.insert(Formatted(1))
            try await expectError(.invalidValue) {
                try await client.update(Formatted.self, key: 1) {
                    $0.set(\.cents, to: Decimal(string: "1e30"))
                }
            }
        },
        promise(.conditions, "a format does not change what a condition means") { client in
            let dates = [
                -86_400.25, -0.001, 0, 0.5, 1, 86_399.999, 253_402_300_800, -62_200_000_000,
            ]
            .map { Date(timeIntervalSince1970: $0) }
            let stored = try await client.insert(
                dates.enumerated().map { Formatted($0.offset, at: $0.element) }
            )
            for field in Formatted.dateFields {
                for bound in dates + stored.compactMap({ $0[keyPath: field] }) {
                    func ids(_ comparison: (Date, Date) -> Bool) -> [Int] {
                        stored.filter { comparison($0[keyPath: field] ?? bound, bound) }.map(\.id)
                    }
                    let requests = [
                        (Formatted.where { $0[dynamicMember: field] == bound }, ids(==)),
                        (Formatted.where { $0[dynamicMember: field] != bound }, ids(!=)),
                        (Formatted.where { $0[dynamicMember: field] < bound }, ids(<)),
                        (Formatted.where { $0[dynamicMember: field] <= bound }, ids(<=)),
                        (Formatted.where { $0[dynamicMember: field] > bound }, ids(>)),
                        (Formatted.where { $0[dynamicMember: field] >= bound }, ids(>=)),
                        (
                            Formatted.where { $0[dynamicMember: field].isIn([bound, dates[2]]) },
                            ids { $0 == $1 || $0 == dates[2] }
                        ),
                    ]
                    for (request, expected) in requests {
                        let found = try await client.fetch(request)
                        try expectEqual(found.map(\.id).sorted(), expected, "\(field) \(bound)")
                    }
                }
            }
        },
        promise(.ordering, "values of a format are ordered as values, not as texts") { client in
            let dates = [0, 253_402_300_800, -62_200_000_000, 1, -1]
                .map { Date(timeIntervalSince1970: $0) }
            var values = dates.enumerated().map { Formatted($0.offset, at: $0.element) }
            let amounts: [Decimal] = [9, 10, -1, 100, -2.5]
            for (index, amount) in amounts.enumerated() {
                (values[index].digits, values[index].real, values[index].cents) =
                    (amount, amount, amount)
                values[index].answer = index == 0
            }
            try await client.insert(values)
            for field in Formatted.dateFields {
                let request = Formatted.all.sorted { [$0[dynamicMember: field], $0.id] }
                let expected = values.sorted {
                    let order = ($0[keyPath: field], $1[keyPath: field])
                    let rounded = (order.0.map(Self.day), order.1.map(Self.day))
                    let (left, right) = field == \.day ? rounded : order
                    return (left ?? .distantPast, $0.id) < (right ?? .distantPast, $1.id)
                }
                try expectEqual(try await client.fetch(request).map(\.id), expected.map(\.id))
            }
            for field in [\Formatted.digits, \.real, \.cents]
                as [any KeyPath<Formatted, Decimal?> & Sendable]
            {
                let request = Formatted.all.sorted { $0[dynamicMember: field] }
                try expectEqual(try await client.fetch(request).map(\.id), [4, 2, 0, 1, 3])
                try expectEqual(try await client.sum(field, of: Formatted.all), 115.5)
                try expectEqual(try await client.max(field, of: Formatted.all), 100)
                try expectEqual(try await client.average(field, of: Formatted.all), 23.1)
            }
            try expectEqual(try await client.distinct(\.answer, of: Formatted.all), [false, true])
            try expectEqual(try await client.min(\.seconds, of: Formatted.all), dates[2])
        },
        promise(.conditions, "a constant between two units of a format equals none") { client in
            var value = Formatted(1, at: Date(timeIntervalSince1970: 2))
            value.cents = 1.25
            try await client.insert(value)
            let between = Formatted.where {
                $0.cents < 1.255 && $0.cents > 1.245 && $0.cents != 1.255
            }
            try expectEqual(try await client.count(between), 1)
            try expectEqual(try await client.count(Formatted.where { $0.cents == 1.255 }), 0)
            try expectEqual(
                try await client.count(Formatted.where { $0.cents.isIn([1.255, 3]) }),
                0
            )
            try expectEqual(
                try await client.count(
                    Formatted.where {
                        $0.cents > Decimal(sign: .minus, exponent: 40, significand: 1)
                    }
                ),
                1
            )
            try expectEqual(
                try await client.count(
                    Formatted.where {
                        $0.cents < Decimal(sign: .plus, exponent: 40, significand: 1)
                    }
                ),
                1
            )
            let early = Date(timeIntervalSince1970: 1.5)
            try expectEqual(try await client.count(Formatted.where { $0.seconds > early }), 1)
            try expectEqual(try await client.count(Formatted.where { $0.seconds == early }), 0)
        },
        promise(.conditions, "constants beside the units of a format are compared exactly") {
            client in
            let units: [Int64] = [
                .min, -9_007_199_254_740_993, -125, 0, 125, 9_007_199_254_740_993, .max,
            ]
            let stored = units.map { Decimal($0) / 100 }
            try await client.insert(
                stored.enumerated().map { index, cents in
                    var value = Formatted(index)
                    value.cents = cents
                    return value
                }
            )
            let half = Decimal(sign: .plus, exponent: -3, significand: 5)
            for bound in stored.flatMap({ [$0, $0 + half, $0 - half] }) {
                func ids(_ comparison: (Decimal, Decimal) -> Bool) -> [Int] {
                    stored.indices.filter { comparison(stored[$0], bound) }
                }
                for (request, expected) in [
                    (Formatted.where { $0.cents == bound }, ids(==)),
                    (Formatted.where { $0.cents != bound }, ids(!=)),
                    (Formatted.where { $0.cents < bound }, ids(<)),
                    (Formatted.where { $0.cents <= bound }, ids(<=)),
                    (Formatted.where { $0.cents > bound }, ids(>)),
                    (Formatted.where { $0.cents >= bound }, ids(>=)),
                    (Formatted.where { $0.cents.isIn([bound]) }, ids(==)),
                ] {
                    let found = try await client.fetch(request.sorted { $0.id }).map(\.id)
                    try expectEqual(found, expected, "\(bound)")
                }
            }
        },
        promise(.keys, "a key that a format would round is that of no row") { client in
            let half = Date(timeIntervalSince1970: 0.5)
            try await client.insert(DayKeyed(day: Date(timeIntervalSince1970: 0), note: "a"))
            try expectEqual(try await client.find(DayKeyed.self, key: half), nil)
            try expectEqual(try await client.delete(DayKeyed.self, keys: [half]), 0)
            try expectEqual(try await client.count(DayKeyed.where { $0.day == half }), 0)
        },
        promise(.conditions, "lists and texts in a format are looked into") { client in
            var value = Formatted(1)
            (value.words, value.flag, value.answer) = (["a", "é"], true, false)
            try await client.insert([value, Formatted(2)])
            try expectEqual(try await client.find(Formatted.self, key: 1), value)
            try expectEqual(
                try await client.fetch(Formatted.where { $0.words.contains("é") }),
                [value]
            )
            try expectEqual(try await client.count(Formatted.where { $0.words.count == 2 }), 1)
            try expectEqual(try await client.count(Formatted.where { $0.flag == true }), 1)
            try expectEqual(try await client.count(Formatted.where { $0.answer == false }), 1)
            try expectEqual(try await client.count(Formatted.where { $0.answer != true }), 2)
        },
        promise(.keys, "keys and references may have a format") { client in
            let one = FormatKeyed(1, moment: Date(timeIntervalSince1970: 7), price: 9.99)
            let two = FormatKeyed(2)
            try await client.insert([FormatHolder(1, one, many: [two, one]), FormatHolder(2)])
            try expectEqual(try await client.find(FormatKeyed.self, key: FormatKeyed.key(1)), one)
            try expectEqual(
                try await client.find(FormatHolder.self, key: 1),
                FormatHolder(1, one, many: [two, one])
            )
            let holders = FormatHolder.where { $0.one.price > 9 }
            try expectEqual(try await client.fetch(holders).map(\.id), [1])
            let lists = FormatHolder.where { $0.many.contains { $0.price == 9.99 } }
            try expectEqual(try await client.fetch(lists).map(\.id), [1])
            try expectEqual(
                try await client.find(FormatKeyed.self, keys: [two.id, UUID(), one.id]),
                [two, one]
            )
            try await expectError(.duplicateKey) { try await client.insert(FormatKeyed(1)) }
            try await expectError(.uniqueViolation) {
                try await client.insert(FormatKeyed(3, price: 9.99))
            }
            try expectEqual(try await client.upsert([FormatKeyed(2, price: 1)]).updated.count, 1)
            try expectEqual(try await client.delete(FormatHolder.self, key: 1), true)
            try expectEqual(try await client.delete(FormatKeyed.self, keys: [one.id, two.id]), 2)
        },
        observing("observers are told what a format keeps") { client in
            var changes = client.observe(Formatted.all).makeAsyncIterator()
            _ = try await changes.next()
            try await client.insert(Formatted(1, at: rounded[0].given))
            try expectEqual(try await changes.next()?.objects.first?.dates, rounded[0].kept)
            try await client.update(Formatted.self, key: 1) { $0.set(\.iso, to: rounded[1].given) }
            try expectEqual(try await changes.next()?.objects.first?.iso, rounded[1].kept[0])
        },
    ]

    private static func day(_ date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
    }

    /// Points in time, and what the dates of a value keep of them.
    private static let rounded: [(given: Date, kept: [Date?])] = [
        (86_400 * 365 + 3_661, 123_456), (-86_400 - 10, 999_500), (0, 500_000), (-1, 500_000),
        (4_102_444_800, 1),
    ]
    .map { (seconds: Int64, micro: Int64) in
        let given = seconds * 1_000_000 + micro
        func date(_ micro: Int64) -> Date { Date(microsecondsSince1970: micro) }
        func rounded(to step: Int64) -> Date {
            let magnitude = (Int64(given.magnitude) + step / 2) / step * step
            return date(given < 0 ? -magnitude : magnitude)
        }
        let (second, milli) = (rounded(to: 1_000_000), rounded(to: 1_000))
        let kept: [Date?] = [
            second, milli, milli, day(date(given)), second, milli, date(given), date(given), milli,
        ]
        return (date(given), kept)
    }
}
