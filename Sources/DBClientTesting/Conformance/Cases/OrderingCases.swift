import DBClientCore
import Foundation

/// Sorts, which must be total and the same on every engine.
enum OrderingCases {
    static let all: [ConformanceCase] = [
        promise(.ordering, "a direction is chosen when the request is made") { client in
            try await client.insert([
                Hero(1, "b", publisherId: 1), Hero(2, "a"), Hero(3, "c", publisherId: 2),
            ])
            func ids(_ isAscending: Bool) async throws -> [[Int]] {
                let requests = [
                    Hero.all.sorted { isAscending ? $0.name : $0.name.descending },
                    Hero.all.sorted { [isAscending ? $0.name : $0.name.descending, $0.id] },
                    Hero.all.sorted { $0.name.sorted(isAscending ? .forward : .reverse) },
                    Hero.all.sorted { isAscending ? $0.publisherId : $0.publisherId.descending },
                ]
                var found: [[Int]] = []
                for request in requests { found.append(try await client.fetch(request).map(\.id)) }
                return found
            }
            try expectEqual(try await ids(true), [[2, 1, 3], [2, 1, 3], [2, 1, 3], [2, 1, 3]])
            try expectEqual(try await ids(false), [[3, 1, 2], [3, 1, 2], [3, 1, 2], [3, 1, 2]])
            // Between two fields of one type; by itself, `descending` is the key of a sort.
            let isAscending = false
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Hero.where { (isAscending ? $0.name : $0.name.descending) == "a" }
                )
            }
        },
        promise(.ordering, "no sort means the order of the primary key") { client in
            try await client.insert([3, 1, 2].map { Hero($0, "\(9 - $0)") })
            try expectEqual(try await client.fetch(Hero.all).map(\.id), [1, 2, 3])
            let filtered = Hero.where { $0.name > "0" }
            try expectEqual(try await client.fetch(filtered).map(\.id), [1, 2, 3])
        },
        promise(.ordering, "the primary key breaks ties, ascending also below a descending sort") {
            client in
            try await client.insert((1...6).shuffled().map { Hero($0, power: Double($0 % 2)) })
            let sorted = Hero.all.sorted { $0.power.descending }
            try expectEqual(try await client.fetch(sorted).map(\.id), [1, 3, 5, 2, 4, 6])
        },
        promise(.ordering, "values that tie on an indexed field all come, backwards as forwards") {
            client in
            // More than a page of an index holds.
            try await client.insert((1...2_500).map { Hero($0, power: Double($0 % 2)) })
            let ids =
                Array(stride(from: 1, through: 2_500, by: 2))
                + Array(stride(from: 2, through: 2_500, by: 2))
            let sorted = Hero.all.sorted { $0.power.descending }
            try expectEqual(try await client.fetch(sorted).map(\.id), ids)
            try expectEqual(
                try await client.fetch(sorted.limit(1_900)).map(\.id),
                Array(ids[..<1_900])
            )
            let atMost = sorted.filter { $0.power <= 1 }
            try expectEqual(try await client.fetch(atMost).map(\.id), ids)
            let rest = sorted.after(Hero(ids[700], power: 1))
            try expectEqual(try await client.fetch(rest).map(\.id), Array(ids[701...]))

            let skills = ["a", "b", "c", "d"].map { Skill($0, 1) }
            try await client.insert(skills)
            let leveled = Skill.all.sorted { $0.level.descending }
            try expectEqual(try await client.fetch(leveled.limit(3)), Array(skills[..<3]))
            try expectEqual(try await client.fetch(leveled.after(skills[0])), Array(skills[1...]))
        },
        promise(.ordering, "several keys, each with its own direction") { client in
            try await client.insert([
                Hero(1, "b", power: 1), Hero(2, "a", power: 1), Hero(3, "b", power: 2),
                Hero(4, "a", power: 2), Hero(5, "a", power: 2),
            ])
            let sorted = Hero.all.sorted { [$0.name, $0.power.descending, $0.id.descending] }
            try expectEqual(try await client.fetch(sorted).map(\.id), [5, 4, 2, 3, 1])
        },
        promise(.ordering, "the primary key may be sorted by, either way") { client in
            try await client.insert((1...3).map { Hero($0) })
            try expectEqual(
                try await client.fetch(Hero.all.sorted { $0.id.descending }).map(\.id),
                [3, 2, 1]
            )
            try expectEqual(try await client.fetch(Hero.all.sorted { $0.id }).map(\.id), [1, 2, 3])
        },
        promise(.ordering, "nil comes first ascending and last descending") { client in
            try await client.insert([
                Hero(1, publisherId: 2), Hero(2), Hero(3, publisherId: 1), Hero(4),
            ])
            let ascending = Hero.all.sorted { $0.publisherId }
            try expectEqual(try await client.fetch(ascending).map(\.id), [2, 4, 3, 1])
            let descending = Hero.all.sorted { $0.publisherId.descending }
            try expectEqual(try await client.fetch(descending).map(\.id), [1, 3, 2, 4])
        },
        promise(.ordering, "nil can be put at either end") { client in
            try await client.insert([Hero(1, publisherId: 2), Hero(2), Hero(3, publisherId: 1)])
            let last = Hero.all.sorted { $0.publisherId.ascending.nilsLast }
            try expectEqual(try await client.fetch(last).map(\.id), [3, 1, 2])
            let first = Hero.all.sorted { $0.publisherId.descending.nilsFirst }
            try expectEqual(try await client.fetch(first).map(\.id), [2, 1, 3])
        },
        promise(.ordering, "text sorts by its bytes") { client in
            let names = ["", "A", "Z", "a", "a ", "aa", "z", "\u{E9}", "\u{FFFD}", "🦸"]
            try await client.insert(names.enumerated().reversed().map { Hero($0, $1) })
            let sorted = try await client.fetch(Hero.all.sorted { $0.name })
            try expectSameText(sorted.map(\.name), names)
            let reversed = try await client.fetch(Hero.all.sorted { $0.name.descending })
            try expectSameText(reversed.map(\.name), names.reversed())
        },
        promise(.ordering, "case can be ignored in a sort, ties broken by the key") { client in
            let names = ["b", "A", "a", "B", "_", "É", "é", "Ab"]
            try await client.insert(names.enumerated().map { Hero($0 + 1, $1) })
            let sorted = Hero.all.sorted { $0.name.ascending.caseInsensitive }
            try expectEqual(try await client.fetch(sorted).map(\.id), [5, 2, 3, 8, 1, 4, 6, 7])
            let reversed = Hero.all.sorted { $0.name.descending.caseInsensitive }
            try expectEqual(try await client.fetch(reversed).map(\.id), [7, 6, 1, 4, 8, 2, 3, 5])
            let thenBytes = Hero.all.sorted { [$0.name.ascending.caseInsensitive, $0.name] }
            try expectEqual(try await client.fetch(thenBytes).map(\.id), [5, 2, 3, 8, 4, 1, 6, 7])
        },
        promise(.ordering, "a text key sorted without case still has a total order") { client in
            let codes = ["b", "A", "a", "B"]
            try await client.insert(codes.map { TextKeyed($0) })
            let sorted = TextKeyed.all.sorted { $0.code.ascending.caseInsensitive }
            try expectEqual(try await client.fetch(sorted).map(\.code), ["A", "a", "B", "b"])
        },
        promise(.ordering, "a natural sort minds numbers, and neither case nor accents nor width") {
            client in
            let names = [
                "", "élan", "ELAN", "issue 010", "Issue 9", "issue 10", "issue 10b", "issue 9a",
                "\u{FF29}ssue 8", "e\u{301}lan", "Zorro", "_", "x100", "x99", "é", "f", "Issue",
            ]
            let expected = [
                [0], [11], [14], [1, 2, 9], [15], [16], [8], [4], [7], [3, 5], [6], [13], [12],
                [10],
            ]
            try await client.insert(names.enumerated().map { Hero($0, $1) })
            let ascending = Hero.all.sorted { $0.name.ascending.natural }
            try expectEqual(try await client.fetch(ascending).map(\.id), expected.flatMap { $0 })
            let descending = Hero.all.sorted { $0.name.descending.natural }
            try expectEqual(
                try await client.fetch(descending).map(\.id),
                expected.reversed().flatMap { $0 }
            )
            let some = ascending.filter { $0.id > 2 }.offset(3).limit(4)
            try expectEqual(try await client.fetch(some).map(\.id), [15, 16, 8, 4])
            try expectEqual(try await client.count(some), 4)
            try expectEqual(try await client.max(\.id, of: some), 16)
            try expectEqual(try await client.fetch(some.select(\.id)), [15, 16, 8, 4])
            try expectEqual(try await client.delete(ascending.limit(3)), 3)
            try expectEqual(
                try await client.fetch(ascending.limit(2)).map(\.id),
                [1, 2]
            )
        },
        promise(.ordering, "absent text has its place in a natural sort") { client in
            try await client.insert([Hero(1, bio: "b"), Hero(2), Hero(3, bio: "A")])
            let first = Hero.all.sorted { $0.bio.ascending.natural }
            try expectEqual(try await client.fetch(first).map(\.id), [2, 3, 1])
            let last = Hero.all.sorted { $0.bio.ascending.natural.nilsLast }
            try expectEqual(try await client.fetch(last).map(\.id), [3, 1, 2])
        },
        promise(.ordering, "case and nature are refused for what is not text") { client in
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.sorted { $0.power.ascending.caseInsensitive })
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.sorted { $0.power.ascending.natural })
            }
        },
        promise(.ordering, "dates, booleans, UUIDs and data sort by value") { client in
            let values = (0..<4).map { index in
                var value = EveryType(index)
                value.date = Date(timeIntervalSince1970: Double(3 - index) - 1.5)
                value.flag = index % 2 == 0
                value.uuid = UUID(
                    uuid: (
                        UInt8(index == 0 ? 255 : index), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
                    )
                )
                value.data = [Data([1]), Data([0, 255]), Data([1, 0]), Data()][index]
                return value
            }
            try await client.insert(values)
            func sorted(
                _ request: FetchRequest<EveryType>
            ) async throws -> [Int] { try await client.fetch(request).map(\.id) }
            try expectEqual(try await sorted(EveryType.all.sorted { $0.date }), [3, 2, 1, 0])
            try expectEqual(try await sorted(EveryType.all.sorted { $0.flag }), [1, 3, 0, 2])
            try expectEqual(try await sorted(EveryType.all.sorted { $0.uuid }), [1, 2, 3, 0])
            try expectEqual(try await sorted(EveryType.all.sorted { $0.data }), [3, 1, 0, 2])
        },
        promise(.ordering, "enums sort by their raw values") { client in
            let values = zip(Mood.allCases, Level.allCases).enumerated().map { index, pair in
                var value = EveryType(index)
                (value.mood, value.level) = pair
                return value
            }
            try await client.insert(values)
            let moods = try await client.fetch(EveryType.all.sorted { $0.mood }).map(\.mood)
            try expectEqual(moods, [.angry, .calm, .élan])
            let levels = try await client.fetch(EveryType.all.sorted { $0.level.descending })
            try expectEqual(levels.map(\.level), [.high, .middle, .low])
        },
        promise(.ordering, "fields of embedded values sort, absent ones as nil") { client in
            let values = (0..<3).map { index in
                var value = EveryType(index)
                value.place = Place(["b", "a", "c"][index])
                value.optionalPlace = index == 1 ? nil : Place("x", zip: 5 - index)
                return value
            }
            try await client.insert(values)
            let cities = EveryType.all.sorted { $0.place.city }
            try expectEqual(try await client.fetch(cities).map(\.id), [1, 0, 2])
            let zips = EveryType.all.sorted { $0.optionalPlace.zip }
            try expectEqual(try await client.fetch(zips).map(\.id), [1, 2, 0])
        },
        promise(.ordering, "a new sort takes the place of the old one") { client in
            try await client.insert([Hero(1, "b", power: 1), Hero(2, "a", power: 2)])
            let request = Hero.all.sorted { $0.name }.sorted { $0.power }
            try expectEqual(try await client.fetch(request).map(\.id), [1, 2])
        },
        promise(.ordering, "sorting by an index and by a field without one agree") { client in
            try await client.insert(
                (0..<500).map { Hero($0, "\($0 * 7 % 50)", realName: "\($0 * 7 % 50)") }
            )
            let indexed = try await client.fetch(Hero.all.sorted { $0.name }).map(\.id)
            let plain = try await client.fetch(Hero.all.sorted { $0.realName }).map(\.id)
            try expectEqual(indexed, plain)
            let indexedBack = try await client.fetch(Hero.all.sorted { $0.name.descending })
            let plainBack = try await client.fetch(Hero.all.sorted { $0.realName.descending })
            try expectEqual(indexedBack.map(\.id), plainBack.map(\.id))
        },
        // LMDB returns the values of the previous key when it walks backwards from a key with many to a key
        // with one; the differential test has found it.
        promise(.ordering, "a range of an index gives every tie once, in both directions") {
            client in
            let powers: [Double] = [3, 3, 3, 2, 1, 1, 0, -1, -1, -1, -1, -2, -2, -3]
            try await client.insert(powers.enumerated().map { Hero($0, power: $1) })
            for low in stride(from: -4.0, through: 3, by: 0.5) {
                for high in stride(from: low, through: 4, by: 0.5) {
                    let range = Hero.where { $0.power.isBetween(low...high) }
                    let expected = powers.indices.filter { low <= powers[$0] && powers[$0] <= high }
                    let descending = try await client.fetch(range.sorted { $0.power.descending })
                    try expectEqual(descending.map(\.id), expected, "\(low)...\(high) descending:")
                    let ascending = try await client.fetch(range.sorted { $0.power })
                    let ties = expected.sorted { (powers[$0], $0) < (powers[$1], $1) }
                    try expectEqual(ascending.map(\.id), ties, "\(low)...\(high) ascending:")
                }
            }
        },
        promise(.ordering, "Foundation's sort descriptors sort as fields do") { client in
            try await client.insert([Hero(1, "b"), Hero(2, "a"), Hero(3, "B")])
            let request = try Hero.all.sorted(by: [
                SortDescriptor(\.name, comparator: .lexical, order: .reverse)
            ])
            try expectEqual(try await client.fetch(request).map(\.id), [1, 2, 3])
        },
    ]
}
