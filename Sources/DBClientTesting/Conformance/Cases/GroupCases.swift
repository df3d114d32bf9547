import DBClientCore

/// Groups of values with equal fields, their aggregates, and conditions on these.
enum GroupCases {
    static let all: [ConformanceCase] = groups + conditions + edges

    private static func grouping(
        _ name: String,
        run: @escaping @Sendable (any DBClient) async throws -> Void
    ) -> ConformanceCase {
        promise(.grouping, name, requires: [.aggregates], run: run)
    }

    private static let groups: [ConformanceCase] = [
        grouping("each function is told of each group, ascending by key, nil first") { client in
            try await client.insert(
                (1...9).map {
                    Hero($0, publisherId: $0 % 4 == 0 ? nil : $0 % 4, power: Double($0) / 2)
                }
            )
            let rows = try await client.fetch(
                Hero.all.grouped(by: \.publisherId)
                    .select(.count, .sum(\.id), .min(\.name), .max(\.power), .average(\.id))
            )
            try expectEqual(rows.map(\.key), [nil, 1, 2, 3])
            try expectEqual(rows.map(\.values.0), [2, 3, 2, 2])
            try expectEqual(rows.map(\.values.1), [12, 15, 8, 10])
            try expectEqual(rows.map(\.values.2), ["Hero 4", "Hero 1", "Hero 2", "Hero 3"])
            try expectEqual(rows.map(\.values.3), [4, 4.5, 3, 3.5])
            try expectEqual(rows.map(\.values.4), [6, 5, 4, 5])
        },
        grouping("by several fields, text by its bytes") { client in
            let names = ["b", "a", "A", "\u{E9}", "e\u{301}", "a", "", "b"]
            try await client.insert(names.enumerated().map { Hero($0, $1, isActive: $0 < 6) })
            let rows = try await client.fetch(
                Hero.all.grouped(by: \.name, \.isActive).select(.count)
            )
            try expectSameText(
                rows.map(\.key.0),
                ["", "A", "a", "b", "b", "e\u{301}", "\u{E9}"]
            )
            try expectEqual(rows.map(\.key.1), [false, true, true, false, true, true, true])
            try expectEqual(rows.map(\.values), [1, 1, 2, 1, 1, 1, 1])
        },
        grouping("by every kind of key") { client in
            var values = (1...4).map { EveryType($0) }
            for index in [1, 3] { values[index] = EveryType.full(index + 1) }
            try await client.insert(values)
            func check<Key: StorableValue & Equatable>(
                _ field: KeyPath<EveryType, Key>,
                isDescending: Bool = false
            ) throws {
                let rows = try client.blocking.fetch(
                    EveryType.all.grouped(by: field).select(.count, .sum(\.id))
                )
                let keys = [values[0], values[1]].map { $0[keyPath: field] }
                try expectEqual(rows.map(\.key), isDescending ? keys.reversed() : keys, "\(field)")
                try expectEqual(rows.map(\.values.0), [2, 2])
                try expectEqual(rows.map(\.values.1), isDescending ? [6, 4] : [4, 6])
            }
            try check(\.flag)
            try check(\.int8, isDescending: true)
            try check(\.uint64)
            try check(\.double)
            try check(\.text)
            try check(\.data)
            try check(\.date)
            try check(\.uuid)
            try check(\.decimal, isDescending: true)
            try check(\.mood)
            try check(\.place.city)
            try check(\.optionalText)
            try check(\.optionalDate)
            try check(\.optionalData)
        },
        grouping("a condition, a limit and an offset choose the values that are grouped") {
            client in
            try await client.insert((1...12).map { Hero($0, publisherId: $0 % 3) })
            let some = Hero.where { $0.id > 2 }.sorted { $0.id.descending }.offset(1).limit(4)
            let rows = try await client.fetch(
                some.grouped(by: \.publisherId).select(.count, .max(\.id))
            )
            try expectEqual(rows.map(\.key), [0, 1, 2])
            try expectEqual(rows.map(\.values.0), [1, 1, 2])
            try expectEqual(rows.map(\.values.1), [9, 10, 11])
            let none = some.limit(0).grouped(by: \.publisherId).select(.count)
            try expectEqual(try await client.fetch(none).count, 0)
        },
        grouping("more groups than fit a small table, in a transaction that wrote them") { client in
            try await client.write { transaction in
                try transaction.insert((0..<3_000).map { Hero($0, "n\($0 % 1_000)") })
                let rows = try transaction.fetch(
                    Hero.all.grouped(by: \.name).select(.count, .sum(\.id))
                )
                let names = (0..<1_000).sorted {
                    "n\($0)".utf8.lexicographicallyPrecedes("n\($1)".utf8)
                }
                try expectEqual(rows.map(\.key), names.map { "n\($0)" })
                try expect(rows.allSatisfy { $0.values.0 == 3 }, "a group without three rows")
                try expectEqual(rows.map(\.values.1), names.map { 3 * $0 + 3_000 })
            }
            let rows = try await client.run(
                .fetch(Hero.all.grouped(by: \.name).having { $0.max(\.id) >= 2_999 }.select(.count))
            )
            try expectEqual(rows.map(\.key), ["n999"])
        },
    ]

    private static let conditions: [ConformanceCase] = [
        grouping("2,000 alternatives of a group, and as many that it must fulfil") { client in
            try await client.insert((0..<10).map { Hero($0) })
            func keys(
                _ condition: (GroupFields<Hero>) -> GroupCondition<Hero>
            ) throws -> [Int] {
                try client.blocking.fetch(
                    Hero.all.grouped(by: \.id).having(condition).select(.count)
                )
                .map(\.key)
            }
            try expectEqual(
                try keys { group in
                    (1..<2_000).reduce(group.max(\.id) == 0) { $0 || group.max(\.id) == $1 * 3 }
                },
                [0, 3, 6, 9]
            )
            try expectEqual(
                try keys { group in
                    (1..<2_000).reduce(group.max(\.id) != 0) { $0 && group.max(\.id) != $1 * 3 }
                },
                [1, 2, 4, 5, 7, 8]
            )
        },
        grouping("a condition on the group") { client in
            try await client.insert(
                (1...9).map {
                    Hero($0, publisherId: $0 % 4 == 0 ? nil : $0 % 4, power: Double($0) / 2)
                }
            )
            func keys(
                _ condition: (GroupFields<Hero>) -> GroupCondition<Hero>
            ) throws -> [Int?] {
                try client.blocking.fetch(
                    Hero.all.grouped(by: \.publisherId).having(condition).select(.count)
                ).map(\.key)
            }
            try expectEqual(try keys { $0.count > 2 }, [1])
            try expectEqual(try keys { $0.count != 2 }, [1])
            try expectEqual(try keys { $0.sum(\.id) >= 12 }, [nil, 1])
            try expectEqual(try keys { $0.sum(\.power) < 5 }, [2])
            try expectEqual(try keys { $0.average(\.id) == 5 }, [1, 3])
            try expectEqual(try keys { $0.min(\.name) == "Hero 2" }, [2])
            try expectEqual(try keys { $0.max(\.power) <= 3.5 && $0.count == 2 }, [2, 3])
            try expectEqual(try keys { !($0.count == 2) || $0.max(\.id) == 8 }, [nil, 1])
            try expectEqual(try keys { $0.min(\.publisherId) == nil }, [nil])
            try expectEqual(try keys { $0.min(\.publisherId) != nil }, [1, 2, 3])
            try expectEqual(try keys { $0.max(\.publisherId) > 1 }, [2, 3])
            try expectEqual(try keys { !($0.max(\.publisherId) > 1) }, [nil, 1])
            try expectEqual(try keys { $0.max(\.publisherId) != 1 }, [nil, 2, 3])
            try expectEqual(try keys { $0.sum(\.publisherId) == 0 }, [nil])
            try expectEqual(try keys { $0.sum(\.publisherId) > 3 }, [2, 3])
            let twice = Hero.all.grouped(by: \.publisherId)
                .having { $0.count == 2 }.having { $0.sum(\.id) > 8 }
            let largest = try await client.fetch(twice.select(.max(\.id)))
            try expectEqual(largest.map(\.values), [8, 7])
            let chained = (10...300).reduce(twice) { request, number in
                request.having { $0.count != number }
            }
            let found = try await client.fetch(chained.select(.max(\.id)))
            try expectEqual(found.map(\.values), [8, 7])
            let nested = (0...100).reduce(twice) { request, number in
                request.having { !(!($0.count == 2) && $0.count == number) }
            }
            try expectEqual(try await client.fetch(nested.select(.count)).count, 2)
            let deep = Hero.all.grouped(by: \.publisherId).having { group in
                (0..<100).reduce(group.count == 2) { !($0 || group.count == $1) }
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(deep.select(.count))
            }
        },
    ]

    private static let edges: [ConformanceCase] = [
        grouping("of nothing there is no group") { client in
            let request = Hero.all.grouped(by: \.publisherId).select(.count)
            try expectEqual(try await client.fetch(request).count, 0)
            try await client.insert(Hero(1))
            let none = Hero.where { $0.id > 1 }.grouped(by: \.publisherId).select(.count)
            try expectEqual(try await client.fetch(none).count, 0)
        },
        grouping("absent values are left out of every function") { client in
            try await client.insert([Hero(1, publisherId: 4), Hero(2), Hero(3, isActive: false)])
            let rows = try await client.fetch(
                Hero.all.grouped(by: \.isActive).select(
                    .count,
                    .sum(\.publisherId),
                    .min(\.publisherId),
                    .average(\.publisherId),
                    .max(\.bio)
                )
            )
            try expectEqual(rows.map(\.values.0), [1, 2])
            try expectEqual(rows.map(\.values.1), [0, 4])
            try expectEqual(rows.map(\.values.2), [nil, 4])
            try expectEqual(rows.map(\.values.3), [nil, 4])
            try expectEqual(rows.map(\.values.4), [nil, nil])
        },
        grouping("a sum that fits is exact, one beyond its type is a typed error") { client in
            try await client.insert([
                Hero(1, publisherId: .max), Hero(2, publisherId: 1), Hero(3, publisherId: -1),
            ])
            let sums = Hero.all.grouped(by: \.isActive).select(.sum(\.publisherId))
            try expectEqual(try await client.fetch(sums).map(\.values), [.max])
            // One of several groups leaves the range on its way.
            try await client.insert([
                Hero(5, "a", publisherId: 7), Hero(6, "z", publisherId: 8),
                Hero(7, "m", publisherId: .min), Hero(8, "m", publisherId: -1),
                Hero(9, "m", publisherId: 2), Hero(10, "n", publisherId: 1),
            ])
            let byName = Hero.where { $0.id > 4 }.grouped(by: \.name)
                .select(.sum(\.publisherId), .count)
            let named = try await client.fetch(byName)
            try expectEqual(named.map(\.key), ["a", "m", "n", "z"])
            try expectEqual(named.map(\.values.0), [7, .min + 1, 1, 8])
            try expectEqual(named.map(\.values.1), [1, 3, 1, 1])
            try await client.delete(Hero.where { $0.id > 4 })
            try await client.insert(Hero(4, publisherId: 1))
            let error = try await expectError(.invalidValue) { _ = try await client.fetch(sums) }
            try expectEqual(error.field, "publisherId")
            let hidden = Hero.all.grouped(by: \.isActive).having { $0.sum(\.publisherId) > 0 }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(hidden.select(.count))
            }
            var values = [EveryType(1), EveryType(2)]
            (values[0].int8, values[1].int8) = (100, 100)
            try await client.insert(values)
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    EveryType.all.grouped(by: \.flag).select(.sum(\.int8))
                )
            }
        },
        grouping("what is not stored, and what has no sum, is refused") { client in
            try await client.insert(Hero(1))
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.grouped(by: \.shout).select(.count))
            }
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.grouped(by: \.id).select(.max(\.shout)))
            }
            let average = try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.grouped(by: \.id).select(.average(\.name)))
            }
            try expectEqual(average.field, "name")
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(
                    Hero.all.grouped(by: \.id).having { $0.average(\.name) > 1 }.select(.count)
                )
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(
                    Hero.all.grouped(by: \.id).having { $0.max(\.power) > .nan }.select(.count)
                )
            }
        },
    ]
}
