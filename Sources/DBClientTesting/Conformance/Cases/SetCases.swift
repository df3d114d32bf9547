import DBClientCore
import DBClientTestSupport
import Foundation

/// Requests made of the values that other requests give.
enum SetCases {
    static let all: [ConformanceCase] = meaning + uses + [probe]

    private static let meaning: [ConformanceCase] = [
        promise(.requests, "union, intersection and difference are of values by their keys") {
            client in
            try await client.insert((1...8).map { SoldItem($0, "w", price: 10 - $0) })
            let (low, even) = (
                SoldItem.where { $0.id < 5 }, SoldItem.where { $0.id % 2 == 0 }
            )
            try expectEqual(try await client.fetch(low.union(even)).map(\.id), [1, 2, 3, 4, 6, 8])
            try expectEqual(try await client.fetch(low.intersection(even)).map(\.id), [2, 4])
            try expectEqual(try await client.fetch(low.subtracting(even)).map(\.id), [1, 3])
            try expectEqual(try await client.fetch(even.subtracting(low)).map(\.id), [6, 8])
            try expectEqual(try await client.fetch(low.union(low)).map(\.id), [1, 2, 3, 4])
            try expectEqual(try await client.count(low.subtracting(low)), 0)
            // The sort is that of the first request, and is followed by the key.
            let sorted = even.sorted { $0.price }.union(low.sorted { $0.id.descending })
            try expectEqual(try await client.fetch(sorted).map(\.id), [8, 6, 4, 3, 2, 1])
            let again = sorted.sorted { $0.name }.offset(1).limit(3)
            try expectEqual(try await client.fetch(again).map(\.id), [2, 3, 4])
        },
        promise(.requests, "requests are combined with their own limits and offsets") { client in
            try await client.insert((1...9).map { SoldItem($0, "w", price: ($0 * 4) % 9) })
            // By price 9, 7, 5, 3, 1, 8, 6, 4, 2.
            let cheap = SoldItem.all.sorted { $0.price }.limit(3)
            let last = SoldItem.all.sorted { $0.id.descending }.limit(3)
            try expectEqual(try await client.fetch(cheap).map(\.id), [9, 7, 5])
            try expectEqual(try await client.fetch(cheap.union(last)).map(\.id), [9, 7, 5, 8])
            try expectEqual(try await client.fetch(cheap.intersection(last)).map(\.id), [9, 7])
            try expectEqual(try await client.fetch(last.subtracting(cheap)).map(\.id), [8])
            let rest = SoldItem.all.subtracting(SoldItem.all.sorted { $0.price }.offset(2))
            try expectEqual(try await client.fetch(rest).map(\.id), [7, 9])
            try expectEqual(try await client.fetch(cheap.union(last).limit(2)).map(\.id), [9, 7])
            try expectEqual(
                try await client.fetch(cheap.union(last).limit(2).union(last.limit(1))).map(\.id),
                [9, 7]
            )
            try expectEqual(try await client.count(cheap.intersection(last.limit(0))), 0)
            try expectEqual(try await client.count(cheap.union(last.limit(0))), 3)
            // By what is computed, ties by the key.
            let odd = SoldItem.all.sorted { $0.price % 2 }.limit(2)
            try expectEqual(
                try await client.fetch(odd.asSource().filter { $0.id > 1 }).map(\.id),
                [2]
            )
        },
        promise(.requests, "a request is the source of another") { client in
            try await client.insert((1...9).map { SoldItem($0, "\($0 % 2)", price: $0) })
            let top = SoldItem.all.sorted { $0.price.descending }.limit(4)
            let odd = top.asSource().filter { $0.name == "1" }
            try expectEqual(try await client.fetch(odd).map(\.id), [9, 7])
            try expectEqual(
                try await client.fetch(top.filter { $0.name == "1" }).map(\.id),
                [9, 7, 5, 3]
            )
            try expectEqual(
                try await client.fetch(top.asSource().sorted { $0.id }.limit(2)).map(\.id),
                [6, 7]
            )
            let inner = top.asSource().sorted { $0.id }.limit(3).asSource().filter { $0.id != 7 }
            try expectEqual(try await client.fetch(inner.sorted { $0.id }).map(\.id), [6, 8])
            try expectEqual(try await client.count(top.asSource()), 4)
            try expectEqual(
                try await client.fetch(top.offset(3).asSource()).map(\.id),
                [6, 5, 4, 3]
            )
            try expectEqual(try await client.sum(\.price, of: top.asSource()), 30)
        },
        promise(.conditions, "a request inside a condition has a limit of its own") { client in
            try await client.insert((1...4).map { SoldItem($0, "w", price: $0) })
            try await client.insert([
                ItemSale(1, ware: 1, quantity: 9), ItemSale(2, ware: 2, quantity: 8),
                ItemSale(3, ware: 2, quantity: 7), ItemSale(4, ware: nil, quantity: 6),
                ItemSale(5, ware: 3, quantity: 5),
            ])
            let most = ItemSale.all.sorted { $0.quantity.descending }.limit(3)
            try expectEqual(
                try await client.fetch(SoldItem.where { $0.id.isIn(most.select(\.ware)) }).map(
                    \.id
                ),
                [1, 2]
            )
            try expectEqual(
                try await client.fetch(
                    SoldItem.where { !$0.id.isIn(most.limit(4).select(\.ware)) }
                )
                .map(\.id),
                [3, 4]
            )
            try expectEqual(
                try await client.fetch(
                    SoldItem.where { ware in most.exists { $0.ware == ware.id } && ware.id > 1 }
                )
                .map(\.id),
                [2]
            )
            try expectEqual(
                try await client.fetch(
                    SoldItem.where { ware in most.limit(2).count { $0.ware == ware.id } == 1 }
                )
                .map(\.id),
                [1, 2]
            )
            try expectEqual(
                try await client.fetch(
                    SoldItem.where { ware in most.offset(4).count { $0.ware == ware.id } < 1 }
                )
                .map(\.id),
                [1, 2, 4]
            )
            let lines = most.asSource().join(SoldItem.self) { $0.ware == $1.id }
            try expectEqual(try await client.fetch(lines).map(\.0.id), [1, 2, 3])
            let both = ItemSale.join(SoldItem.all.limit(1).asSource()) { $0.ware == $1.id }
            try expectEqual(try await client.fetch(both).map(\.0.id), [1])
        },
    ]

    private static let uses: [ConformanceCase] = [
        promise(.requests, "combined requests are written, paged, grouped and explained") {
            client in
            try await client.insert((1...9).map { SoldItem($0, "\($0 % 3)", price: $0) })
            let (low, high) = (
                SoldItem.all.limit(3), SoldItem.all.sorted { $0.id.descending }.limit(2)
            )
            let ends = low.union(high)
            try expectEqual(try await client.fetch(ends).map(\.id), [1, 2, 3, 8, 9])
            try expectEqual(try await client.exists(ends.filter { $0.id == 8 }), true)
            try expectEqual(try await client.exists(ends.filter { $0.id == 5 }), false)
            try expectEqual(try await client.fetch(ends.after(key: 2)).map(\.id), [3, 8, 9])
            try expectEqual(
                try await client.fetch(ends.grouped { $0.name }.select(.count)).map(\.values),
                [2, 1, 2]
            )
            try expectEqual(try await client.fetch(ends.select(\.price)), [1, 2, 3, 8, 9])
            try expect(!(try await client.explain(ends)).isEmpty, "There must be an explanation.")
            try expectEqual(try await client.run(.fetch(ends)).map(\.id), [1, 2, 3, 8, 9])
            try expectEqual(try client.blocking.fetch(ends).map(\.id), [1, 2, 3, 8, 9])
            try expectEqual(try await client.update(ends) { $0.set(\.name, to: "end") }, 5)
            try expectEqual(try await client.count(SoldItem.where { $0.name == "end" }), 5)
            try expectEqual(try await client.delete(ends.subtracting(low)), 2)
            try expectEqual(try await client.delete(ends.limit(2)), 2)
            try expectEqual(try await client.fetch(SoldItem.all).map(\.id), [3, 4, 5, 6, 7])
        },
        promise(.requests, "a table that is not there yet gives no values to combine") { client in
            let all = SoldItem.all.limit(2).union(SoldItem.all.sorted { $0.name }.limit(3))
            try expectEqual(try await client.fetch(all).count, 0)
            try await client.insert(ItemSale(1, ware: 1))
            let sales = ItemSale.where { $0.ware.isIn(SoldItem.all.limit(3).select(\.id)) }
            try expectEqual(try await client.count(sales), 0)
        },
        promise(
            .requests,
            "an observer is told of every change of values that a combined request gives",
            requires: [.observation]
        ) { client in
            try await client.insert((1...6).map { SoldItem($0, "w", price: $0) })
            let top = SoldItem.all.sorted { $0.price.descending }.limit(2)
            let request = top.union(SoldItem.all.limit(1)).sorted { $0.id }
            var found = client.observe(request).makeAsyncIterator()
            try expectEqual(try await found.next()?.objects.map(\.id), [1, 5, 6])
            // It moves a value into the limit, and another out, of which neither is written.
            try await client.delete(SoldItem.self, key: 6)
            try expectEqual(try await found.next()?.objects.map(\.id), [1, 4, 5])
            try await client.insert(SoldItem(0, "w", price: 9))
            try expectEqual(try await found.next()?.objects.map(\.id), [0, 5])
        },
        promise(.requests, "a refused request refuses what is made of it") { client in
            try await client.insert(SoldItem(1, "w"))
            for request in [
                SoldItem.all.limit(-1).union(SoldItem.all),
                SoldItem.all.intersection(SoldItem.all.offset(-1)),
                SoldItem.all.subtracting(SoldItem.where { $0.id == $0.id }.limit(-2)),
                SoldItem.all.limit(-1).asSource().limit(1),
            ] {
                try await expectError(.invalidRequest) { _ = try await client.fetch(request) }
            }
            // There is no order without the key of a sort.
            let unsorted = SoldItem.all.sorted { 1 / $0.price }.limit(1).asSource()
            try await expectError(.invalidValue) { _ = try await client.fetch(unsorted) }
        },
    ]

    private static let probe = promise(.requests, "random requests made of requests") { client in
        let random = RandomSource(seed: 71)
        for _ in 0..<5 {
            let wares = (0..<random.below(14)).map {
                SoldItem($0, ["a", "b", ""][random.below(3)], price: random.below(5))
            }
            try await client.deleteAll(SoldItem.self)
            try await client.insert(wares)
            for _ in 0..<25 {
                let (request, values) = random.request(of: wares, depth: 3)
                try expectEqual(try await client.fetch(request).map(\.id), values.map(\.id))
                try expectEqual(try await client.count(request), values.count)
            }
        }
    }
}

extension RandomSource {
    /// Returns a request, and the values that it gives of some, by loops over arrays.
    fileprivate func request(
        of wares: [SoldItem],
        depth: Int
    ) -> (FetchRequest<SoldItem>, [SoldItem]) {
        var (request, values) = (SoldItem.all, wares)
        if depth > 0, chance(75) {
            let (first, ofFirst) = self.request(of: wares, depth: depth - 1)
            let (second, ofSecond) = self.request(of: wares, depth: depth - 1)
            let ids = (Set(ofFirst.map(\.id)), Set(ofSecond.map(\.id)))
            switch below(4) {
            case 0:
                (request, values) = (
                    first.union(second),
                    wares.filter { ids.0.contains($0.id) || ids.1.contains($0.id) }
                )
            case 1:
                (request, values) = (
                    first.intersection(second),
                    wares.filter { ids.0.contains($0.id) && ids.1.contains($0.id) }
                )
            case 2:
                (request, values) = (
                    first.subtracting(second),
                    wares.filter { ids.0.contains($0.id) && !ids.1.contains($0.id) }
                )
            default: (request, values) = (first.asSource(), wares.filter { ids.0.contains($0.id) })
            }
        }
        if chance(50) {
            let price = below(5)
            request = request.filter { $0.price >= price }
            values = values.filter { $0.price >= price }
        }
        switch below(4) {
        case 0:
            request = request.sorted { $0.price }
            values.sort { ($0.price, $0.id) < ($1.price, $1.id) }
        case 1:
            request = request.sorted { [$0.name.descending, $0.price % 2] }
            values.sort { ($1.name, $0.price % 2, $0.id) < ($0.name, $1.price % 2, $1.id) }
        default:
            request = request.sorted { $0.id }
        }
        let (offset, limit) = (chance(30) ? below(4) : 0, chance(50) ? below(6) : nil)
        return (
            request.offset(offset).limit(limit),
            Array(values.dropFirst(offset).prefix(limit ?? .max))
        )
    }
}
