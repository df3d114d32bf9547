import DBClientCore
import Foundation

/// Groups that are counted alone, which an engine may read from an index, and what is answered by them: different values,
/// conditions on related rows, and counts over a join.
enum IndexedGroupCases {
    static let all: [ConformanceCase] = values + joins

    private static let values: [ConformanceCase] = [
        promise(.grouping, "groups by an indexed field are counted as by any other") { client in
            try await client.insert((1...40).map { Coupon($0, $0 % 7) })
            try checkAll(client.blocking, (1...40).map { ($0, $0 % 7) })
            // What is written changes the numbers, and what is undone does not.
            try await client.delete(Coupon.where { $0.id <= 9 })
            try await client.upsert((20...45).map { Coupon($0, $0 % 3) })
            try await client.update(Coupon.where { $0.id == 15 }) { $0.set(\.number, to: nil) }
            let without = (10...45).filter { $0 != 15 }.map { id in
                Coupon(id, id < 20 ? id % 7 : id % 3)
            }
            try expectEqual(
                try counts(client.blocking, \.number).first,
                without.count { $0.number == nil } + 1
            )
            try await client.upsert(Coupon(15, 5))
            let all = (10...45).map { ($0, $0 == 15 ? 5 : $0 < 20 ? $0 % 7 : $0 % 3) }
            try checkAll(client.blocking, all)
            do {
                try await client.write { transaction in
                    try transaction.insert((100...120).map { Coupon($0, 2) })
                    try checkAll(transaction, all + (100...120).map { ($0, 2) })
                    try transaction.delete(Coupon.all)
                    try expectEqual(try counts(transaction, \.number), [])
                    throw Undone()
                }
            } catch is Undone {}
            try checkAll(client.blocking, all)
        },
        promise(.grouping, "conditions on values and on groups choose indexed groups") { client in
            try await client.insert((1...40).map { Coupon($0, $0 % 7) })
            func numbers(
                _ request: FetchRequest<Coupon>,
                over least: Int = 0
            ) async throws -> [Int?] {
                let groups = request.grouped(by: \.number).having { $0.count > least }
                return try await client.fetch(groups.select(.count)).map(\.key)
            }
            try expectEqual(try await numbers(Coupon.all), [nil, .min, -7, 0, 3, .max])
            try expectEqual(try await numbers(Coupon.all, over: 6), [0])
            let some = Coupon.where { $0.number.isIn([3, -7, 5, 3]) }
            try expectEqual(try await numbers(some), [-7, 3])
            try expectEqual(try await numbers(Coupon.where { $0.number == nil }), [nil])
            try expectEqual(try await numbers(Coupon.where { $0.number >= 0 }), [0, 3, .max])
            try expectEqual(
                try await numbers(Coupon.where { $0.number >= 0 && $0.name != "a" }),
                [3, .max]
            )
            try expectEqual(try await numbers(Coupon.where { $0.id < 3 }), [.min, 0])
            try expectEqual(try await numbers(Coupon.all.limit(2)), [.min, 0])
        },
    ]

    private static let joins: [ConformanceCase] = [
        promise(.joins, "joined rows are counted by the first model's fields") { client in
            let (coupons, redemptions) = try await insertPairs(client)
            let left = Coupon.leftJoin(Redemption.self) { $0.number == $1.number }
            let rows = try await client.fetch(
                left.grouped { coupon, _ in coupon.isOpen }
                    .select(
                        .count,
                        .count { _, redemption in redemption.isAbsent },
                        .count { _, redemption in !redemption.isAbsent }
                    )
            )
            let keys: [Bool?] = [nil, false, true]
            let expected = keys.map { (key: Bool?) -> [Int] in
                let found = coupons.filter { $0.isOpen == key }.map { coupon in
                    redemptions.count { $0.number == coupon.number }
                }
                return [
                    found.reduce(0) { $0 + max($1, 1) }, found.count { $0 == 0 },
                    found.reduce(0, +),
                ]
            }
            try expectEqual(rows.map(\.key), keys)
            try expectEqual(rows.map { [$0.values.0, $0.values.1, $0.values.2] }, expected)
            let inner = Coupon.where { $0.id > 3 }
                .join(Redemption.where { $0.seat < 5 }) { $0.number == $1.number }
            let perCoupon = try await client.fetch(
                inner.grouped { coupon, _ in (coupon.id, coupon.name.lowercased()) }
                    .having { $0.count > 1 }
                    .select(.count)
            )
            let few = redemptions.filter { $0.seat < 5 }
            let counted = coupons.filter { $0.id > 3 }
                .map { coupon in (coupon.id, few.count { $0.number == coupon.number }) }
                .filter { (_, count) in count > 1 }
            try expectEqual(perCoupon.map(\.key.0), counted.map(\.0))
            try expectEqual(perCoupon.map(\.values), counted.map(\.1))
        },
        promise(.joins, "conditions on other rows hold beside conditions on the row's own") {
            client in
            let (coupons, redemptions) = try await insertPairs(client)
            func check(
                _ request: FetchRequest<Coupon>,
                _ holds: (Coupon, Int) -> Bool
            ) async throws {
                let expected = coupons.filter { coupon in
                    let number = coupon.number
                    return holds(
                        coupon,
                        number == nil ? 0 : redemptions.count { $0.number == number && $0.seat > 2 }
                    )
                }
                try expectEqual(try await client.fetch(request).map(\.id), expected.map(\.id))
            }
            try await check(
                Coupon.where { coupon in
                    coupon.id < 9
                        && Redemption.where { $0.seat > 2 }.exists { $0.number == coupon.number }
                }
            ) { $0.id < 9 && $1 > 0 }
            try await check(
                Coupon.where { coupon in
                    coupon.id > 4
                        && !Redemption.where { $0.seat > 2 }.exists { $0.number == coupon.number }
                }
            ) { $0.id > 4 && $1 == 0 }
            try await check(
                Coupon.where { coupon in
                    coupon.isOpen == true
                        && (coupon.id == 1
                            || Redemption.where { $0.seat > 2 }.count { $0.number == coupon.number }
                                < 3)
                }
            ) { $0.isOpen == true && ($0.id == 1 || $1 < 3) }
        },
    ]

    private static func insertPairs(
        _ client: some DBClient
    ) async throws -> ([Coupon], [Redemption]) {
        let coupons = (1...20).map { Coupon($0, $0 % 7) }
        let redemptions = (1...60).map { id in
            Redemption(id: id, number: [nil, 0, -7, 42, 3, 3][id % 6], seat: id % 10)
        }
        try await client.insert(coupons)
        try await client.insert(redemptions)
        return (coupons, redemptions)
    }

    private struct Undone: Error {}

    /// The different values of a field, each with the number of those that have it.
    private static func counts<Key: StorableValue & Equatable>(
        _ calls: some ReadCalls,
        _ field: KeyPath<Coupon, Key>
    ) throws -> [Int] {
        try calls.fetch(Coupon.all.grouped(by: field).select(.count)).map(\.values)
    }

    /// Compares the groups of each field with what they are without an index: those of values that are fetched.
    private static func checkAll(
        _ calls: some ReadCalls,
        _ values: [(id: Int, value: Int)]
    ) throws {
        let coupons = values.map { Coupon($0.id, $0.value) }
        func check<Key: StorableValue & Hashable>(
            _ field: KeyPath<Coupon, Key>,
            _ isBefore: (Key, Key) -> Bool
        ) throws {
            let expected = Dictionary(grouping: coupons) { $0[keyPath: field] }
                .sorted { isBefore($0.key, $1.key) }
            let groups = try calls.fetch(Coupon.all.grouped(by: field).select(.count))
            try expectEqual(groups.map(\.key), expected.map(\.key), "\(field)")
            try expectEqual(groups.map(\.values), expected.map(\.value.count), "\(field)")
            try expectEqual(
                try calls.distinct(field, of: Coupon.all),
                expected.map(\.key),
                "\(field)"
            )
        }
        func nilFirst<Value>(
            _ isBefore: @escaping (Value, Value) -> Bool
        ) -> (Value?, Value?) -> Bool {
            { left, right in
                guard let left, let right else { return left == nil && right != nil }
                return isBefore(left, right)
            }
        }
        try check(\.number, nilFirst(<))
        try check(\.amount, nilFirst(<))
        try check(\.name, nilFirst { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        try check(\.bytes, nilFirst { $0.lexicographicallyPrecedes($1) })
        try check(\.day, nilFirst(<))
        try check(\.code, nilFirst { $0.uuidString < $1.uuidString })
        try check(\.price, nilFirst(<))
        try check(\.isOpen, nilFirst { !$0 && $1 })
        try check(\.site, nilFirst { $0.absoluteString < $1.absoluteString })
    }
}
