import DBClientCore
import Foundation

/// Ranges of a result: by limit and offset, and by the place after or before which they begin.
enum PagingCases {
    static let all: [ConformanceCase] = [
        promise(.paging, "a limit of zero finds nothing") { client in
            try await client.insert((1...3).map { Hero($0) })
            try expectEqual(try await client.fetch(Hero.all.limit(0)), [])
            try expectEqual(try await client.count(Hero.all.limit(0)), 0)
            try expectEqual(try await client.exists(Hero.all.limit(0)), false)
        },
        promise(.paging, "an offset past the end finds nothing") { client in
            try await client.insert((1...3).map { Hero($0) })
            for offset in [3, 4, 1_000_000, Int.max] {
                try expectEqual(try await client.fetch(Hero.all.offset(offset)), [])
                try expectEqual(try await client.count(Hero.all.offset(offset)), 0)
                try expectEqual(try await client.fetch(Hero.all.offset(offset).limit(2)), [])
            }
        },
        promise(.paging, "the largest limit and offset do not overflow") { client in
            try await client.insert((1...3).map { Hero($0) })
            try expectEqual(try await client.fetch(Hero.all.limit(.max)).count, 3)
            try expectEqual(try await client.fetch(Hero.all.limit(.max).offset(1)).count, 2)
            try expectEqual(try await client.count(Hero.all.limit(.max).offset(.max)), 0)
        },
        promise(.paging, "the largest limit and offset of a sorted request do not overflow") {
            client in
            try await client.insert((1...3).map { Hero($0, realName: "r\(-$0)") })
            let sorts = [
                Hero.all.sorted { $0.realName }, Hero.all.sorted { $0.name },
                Hero.all.sorted { [$0.power.descending, $0.name] },
                Hero.where { $0.isActive == true }.sorted { $0.realName },
            ]
            for request in sorts {
                let all = try await client.fetch(request)
                let windows: [(FetchRequest<Hero>, [Hero])] = [
                    (request.limit(.max), all), (request.limit(.max - 1), all),
                    (request.limit(.max).offset(1), Array(all.dropFirst())),
                    (request.offset(.max), []), (request.offset(.max).limit(1), []),
                    (request.offset(.max).limit(.max), []),
                ]
                for (window, expected) in windows {
                    try expectEqual(try await client.fetch(window), expected)
                    try expectEqual(try await client.count(window), expected.count)
                    _ = try await client.explain(window)
                }
            }
        },
        promise(.paging, "a limit far beyond the rows keeps all that a sorted condition finds") {
            client in
            try await client.insert(
                (0..<900).map { Hero($0, realName: "r\($0 * 7 % 900)", isActive: $0 % 3 != 0) }
            )
            let active = Hero.where { $0.isActive == true }.sorted { $0.realName }
            let all = try await client.fetch(active)
            try expectEqual(all.count, 600)
            for limit in [.max / 2, .max / 2 + 1, .max / 2 + 100, .max - 1, Int.max] {
                try expectEqual(try await client.fetch(active.limit(limit)), all)
                try expectEqual(
                    try await client.fetch(active.limit(limit).offset(10)),
                    Array(all.dropFirst(10))
                )
            }
        },
        promise(.paging, "a negative limit or offset is refused") { client in
            try await client.insert(Hero(1))
            for request in [Hero.all.limit(-1), Hero.all.offset(-1), Hero.all.limit(.min)] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
                try await expectError(.invalidRequest) { _ = try await client.count(request) }
                try await expectError(.invalidRequest) { try await client.delete(request) }
            }
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(.paging, "an offset without a limit leaves out the first") { client in
            try await client.insert((1...5).map { Hero($0) })
            try expectEqual(try await client.fetch(Hero.all.offset(3)).map(\.id), [4, 5])
            try expectEqual(try await client.count(Hero.all.offset(3)), 2)
        },
        promise(.paging, "a later limit takes the place of an earlier one") { client in
            try await client.insert((1...5).map { Hero($0) })
            try expectEqual(try await client.fetch(Hero.all.limit(1).limit(3)).count, 3)
            try expectEqual(try await client.fetch(Hero.all.limit(1).limit(nil)).count, 5)
        },
        promise(.paging, "pages by offset hold every value once") { client in
            try await client.insert((0..<50).map { Hero($0, power: Double($0 % 4)) })
            let request = Hero.where { $0.power > 0 }.sorted { $0.power.descending }
            let all = try await client.fetch(request)
            var paged: [Hero] = []
            for offset in stride(from: 0, to: 60, by: 7) {
                let page = try await client.fetch(request.offset(offset).limit(7))
                try expectEqual(
                    try await client.count(request.offset(offset).limit(7)),
                    page.count
                )
                paged += page
            }
            try expectEqual(paged, all)
        },
        seeking("by the primary key", Hero.all),
        seeking("by a sort with ties", Hero.all.sorted { $0.power }),
        seeking("by a descending sort with ties", Hero.all.sorted { $0.power.descending }),
        seeking("by an optional field", Hero.all.sorted { $0.publisherId }),
        seeking("by a descending optional field", Hero.all.sorted { $0.publisherId.descending }),
        seeking("with nil put last", Hero.all.sorted { $0.publisherId.ascending.nilsLast }),
        seeking("with nil put first", Hero.all.sorted { $0.publisherId.descending.nilsFirst }),
        seeking("ignoring case", Hero.all.sorted { $0.name.ascending.caseInsensitive }),
        seeking("naturally", Hero.all.sorted { $0.name.ascending.natural }),
        seeking(
            "naturally, descending, below an optional field",
            Hero.where { $0.power > 0 }.sorted { [$0.publisherId, $0.name.descending.natural] }
        ),
        seeking(
            "by several keys and a condition",
            Hero.where { $0.power > 0 }.sorted {
                [$0.publisherId.descending, $0.name, $0.id.descending]
            }
        ),
        promise(.paging, "what comes after a value that is no longer stored") { client in
            try await client.insert((1...5).map { Hero($0, power: Double($0)) })
            let request = Hero.all.sorted { $0.power.descending }
            let third = try await client.fetch(request).dropFirst(2).first ?? Hero(0)
            try await client.delete(third)
            try expectEqual(try await client.fetch(request.after(third)).map(\.id), [2, 1])
            try expectEqual(try await client.count(request.after(third)), 2)
        },
        promise(.paging, "what comes after a key") { client in
            try await client.insert((1...5).map { Hero($0) })
            try expectEqual(try await client.fetch(Hero.all.after(key: 3)).map(\.id), [4, 5])
            try expectEqual(
                try await client.fetch(Hero.where { $0.id != 4 }.after(key: 0).limit(2)).map(\.id),
                [1, 2]
            )
            try await expectError(.invalidRequest) {
                _ = try await client.fetch(Hero.all.sorted { $0.power }.after(key: 3))
            }
        },
        promise(.paging, "what comes after a composite key") { client in
            try await client.insert([Issue("A", 1), Issue("A", 2), Issue("B", 1), Issue("B", 2)])
            let after = Issue.all.after(key: .init("A", 2))
            try expectEqual(try await client.fetch(after).map(\.series), ["B", "B"])
            let sorted = Issue.all.sorted { $0.number.descending }
            let second = sorted.after(Issue("B", 2))
            try expectEqual(
                try await client.fetch(second),
                [Issue("A", 1), Issue("B", 1)]
            )
        },
    ]

    /// Checks that pages by place, of any size, hold every value once and in order.
    private static func seeking(
        _ name: String,
        _ request: FetchRequest<Hero>
    ) -> ConformanceCase {
        promise(.paging, "pages by place hold every value once: \(name)") { client in
            try await client.insert(
                (0..<40).map {
                    Hero(
                        $0,
                        ["b", "B", "a", "É"][$0 % 4],
                        publisherId: $0 % 3 == 0 ? nil : $0 % 5,
                        power: Double($0 % 4)
                    )
                }
            )
            let all = try await client.fetch(request)
            for size in [1, 3, 7, 40] {
                var paged: [Hero] = []
                var next = request
                while true {
                    let page = try await client.fetch(next.limit(size))
                    paged += page
                    guard let last = page.last, paged.count <= all.count else { break }
                    next = request.after(last)
                }
                try expectEqual(paged.map(\.id), all.map(\.id), "pages of \(size):")
            }
        }
    }
}
