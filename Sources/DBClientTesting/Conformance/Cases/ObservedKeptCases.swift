import DBClientCore
import Foundation

/// Aggregates and groups that are kept from the rows that commits write.
enum ObservedKeptCases {
    static let all: [ConformanceCase] = values + groups + programs

    private static let values: [ConformanceCase] = [
        observing("an observed sum of doubles is that of a fresh reading, whatever has gone") {
            client in
            var sums = client.observeSum(\.weight, of: Parcel.all).makeAsyncIterator()
            try expectEqual(try await sums.next(), 0)
            try await client.insert([
                Parcel(1, weight: 1e300), Parcel(2, weight: 0.1), Parcel(3, weight: 0.2),
            ])
            try expectEqual(try await sums.next(), 1e300)
            try await client.delete(Parcel.self, key: 1)
            let sum = try await sums.next()
            try expectEqual(sum?.bitPattern, (0.1 + 0.2).bitPattern)
            try await client.update(Parcel.self, key: 3) { $0.set(\.weight, to: .infinity) }
            try expectEqual(try await sums.next(), .infinity)
            try await client.delete(Parcel.self, key: 3)
            try expectEqual(try await sums.next(), 0.1)
        },
        observing("an observed sum of integers may leave its range inside a commit") { client in
            try await client.insert([Parcel(1, pieces: .max), Parcel(2, pieces: -5)])
            var sums = client.observeSum(\.pieces, of: Parcel.all).makeAsyncIterator()
            try expectEqual(try await sums.next(), .max - 5)
            try await client.write { transaction in
                try transaction.insert(Parcel(3, pieces: 100))
                try transaction.update(Parcel(1, pieces: 1))
            }
            try expectEqual(try await sums.next(), 96)
            var average = client.observeAverage(\.pieces, of: Parcel.all).makeAsyncIterator()
            try expectEqual(try await average.next(), 32)
            try await client.insert(Parcel(4, pieces: .max))
            try await expectError(.invalidValue) { _ = try await sums.next() }
            try expectEqual(
                try await average.next(),
                try await client.average(\.pieces, of: Parcel.all)
            )
        },
        observing("an observed extreme follows when the row that has it goes") { client in
            try await client.insert((1...5).map { Parcel($0, pieces: $0) })
            var most = client.observeMax(\.pieces, of: Parcel.all).makeAsyncIterator()
            try expectEqual(try await most.next(), 5)
            try await client.delete(Parcel.self, key: 5)
            try expectEqual(try await most.next(), 4)
            try await client.update(Parcel.self, key: 4) { $0.set(\.pieces, to: 2) }
            try expectEqual(try await most.next(), 3)
            try await client.update(Parcel.self, key: 1) { $0.set(\.pieces, to: 9) }
            try expectEqual(try await most.next(), 9)
        },
        observing("an observation says whether it is kept") { client in
            let kept = "kept: changed by the rows that commits write"
            let again = "read again after commits that concern it, because"
            let sum = client.observeSum(\.pieces, of: Parcel.where { $0.depot == "a" })
            try expectEqual(try sum.explain(), kept)
            let few = client.observeSum(\.pieces, of: Parcel.all.limit(3))
            try expectEqual(try few.explain(), "\(again) the request has a limit or an offset")
            let groups = Parcel.all.grouped(by: \.depot).select(.count)
            try expectEqual(try client.observe(groups).explain(), kept)
            let computed = Parcel.all.grouped { $0.depot.lowercased() }.select(.count)
            try expectEqual(try client.observe(computed).explain(), kept)
            let held = Artist.all.grouped { $0.studio.name }.select(.count)
            try expectEqual(
                try client.observe(held).explain(),
                "\(again) it is of a field of what values hold, or of a search"
            )
            try expectEqual(try client.observeCount(Parcel.all).explain(), kept)
            let closure = client.observe(Parcel.all) { try $0.count(Parcel.all) }
            try expectEqual(try closure.explain(), "\(again) a closure computes it")
        },
        observing("the forms of requests are kept or read again as the documentation says") {
            client in
            let kept = "kept: changed by the rows that commits write"
            let again = "read again after commits that concern it, because"
            let heavy = Parcel.where { $0.pieces > 5 }.sorted { $0.weight }
            try expectEqual(try client.observe(heavy.offset(1).limit(2)).explain(), kept)
            try expectEqual(try client.observeExists(heavy).explain(), kept)
            try expectEqual(try client.observeMin(\.weight, of: heavy).explain(), kept)
            let best = Parcel.all.grouped { $0.depot }.having { $0.count > 1 }
                .sorted { $0.sum(\.pieces).descending }.limit(3).select(.sum(\.pieces))
            try expectEqual(try client.observe(best).explain(), kept)
            let left = Parcel.leftJoin(Station.self) { $0.depot == $1.code && $1.tariff > 2 }
                .sorted { parcel, station in station.tariff }.limit(4)
            try expectEqual(try client.observe(left).explain(), kept)
            let named = Parcel.where { $0.depot.isIn(Station.all.select(\.code)) }
            try expectEqual(try client.observe(named.grouped(by: \.route).keys).explain(), kept)
            let put = Station.all.limit(3).asSource()
            let joined = Parcel.join(put) { $0.depot == $1.code }
            try expectEqual(
                try client.observe(joined).explain(),
                "\(again) rows of other models decide which values count"
            )
            try expectEqual(
                try client.observe(Parcel.all.sorted { $0.depot.lowercased() }).explain(),
                "\(again) its order is computed or that of other rows"
            )
            try expectEqual(
                try client.observe(Artist.all).explain(),
                "\(again) values hold others, or rows of other models decide which values count"
            )
            let found = Memo.where { $0.matches("iron") }
            try expectEqual(try client.observe(found.select(\.id)).explain(), kept)
            try expectEqual(
                try client.observe(Memo.matching("iron")).explain(),
                "\(again) its order is computed or that of other rows"
            )
        },
    ]

    private static let groups: [ConformanceCase] = [
        observing("groups are observed by position") { client in
            try await client.insert([
                Parcel(1, "a", pieces: 2), Parcel(2, "a", pieces: 3), Parcel(3, "c", pieces: 4),
            ])
            let request = Parcel.all.grouped(by: \.depot).select(.count, .sum(\.pieces))
            var observer = client.observe(request).makeAsyncIterator()
            let first = try await observer.next()
            try expectEqual(first?.rows.map(\.key), ["a", "c"])
            try expectEqual(first?.rows.map(\.values.1), [5, 4])
            try expect(first?.previous == nil, "nothing was before")
            try await client.insert(Parcel(4, "b", pieces: 1))
            let second = try await observer.next()
            try expectEqual(second?.insertions, [1])
            try expectEqual(second?.rows.map(\.key), ["a", "b", "c"])
            try await client.update(Parcel.self, key: 3) { $0.set(\.depot, to: "a") }
            let third = try await observer.next()
            try expectEqual(third?.deletions, [2])
            try expectEqual(third?.modifications, [RowMove(from: 0, to: 0)])
            try expectEqual(third?.rows.map(\.values.1), [9, 1])
            // A field of no key and no term.
            try await client.update(Parcel.self, key: 1) { $0.set(\.note, to: "unseen") }
            try await client.deleteAll(Parcel.self)
            let last = try await observer.next()
            try expectEqual(last?.deletions, [0, 1])
            try expectEqual(last?.rows.count, 0)
        },
        observing("what groups are only sorted by is told where it moves them") { client in
            try await client.insert((1...3).map { Parcel($0, route: $0, pieces: $0 * 10) })
            let sorted = Parcel.all.grouped(by: \.route).sorted { $0.sum(\.pieces).descending }
                .select(.count)
            var observer = client.observe(sorted).makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.key), [3, 2, 1])
            try await client.update(Parcel.self, key: 2) { $0.set(\.pieces, to: 25) }
            try await client.update(Parcel.self, key: 1) { $0.set(\.pieces, to: 50) }
            let change = try await observer.next()
            try expectEqual(change?.rows.map(\.key), [1, 3, 2])
            try expectEqual(change?.moves, [RowMove(from: 2, to: 0)])
            try expectEqual(change?.modifications, [])
        },
        observing("the first groups by a sum are observed") { client in
            try await client.insert((1...6).map { Parcel($0, route: $0, pieces: $0 * 10) })
            let best = Parcel.all.grouped(by: \.route).sorted { $0.sum(\.pieces).descending }
                .limit(2).select(.sum(\.pieces))
            var observer = client.observe(best).makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.key), [6, 5])
            try await client.insert(Parcel(7, route: 1, pieces: 1))
            try await client.insert(Parcel(8, route: 1, pieces: 1_000))
            let change = try await observer.next()
            try expectEqual(change?.rows.map(\.key), [1, 6])
            try expectEqual(change?.rows.map(\.values), [1_011, 60])
            try expectEqual(change?.insertions, [0])
            try expectEqual(change?.deletions, [1])
        },
        observing("an observation of groups ends as others do") { client in
            let sums = Parcel.all.grouped(by: \.depot).select(.sum(\.pieces))
            var observer = client.observe(sums).makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.count, 0)
            try await client.insert([Parcel(1, pieces: .max), Parcel(2, pieces: .max)])
            try await expectError(.invalidValue) { _ = try await observer.next() }
            try expect(try await observer.next() == nil, "the observation went on")
            var refused = client.observe(Parcel.all.grouped(by: \.depot).rollup.select(.count))
                .makeAsyncIterator()
            try await expectError(.unsupported) { _ = try await refused.next() }
            let counts = Parcel.all.grouped(by: \.depot).select(.count)
            var last = client.observe(counts).makeAsyncIterator()
            try expectEqual(try await last.next()?.rows.map(\.values), [2])
            try client.close()
            try await expectError(.closed) { _ = try await last.next() }
        },
    ]

    private static let programs: [ConformanceCase] = [
        observing("what is kept is what a fresh reading finds, after every commit") { client in
            for seed in seeds {
                try await client.deleteAll(Parcel.self)
                try await client.deleteAll(Station.self)
                try await KeptProgram.run(RandomSource(seed: seed), on: [client], commits: 60)
            }
        },
        ConformanceCase(
            .observation,
            "what is kept follows the commits of other clients as well",
            requires: [.severalClients, .observation]
        ) { context in
            let clients = [context.client, try await context.another()]
            try await watched {
                for seed in seeds {
                    try await clients[0].deleteAll(Parcel.self)
                    try await clients[0].deleteAll(Station.self)
                    try await KeptProgram.run(RandomSource(seed: seed), on: clients, commits: 60)
                }
            }
        },
    ]

    /// The seeds of the programs; `DBCLIENT_KEPT_PROGRAMS` says how many.
    private static var seeds: ClosedRange<UInt64> {
        let count = ProcessInfo.processInfo.environment["DBCLIENT_KEPT_PROGRAMS"]
            .flatMap { UInt64($0) }
        return 1...max(count ?? 4, 1)
    }
}
