import DBClientCore

/// Selected fields and joined rows that are kept from the rows that commits write.
enum ObservedJoinCases {
    static let all: [ConformanceCase] = [
        observing("selected fields are observed by position") { client in
            try await client.insert([
                Parcel(1, "a", pieces: 3), Parcel(2, "b", pieces: 2), Parcel(3, "a", pieces: 1),
            ])
            let request = Parcel.where { $0.depot == "a" }.sorted { $0.pieces }.select(\.pieces)
            var observer = client.observe(request).makeAsyncIterator()
            try expectEqual(try await observer.next().map { Array($0.rows) }, [1, 3])
            // A field that is neither selected nor sorted by.
            try await client.update(Parcel.self, key: 1) { $0.set(\.note, to: "unseen") }
            try await client.update(Parcel.self, key: 2) { $0.set(\.depot, to: "a") }
            let second = try await observer.next()
            try expectEqual(second.map { Array($0.rows) }, [1, 2, 3])
            try expectEqual(second?.insertions, [1])
            try await client.update(Parcel.self, key: 3) { $0.set(\.pieces, to: 9) }
            let third = try await observer.next()
            try expectEqual(third.map { Array($0.rows) }, [2, 3, 9])
            try expectEqual(third?.moves, [RowMove(from: 0, to: 2)])
        },
        observing("joined rows follow both of their models") { client in
            try await client.insert([Parcel(1, "a"), Parcel(2, "b"), Parcel(3, "a")])
            try await client.insert(Station(1, "a", tariff: 5))
            let join = Parcel.join(Station.self) { $0.depot == $1.code }
            let request = join.select { parcel, station in (parcel.id, station.tariff) }
            var observer = client.observe(request).makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.0), [1, 3])
            try await client.insert(Station(2, "b", tariff: 7))
            let second = try await observer.next()
            try expectEqual(second?.rows.map(\.1), [5, 7, 5])
            try expectEqual(second?.insertions, [1])
            try await client.update(Station.self, key: 1) { $0.set(\.tariff, to: 6) }
            let third = try await observer.next()
            try expectEqual(third?.rows.map(\.1), [6, 7, 6])
            try expectEqual(third?.modifications.map(\.to), [0, 2])
            try await client.write { transaction in
                try transaction.delete(Station.self, key: 1)
                try transaction.update(Parcel(3, "b"))
            }
            try expectEqual(try await observer.next()?.rows.map(\.0), [2, 3])
        },
        observing("a left join shows nil as long as nothing belongs to a row") { client in
            try await client.insert([Parcel(1, route: 1), Parcel(2, route: 2), Parcel(3)])
            let join = Parcel.leftJoin(Station.self) { $0.route == $1.id }
            let request = join.select { parcel, station in (parcel.id, station.code) }
            var observer = client.observe(request).makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.1), [nil, nil, nil])
            try await client.insert(Station(2, "b"))
            try expectEqual(try await observer.next()?.rows.map(\.1), [nil, "b", nil])
            try await client.update(Parcel.self, key: 1) { $0.set(\.route, to: 2) }
            try expectEqual(try await observer.next()?.rows.map(\.1), ["b", "b", nil])
            try await client.delete(Station.self, key: 2)
            try expectEqual(try await observer.next()?.rows.map(\.1), [nil, nil, nil])
        },
        observing("models of a join to itself are observed") { client in
            try await client.insert([Station(1), Station(2, hub: 1), Station(3, hub: 1)])
            let join = Station.join(Station.self) { $0.hub == $1.id }
                .sorted { own, hub in own.id.descending }.limit(1)
            var observer = client.observe(join).makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.0.id), [3])
            try await client.update(Station.self, key: 1) { $0.set(\.hub, to: 1) }
            try await client.update(Station.self, key: 3) { $0.set(\.hub, to: 2) }
            try await client.delete(Station.self, key: 3)
            try await client.delete(Station.self, key: 2)
            var last: [Int]?
            while last != [1], let change = try await observer.next() {
                last = change.rows.map(\.0.id)
                try expectEqual(change.rows.count, 1)
            }
            try expectEqual(last, [1])
        },
        observing("groups of a join follow both of its models") { client in
            try await client.insert((1...4).map { Parcel($0, route: $0 % 2, pieces: $0) })
            try await client.insert([Station(0, "even"), Station(1, "odd")])
            let best = Parcel.join(Station.self) { $0.route == $1.id }
                .grouped { parcel, station in station.code }
                .sorted { $0.sum { parcel, _ in parcel.pieces }.descending }
                .select(.sum { parcel, _ in parcel.pieces })
            var observer = client.observe(best).makeAsyncIterator()
            try expectEqual(try await observer.next()?.rows.map(\.key), ["even", "odd"])
            try await client.update(Parcel.self, key: 1) { $0.set(\.pieces, to: 10) }
            let second = try await observer.next()
            try expectEqual(second?.rows.map(\.key), ["odd", "even"])
            try expectEqual(second?.rows.map(\.values), [13, 6])
            try await client.update(Station.self, key: 1) { $0.set(\.code, to: "even") }
            let third = try await observer.next()
            try expectEqual(third?.rows.map(\.key), ["even"])
            try expectEqual(third?.rows.map(\.values), [19])
        },
        observing("what is computed of joined rows ends the observation where it has no value") {
            client in
            try await client.insert([Parcel(1, pieces: 2), Parcel(2, pieces: 3)])
            try await client.insert(Station(1, tariff: 10))
            let join = Parcel.join(Station.self) { $0.depot == $1.code }
            let totals = join.grouped { parcel, station in station.code }
                .select(.sum { parcel, station in parcel.pieces * station.tariff })
            var sums = client.observe(totals).makeAsyncIterator()
            try expectEqual(try await sums.next()?.rows.map(\.values), [50])
            let costs = join.select { parcel, station in parcel.pieces * station.tariff }
            var products = client.observe(costs).makeAsyncIterator()
            try expectEqual(try await products.next().map { Array($0.rows) }, [20, 30])
            try await client.update(Parcel.self, key: 1) { $0.set(\.pieces, to: 4) }
            try expectEqual(try await sums.next()?.rows.map(\.values), [70])
            try expectEqual(try await products.next().map { Array($0.rows) }, [40, 30])
            try await client.update(Parcel.self, key: 1) { $0.set(\.pieces, to: .max) }
            try await expectError(.invalidValue) { _ = try await sums.next() }
            try await expectError(.invalidValue) { _ = try await products.next() }
        },
        observing("an observation of rows says whether it is kept") { client in
            let kept = "kept: changed by the rows that commits write"
            let again = "read again after commits that concern it, because"
            let join = Parcel.join(Station.self) { $0.depot == $1.code }
            let fields = Parcel.all.select(\.depot, \.pieces)
            try expectEqual(try client.observe(fields).explain(), kept)
            let first = Parcel.all.sorted { $0.weight }.limit(2).select(\.id)
            try expectEqual(try client.observe(first).explain(), kept)
            try expectEqual(try client.observe(join).explain(), kept)
            let groups = join.grouped { parcel, station in station.tariff }.select(.count)
            try expectEqual(try client.observe(groups).explain(), kept)
            let crossed = Parcel.join(Station.self) { $0.pieces < $1.tariff }
            try expectEqual(
                try client.observe(crossed).explain(),
                "\(again) rows are joined by no equality of fields of one type"
            )
            let computed = join.select { parcel, station in parcel.pieces + station.tariff }
            try expectEqual(try client.observe(computed).explain(), kept)
            let sorted = Parcel.all.sorted { $0.depot.lowercased() }.select(\.id)
            try expectEqual(
                try client.observe(sorted).explain(),
                "\(again) its order is computed or that of other rows"
            )
        },
    ]
}
