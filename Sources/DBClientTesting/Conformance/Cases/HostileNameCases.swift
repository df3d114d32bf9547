import DBClientCore

/// Names of entities and fields that are keywords, or hold quotes, spaces, emoji and comments.
enum HostileNameCases {
    static let all: [ConformanceCase] = [
        promise(.hostileNames, "every call works under names that hold quotes and keywords") {
            client in
            let values = (1...4).map {
                HostileNames($0, keyword: "k\($0 % 2)", quotes: "q\($0)", emoji: $0)
            }
            try expectEqual(try await client.insert(values), values)
            try await expectError(.duplicateKey) { try await client.insert(values[0]) }
            let taken = try await expectError(.uniqueViolation) {
                try await client.insert(HostileNames(9, quotes: "q1"))
            }
            try expectEqual(taken.entity, HostileNames.schema.entity.name)
            try await client.update(HostileNames(1, keyword: "new", quotes: "q1", emoji: 1))
            try expectEqual(try await client.upsert(values[1]).isUpdated, true)
            try await client.update(HostileNames.self, key: 3) { $0.set(\.emoji, to: 30) }
            try expectEqual(
                try await client.update(HostileNames.where { $0.keyword == "k0" }) {
                    $0.set(\.comment, to: 0.5)
                },
                2
            )
            try expectEqual(try await client.delete(HostileNames.self, keys: [4, 5]), 1)
            try expectEqual(try await client.findAll(HostileNames.self).map(\.emoji), [1, 2, 30])
        },
        promise(.hostileNames, "every request works under names that hold quotes and keywords") {
            client in
            try await client.insert(
                (1...4).map {
                    HostileNames($0, keyword: "k\($0 % 2)", quotes: "q\($0)", emoji: -$0)
                }
            )
            let some = HostileNames.where { $0.keyword == "k0" && $0.quotes.contains("q") }
            try expectEqual(try await client.fetch(some).map(\.id), [2, 4])
            let sorted = HostileNames.all.sorted { [$0.keyword.descending, $0.emoji] }
            try expectEqual(try await client.fetch(sorted).map(\.id), [3, 1, 4, 2])
            try expectEqual(
                try await client.fetch(HostileNames.where { $0.quotes == nil }).map(\.id),
                []
            )
            try expectEqual(try await client.max(\.emoji, of: HostileNames.all), -1)
            try expectEqual(try await client.sum(\.emoji, of: some), -6)
            try expectEqual(
                try await client.distinct(\.keyword, of: HostileNames.all),
                ["k0", "k1"]
            )
            try expectEqual(
                try await client.count(HostileNames.where { $0.emoji.isIn([-1, -3]) }),
                2
            )
            try expectEqual(try await client.delete(some.limit(1)), 1)
        },
        promise(.hostileNames, "names that an engine uses itself are fields like others") {
            client in
            let values = [
                ReservedNames("b", rowid: 7, oid: 8, ctid: "x", count: 1),
                ReservedNames("a", rowid: 7, oid: 9, ctid: "y", count: 2),
            ]
            try await client.insert(values)
            try expectEqual(try await client.findAll(ReservedNames.self).map(\.key), ["a", "b"])
            try expectEqual(try await client.find(ReservedNames.self, key: "b"), values[0])
            try expectEqual(
                try await client.fetch(ReservedNames.where { $0.rowid == 7 }).map(\.oid),
                [9, 8]
            )
            try await client.update(ReservedNames.self, key: "a") { $0.set(\.rowid, to: 5) }
            try await client.update(ReservedNames.where { $0.oid == 8 }) { $0.set(\.ctid, to: "z") }
            let sorted = ReservedNames.all.sorted { $0.rowid }
            try expectEqual(try await client.fetch(sorted).map(\.ctid), ["y", "z"])
            try expectEqual(try await client.sum(\.count, of: ReservedNames.all), 3)
            try expectEqual(try await client.upsert(values[1]).isUpdated, true)
        },
        promise(
            .hostileNames,
            "a window is ordered by a field whatever its name",
            requires: [.aggregates]
        ) { client in
            try await client.insert([
                ResultNames(1, v: 3, w: 10), ResultNames(2, v: 2, w: 20),
                ResultNames(3, v: 1, w: 30),
            ])
            let first = ResultNames.all.sorted { $0.v }.limit(1)
            try expectEqual(try await client.sum(\.w, of: first), 30)
            try expectEqual(try await client.max(\.w, of: first), 30)
            try expectEqual(try await client.average(\.w, of: first), 30)
            try expectEqual(try await client.distinct(\.w, of: first), [30])
            try expectEqual(try await client.sum(\.v, of: first), 1)
            try expectEqual(try await client.count(first), 1)
        },
        promise(
            .hostileNames,
            "values are grouped by fields with the names of functions",
            requires: [.aggregates]
        ) { client in
            try await client.insert([
                ResultNames(1, w: 1, count: 7, max: "b"), ResultNames(2, w: 2, count: 5, max: "a"),
                ResultNames(3, w: 3, count: 7, max: nil),
            ])
            let counts = try await client.fetch(
                ResultNames.all.grouped(by: \.count).select(.count, .sum(\.w))
            )
            try expectEqual(counts.map(\.key), [5, 7])
            try expectEqual(counts.map(\.values.0), [1, 2])
            try expectEqual(counts.map(\.values.1), [2, 4])
            let largest = try await client.fetch(
                ResultNames.all.grouped(by: \.max).select(.max(\.w))
            )
            try expectEqual(largest.map(\.key), [nil, "a", "b"])
            try expectEqual(largest.map(\.values), [3, 2, 1])
        },
        promise(.hostileNames, "several keys are found and deleted whatever the key's name") {
            client in
            let values = (1...3).map { ResultNames($0, v: $0) }
            try await client.insert(values)
            try expectEqual(
                try await client.find(ResultNames.self, keys: [3, 1]).map(\.n),
                [3, 1]
            )
            try expectEqual(try await client.delete(ResultNames.self, keys: [1, 2, 9]), 2)
            try expectEqual(try await client.findAll(ResultNames.self), [values[2]])
        },
        promise(.hostileNames, "names of 63 bytes are kept whole") { client in
            try await client.insert(Loose<LongestName>(1, 2))
            try await client.insert(Loose<LongestField>(1, 3))
            try expectEqual(
                try await client.count(Loose<LongestName>.where { $0.other == 2 }),
                1
            )
            try expectEqual(
                try await client.count(Loose<LongestField>.where { $0.other == 3 }),
                1
            )
        },
        promise(.hostileNames, "the entity that a hostile name would destroy is untouched") {
            client in
            try await client.insert(Hero(1))
            try await client.insert(HostileNames(1))
            try await client.deleteAll(HostileNames.self)
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
    ]
}
