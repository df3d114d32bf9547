import DBClientCore

/// What windows give, and what rows of other models decide, as rows that commits write change it.
enum ObservedNodeCases {
    static let all: [ConformanceCase] = windows + matches

    private static let kept = "kept: changed by the rows that commits write"

    private static let windows: [ConformanceCase] = [
        observing("ranks in a partition are observed by position") { client in
            try await client.insert([
                Parcel(1, "a", pieces: 5), Parcel(2, "a", pieces: 7), Parcel(3, "b", pieces: 1),
            ])
            let request = Parcel.all.select { parcel in
                let depot = Window(of: parcel, by: parcel.depot).sorted(
                    by: parcel.pieces.descending
                )
                return (parcel.id, depot.rank, depot.rowNumber)
            }
            let stream = client.observe(request)
            try expectEqual(
                try stream.explain(),
                "\(kept), each at the cost of the rows of its windows"
            )
            var observer = stream.makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.1), [2, 1, 1])
            try await client.insert(Parcel(4, "a", pieces: 7))
            let second = try await observer.next()
            try expectEqual(second?.rows.map(\.1), [3, 1, 1, 1])
            try expectEqual(second?.rows.map(\.2), [3, 1, 1, 2])
            try expectEqual(second?.insertions, [3])
            try expectEqual(second?.modifications.map(\.to), [0])
            // It stands where it stood.
            try await client.update(Parcel.self, key: 1) { $0.set(\.pieces, to: 4) }
            try await client.update(Parcel.self, key: 2) { $0.set(\.depot, to: "b") }
            let third = try await observer.next()
            try expectEqual(third?.rows.map(\.1), [2, 1, 2, 1])
            try expectEqual(third?.modifications.map(\.to), [0, 2, 3])
            try await client.deleteAll(Parcel.self)
            try expectEqual(try await observer.next()?.rows.count, 0)
        },
        observing("the first ones of each partition are kept") { client in
            try await client.insert([
                Parcel(1, "a", pieces: 5), Parcel(2, "a", pieces: 7), Parcel(3, "b", pieces: 1),
                Parcel(4, "a", pieces: 6), Parcel(5, "b", pieces: 4),
            ])
            func best(_ request: FetchRequest<Parcel>) -> SelectRequest<(Int, Int)> {
                request.select { parcel in
                    let depot = Window(of: parcel, by: parcel.depot)
                        .sorted(by: parcel.pieces.descending)
                    return (parcel.id, depot.rank)
                }
                .filter { id, rank in rank <= 2 }
            }
            try expectEqual(try await client.fetch(best(Parcel.all)).map(\.0), [2, 3, 4, 5])
            let stream = client.observe(best(Parcel.all))
            try expectEqual(
                try stream.explain(),
                "\(kept), each at the cost of the rows of its windows"
            )
            var observer = stream.makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.0), [2, 3, 4, 5])
            // One comes to the front, and the last of the first ones is one no longer.
            try await client.update(Parcel.self, key: 1) { $0.set(\.pieces, to: 9) }
            let second = try await observer.next()
            try expectEqual(second?.rows.map(\.0), [1, 2, 3, 5])
            try expectEqual(second?.rows.map(\.1), [1, 2, 2, 1])
            try expectEqual(second?.deletions, [2])
            try expectEqual(second?.insertions, [0])
            // One goes, and another one takes its place.
            try await client.delete(Parcel.self, key: 1)
            try expectEqual(try await observer.next()?.rows.map(\.0), [2, 3, 4, 5])
            // With a limit it is read again, since what is left out lets no other one in.
            let limited = best(Parcel.all.sorted { $0.id }.limit(3))
            try expectEqual(
                try client.observe(limited).explain(),
                "read again after commits that concern it, because the request has a limit or an offset"
            )
            var few = client.observe(limited).makeAsyncIterator()
            try expectEqual(try await few.next()?.rows.map(\.0), [2, 3, 4])
            try await client.insert(Parcel(6, "a", pieces: 8))
            try expectEqual(try await few.next()?.rows.map(\.0), [2, 3])
            // The rows of groups are filtered as well.
            let groups = Parcel.all.grouped(by: \.depot).select(.count).filter { $0.values > 2 }
            try expectEqual(try await client.fetch(groups).map(\.key), ["a"])
            var observed = client.observe(groups).makeAsyncIterator()
            try expectEqual(try await observed.next()?.rows.map(\.key), ["a"])
            try await client.insert(Parcel(7, "b"))
            try expectEqual(try await observed.next()?.rows.map(\.key), ["a", "b"])
        },
        observing("windows are of all rows, whatever the limit of what is observed") { client in
            try await client.insert((1...30).map { Parcel($0, pieces: $0 % 10) })
            let request = Parcel.all.sorted { $0.id.descending }.limit(2).select { parcel in
                let all = Window(of: parcel).sorted(by: parcel.pieces)
                return (parcel.id, all.rank, all.sum(parcel.pieces), Window(of: parcel).count)
            }
            var observer = client.observe(request).makeAsyncIterator()
            let first = try await observer.next()
            try expectEqual(first?.rows.map(\.0), [30, 29])
            try expectEqual(first?.rows.map(\.1), [1, 28])
            try expectEqual(first?.rows.map(\.3), [30, 30])
            try await client.delete(Parcel.where { $0.pieces == 3 })
            let second = try await observer.next()
            try expectEqual(second?.rows.map(\.1), [1, 25])
            try expectEqual(second?.rows.map(\.2), [0, 108])
            try expectEqual(second?.rows.map(\.3), [27, 27])
        },
        observing("a sum of a window that leaves its range ends an observation") { client in
            try await client.insert([Parcel(1, pieces: .max), Parcel(2, pieces: 0)])
            let request = Parcel.all.select { (Window(of: $0).sum($0.pieces), $0.id) }
            var observer = client.observe(request).makeAsyncIterator()
            var unseen = client.observe(
                Parcel.all.limit(0).select { Window(of: $0).sum($0.pieces) }
            )
            .makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.0), [.max, .max])
            try expectEqual(try await unseen.next()?.rows.count, 0)
            try await client.update(Parcel.self, key: 2) { $0.set(\.pieces, to: 1) }
            try await expectError(.invalidValue) { _ = try await observer.next() }
            try expect(try await observer.next() == nil, "the observation went on")
        },
        observing("whether there is a value is observed") { client in
            let heavy = Parcel.where { $0.pieces > 5 }
            let stream = client.observeExists(heavy)
            try expectEqual(try stream.explain(), kept)
            var heavies = stream.makeAsyncIterator()
            try expectEqual(try await heavies.next(), false)
            try await client.insert([Parcel(1, pieces: 6), Parcel(2, pieces: 1)])
            try expectEqual(try await heavies.next(), true)
            try await client.insert(Parcel(3, pieces: 7))
            try await client.delete(Parcel.self, key: 1)
            try await client.delete(Parcel.self, key: 3)
            try expectEqual(try await heavies.next(), false)
            var second = client.observeExists(Parcel.all.offset(1)).makeAsyncIterator()
            try expectEqual(try await second.next(), false)
            try await client.insert(Parcel(1))
            try expectEqual(try await second.next(), true)
            var none = client.observeExists(Parcel.all.limit(0)).makeAsyncIterator()
            try expectEqual(try await none.next(), false)
        },
    ]

    private static let matches: [ConformanceCase] = [
        observing("fields of what other rows belong to are kept from both") { client in
            try await client.insert([Parcel(1, "a"), Parcel(2, "b"), Parcel(3, "a")])
            let stations = Station.where { $0.tariff > 2 }
            let served = Parcel.where { parcel in stations.exists { $0.code == parcel.depot } }
            let stream = client.observe(served.select(\.id))
            try expectEqual(try stream.explain(), kept)
            var observer = stream.makeAsyncIterator()
            try expectEqual(try await observer.next().map { Array($0.rows) }, [])
            try await client.insert(Station(1, "a", tariff: 3))
            let second = try await observer.next()
            try expectEqual(second.map { Array($0.rows) }, [1, 3])
            try expectEqual(second?.insertions, [0, 1])
            // The second one decides nothing, until the first one has gone.
            try await client.insert(Station(2, "a", tariff: 9))
            try await client.update(Station.self, key: 1) { $0.set(\.tariff, to: 1) }
            try await client.insert(Parcel(4, "a"))
            try expectEqual(try await observer.next().map { Array($0.rows) }, [1, 3, 4])
            try await client.update(Station.self, key: 2) { $0.set(\.code, to: "b") }
            let last = try await observer.next()
            try expectEqual(last.map { Array($0.rows) }, [2])
            try expectEqual(last?.deletions, [0, 1, 2])
        },
        observing("numbers and groups of what no row, or so many, belong to are kept") { client in
            try await client.insert([Parcel(1, route: 1), Parcel(2, route: 2), Parcel(3)])
            let alone = Parcel.where { parcel in !Station.all.exists { $0.route == parcel.route } }
            let many = Parcel.where { parcel in
                Station.all.count { $0.route == parcel.route } >= 2
            }
            .grouped(by: \.route).select(.count)
            try expectEqual(try client.observeCount(alone).explain(), kept)
            try expectEqual(try client.observe(many).explain(), kept)
            var number = client.observeCount(alone).makeAsyncIterator()
            var groups = client.observe(many).makeAsyncIterator()
            try expectEqual(try await number.next(), 3)
            try expectEqual(try await groups.next()?.rows.count, 0)
            try await client.insert([Station(1, route: 1), Station(2, route: 1)])
            try expectEqual(try await number.next(), 2)
            try expectEqual(try await groups.next()?.rows.map(\.key), [1])
            try await client.update(Station.self, key: 2) { $0.set(\.route, to: 2) }
            try expectEqual(try await number.next(), 1)
            try expectEqual(try await groups.next()?.rows.count, 0)
            // Nothing belongs to what is absent.
            try await client.update(Station.where { $0.id > 0 }) { $0.set(\.route, to: nil) }
            try expectEqual(try await number.next(), 3)
        },
        observing("what rows of the same model decide is kept") { client in
            try await client.insert([Station(1), Station(2, hub: 1), Station(3, hub: 9)])
            let hubs = Station.where { station in Station.all.exists { $0.hub == station.id } }
            var observer = client.observe(hubs.select(\.id)).makeAsyncIterator()
            try expectEqual(try await observer.next().map { Array($0.rows) }, [1])
            try await client.write { transaction in
                try transaction.insert(Station(9, hub: 9))
                try transaction.delete(Station.self, key: 2)
            }
            try expectEqual(try await observer.next().map { Array($0.rows) }, [9])
        },
        observing("an observation says why other rows have it read again") { client in
            let again = "read again after commits that concern it, because"
            let first = Station.all.sorted { $0.tariff }.limit(1)
            let chosen = Parcel.where { $0.depot.isIn(first.select(\.code)) }
            let reason = "\(again) rows of other models decide which values count"
            try expectEqual(try client.observe(chosen.select(\.id)).explain(), reason)
            try expectEqual(try client.observeExists(chosen).explain(), reason)
            var observer = client.observe(chosen.select(\.id)).makeAsyncIterator()
            try await client.insert([Parcel(1, "a"), Parcel(2, "b")])
            try await client.insert([Station(1, "a", tariff: 3), Station(2, "b", tariff: 4)])
            try expectEqual(try await observer.next().map { Array($0.rows) }, [1])
            try await client.update(Station.self, key: 2) { $0.set(\.tariff, to: 1) }
            try expectEqual(try await observer.next().map { Array($0.rows) }, [2])
            let most = Parcel.where { parcel in Station.all.exists { $0.code == parcel.depot } }
            try expectEqual(try client.observeMax(\.pieces, of: most).explain(), reason)
        },
    ]
}
