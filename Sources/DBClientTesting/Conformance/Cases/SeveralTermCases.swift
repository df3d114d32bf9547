import DBClientCore
import Foundation

/// Numbers of elements wherever a field goes, and the smallest and the largest of several terms.
enum SeveralTermCases {
    static let all: [ConformanceCase] = counts + extremes

    private static let lists: [EveryType] = {
        var values = (1...4).map { EveryType($0) }
        values[0].tags = ["a,\"b", "]"]
        values[1].tags = []
        values[2].tags = ["x", "y", "z"]
        values[3].tags = ["é"]
        values[0].scores = ["a": 1, "b}": 2]
        values[3].scores = ["é": 1]
        values[1].optionalTags = ["z"]
        values[2].optionalTags = []
        return values
    }()

    private static let counts: [ConformanceCase] = [
        promise(.requests, "a number of elements is sorted by, paged by and selected") { client in
            try await client.insert(lists)
            let ascending = EveryType.all.sorted { $0.tags.count }
            try expectEqual(try await client.fetch(ascending).map(\.id), [2, 4, 1, 3])
            let descending = EveryType.all.sorted { $0.tags.count.descending }
            try expectEqual(try await client.fetch(descending.limit(2)).map(\.id), [3, 1])
            let absent = EveryType.all.sorted { [$0.optionalTags.count, $0.id.descending] }
            try expectEqual(try await client.fetch(absent).map(\.id), [4, 1, 3, 2])
            let last = EveryType.all.sorted { [$0.optionalTags.count.nilsLast, $0.id.descending] }
            try expectEqual(try await client.fetch(last).map(\.id), [3, 2, 4, 1])
            let rest = try await client.fetch(ascending.after(lists[3]))
            try expectEqual(rest.map(\.id), [1, 3])
            let rows = try await client.fetch(
                EveryType.all.select {
                    ($0.id, $0.tags.count, $0.scores.count * 10, $0.optionalTags.count ?? 9)
                }
            )
            try expectEqual(rows.map(\.1), [2, 0, 3, 1])
            try expectEqual(rows.map(\.2), [20, 0, 0, 10])
            try expectEqual(rows.map(\.3), [9, 1, 0, 9])
        },
        promise(
            .grouping,
            "a number of elements is grouped by and added up",
            requires: [.aggregates]
        ) {
            client in
            try await client.insert(lists)
            let groups = try await client.fetch(
                EveryType.all.grouped { $0.scores.count }.select(.count, .sum { $0.tags.count })
            )
            try expectEqual(groups.map(\.key), [0, 1, 2])
            try expectEqual(groups.map(\.values.0), [2, 1, 1])
            try expectEqual(groups.map(\.values.1), [3, 1, 2])
            let total: Int = try await client.sum(of: EveryType.all) { $0.tags.count }
            try expectEqual(total, 6)
        },
        promise(.partialUpdate, "a number of elements is set and computed with") { client in
            try await client.insert(lists)
            try await client.update(EveryType.where { $0.tags.count + $0.scores.count > 2 }) {
                $0.set(\.int64) { $0.tags.count.converted(to: Int64.self) * 2 }
            }
            try expectEqual(try await client.fetch(EveryType.all).map(\.int64), [4, 0, 6, 0])
            let equal = EveryType.where { $0.tags.count == $0.scores.count }
            try expectEqual(try await client.fetch(equal).map(\.id), [1, 2, 4])
            let more = EveryType.where { $0.tags.count > $0.optionalTags.count }
            try expectEqual(try await client.fetch(more).map(\.id), [3])
        },
        promise(.requests, "a number of elements is sorted by through a relationship") { client in
            try await client.insert([
                BagOwner(1, Bag(1, [Bag.Item("a"), Bag.Item("b")])), BagOwner(2, Bag(2)),
                BagOwner(3, nil), BagOwner(4, Bag(3, [Bag.Item("c")])),
            ])
            let owners = BagOwner.all.sorted { [$0.bag.items.count.descending] }
            try expectEqual(try await client.fetch(owners).map(\.id), [1, 4, 2, 3])
        },
    ]

    private static let extremes: [ConformanceCase] = [
        promise(.conditions, "the smallest and the largest of several terms") { client in
            var values = (1...3).map { EveryType($0) }
            let rows: [(Int64, Int32, Int16)] = [(5, 1, 9), (-2, 7, 7), (0, 0, 0)]
            for (index, row) in rows.enumerated() {
                values[index].int64 = row.0
                values[index].int32 = row.1
                values[index].int16 = row.2
                values[index].text = ["b", "A", "é"][index]
            }
            try await client.insert(values)
            let found = try await client.fetch(
                EveryType.all.select { fields in
                    let first = fields.int64
                    let second = fields.int32.converted(to: Int64.self)
                    let third = fields.int16.converted(to: Int64.self)
                    let id = fields.id.converted(to: Int64.self)
                    return (
                        min(first, second, third, id), max(first, second, third),
                        max(first, second, third, id, first * 3)
                    )
                }
            )
            try expectEqual(found.map(\.0), [1, -2, 0])
            try expectEqual(found.map(\.1), [9, 7, 0])
            try expectEqual(found.map(\.2), [15, 7, 3])
            let texts = EveryType.where {
                max($0.text, $0.text.uppercased(), $0.text.lowercased()) == "b"
            }
            try expectEqual(try await client.fetch(texts).map(\.id), [1])
            let sorted = EveryType.all.sorted {
                min($0.int64, $0.int64 * 2, $0.id.converted(to: Int64.self)).descending
            }
            try expectEqual(try await client.fetch(sorted).map(\.id), [1, 3, 2])
        }
    ]
}
