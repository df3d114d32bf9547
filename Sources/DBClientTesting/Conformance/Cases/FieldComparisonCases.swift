import DBClientCore
import Foundation

/// Comparisons of two fields of one value.
enum FieldComparisonCases {
    static let all: [ConformanceCase] = types + meaning + held

    /// Checks every comparison of a field with an optional one: less, equal, greater and absent.
    private static func compares<Value: Comparable & Sendable>(
        _ type: String,
        _ low: Value,
        _ high: Value,
        _ set: @escaping @Sendable (inout EveryType, Value, Value?) -> Void,
        _ fields:
            @escaping @Sendable (Fields<EveryType>) -> (
                Field<EveryType, Value>, Field<EveryType, Value?>
            )
    ) -> ConformanceCase {
        promise(.conditions, "fields of a value compare: \(type)") { client in
            let pairs: [(Value, Value?)] = [(low, high), (high, high), (high, low), (low, nil)]
            try await client.insert(
                pairs.enumerated().map { index, pair in
                    var value = EveryType(index + 1)
                    set(&value, pair.0, pair.1)
                    return value
                }
            )
            func expect(
                _ expected: [Int],
                _ condition:
                    (Field<EveryType, Value>, Field<EveryType, Value?>) -> Condition<EveryType>
            ) async throws {
                let some = EveryType.where {
                    let (field, optional) = fields($0)
                    return condition(field, optional)
                }
                try expectEqual(try await client.fetch(some).map(\.id), expected)
                try expectEqual(try await client.count(some), expected.count)
            }
            try await expect([1]) { $0 < $1 }
            try await expect([1, 2]) { $0 <= $1 }
            try await expect([3]) { $0 > $1 }
            try await expect([2, 3]) { $0 >= $1 }
            try await expect([3]) { $1 < $0 }
            try await expect([2, 3]) { $1 <= $0 }
            try await expect([1]) { $1 > $0 }
            try await expect([1, 2]) { $1 >= $0 }
            try await expect([2]) { $0 == $1 }
            try await expect([1, 3, 4]) { $0 != $1 }
            try await expect([2]) { $1 == $0 }
            try await expect([1, 3, 4]) { $1 != $0 }
            try await expect([2, 3, 4]) { !($0 < $1) }
            try await expect([1, 2, 4]) { !($1 < $0) }
            try await expect([1, 2, 3, 4]) { field, _ in field == field }
            try await expect([1, 2, 3, 4]) { _, optional in optional == optional }
            try await expect([1, 2, 3]) { _, optional in optional <= optional }
        }
    }

    private static let types: [ConformanceCase] = [
        compares(
            "integers",
            -5,
            40,
            { ($0.int64, $0.optionalInt64) = ($1, $2) },
            { ($0.int64, $0.optionalInt64) }
        ),
        compares(
            "small integers",
            3,
            200,
            { ($0.uint8, $0.optionalUint8) = ($1, $2) },
            { ($0.uint8, $0.optionalUint8) }
        ),
        compares(
            "doubles",
            -0.5,
            .infinity,
            { ($0.double, $0.optionalDouble) = ($1, $2) },
            { ($0.double, $0.optionalDouble) }
        ),
        compares(
            "floats",
            0.1,
            0.25,
            { ($0.float, $0.optionalFloat) = ($1, $2) },
            { ($0.float, $0.optionalFloat) }
        ),
        compares(
            "text",
            "Z",
            "a",
            { ($0.text, $0.optionalText) = ($1, $2) },
            { ($0.text, $0.optionalText) }
        ),
        compares(
            "dates",
            Date(timeIntervalSince1970: -1),
            Date(timeIntervalSince1970: 0.5),
            { ($0.date, $0.optionalDate) = ($1, $2) },
            { ($0.date, $0.optionalDate) }
        ),
        compares(
            "decimals",
            -9,
            10,
            { ($0.decimal, $0.optionalDecimal) = ($1, $2) },
            { ($0.decimal, $0.optionalDecimal) }
        ),
        promise(.conditions, "fields without an order are equal or not") { client in
            var values = (1...3).map { EveryType($0) }
            let full = EveryType.full(0)
            for index in 0..<2 {
                let other = index == 0 ? full : values[2]
                values[index].flag = true
                values[index].optionalFlag = index == 0
                (values[index].uuid, values[index].optionalUuid) = (full.uuid, other.uuid)
                (values[index].data, values[index].optionalData) = (full.data, other.data)
                (values[index].url, values[index].optionalUrl) = (full.url, other.url)
                (values[index].mood, values[index].optionalMood) = (full.mood, other.mood)
                (values[index].level, values[index].optionalLevel) = (full.level, other.level)
                (values[index].tags, values[index].optionalTags) = (full.tags, other.tags)
            }
            try await client.insert(values)
            let conditions: [(Fields<EveryType>) -> Condition<EveryType>] = [
                { $0.flag == $0.optionalFlag }, { $0.optionalUuid == $0.uuid },
                { $0.data == $0.optionalData }, { $0.url == $0.optionalUrl },
                { $0.mood == $0.optionalMood }, { $0.level == $0.optionalLevel },
                { $0.tags == $0.optionalTags },
            ]
            for (number, condition) in conditions.enumerated() {
                let equal = EveryType.where(condition)
                try expectEqual(try await client.fetch(equal).map(\.id), [1], "\(number):")
                let other = EveryType.where { !condition($0) }
                try expectEqual(try await client.fetch(other).map(\.id), [2, 3], "\(number):")
            }
            let different = EveryType.where { $0.mood != $0.optionalMood }
            try expectEqual(try await client.fetch(different).map(\.id), [2, 3])
        },
    ]

    private static let stays = [
        Stay(1, planned: 3, actual: 4, guest: "ann", payer: "ann", from: Place("ann", zip: 4)),
        Stay(2, planned: 3, actual: 3, guest: "bob", payer: "ann", from: Place("bob")),
        Stay(3, planned: 5, guest: "cid"), Stay(4, guest: "dan", from: Place("", zip: 1)),
    ]

    private static let meaning: [ConformanceCase] = [
        promise(.conditions, "fields that are both absent are equal, and have no order") { client in
            try await client.insert(stays)
            func ids(
                _ condition: (Fields<Stay>) -> Condition<Stay>
            ) async throws -> [Int] {
                try await client.fetch(Stay.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.planned == $0.actual }, [2, 4])
            try expectEqual(try await ids { $0.planned != $0.actual }, [1, 3])
            try expectEqual(try await ids { !($0.planned == $0.actual) }, [1, 3])
            try expectEqual(try await ids { $0.planned <= $0.actual }, [1, 2])
            try expectEqual(try await ids { !($0.planned <= $0.actual) }, [3, 4])
            try expectEqual(try await ids { $0.planned < $0.actual || $0.id == 4 }, [1, 4])
            try expectEqual(
                try await ids { $0.planned == 3 && $0.planned < $0.actual && $0.guest == "ann" },
                [1]
            )
            try expectEqual(try await ids { $0.from.city == $0.guest }, [1, 2])
            try expectEqual(try await ids { $0.from.zip == $0.actual }, [1, 3])
            try expectEqual(try await ids { $0.from.city < $0.guest }, [4])
            try expectEqual(try await ids { $0.payer == $0.from.city }, [1, 3])
        },
        promise(.conditions, "values are changed and deleted by how their fields compare") {
            client in
            try await client.insert(stays)
            let late = Stay.where { $0.actual > $0.planned }
            try expectEqual(try await client.update(late) { $0.set(\.guest, to: "late") }, 1)
            try expectEqual(try await client.find(Stay.self, key: 1)?.guest, "late")
            let even = Stay.where { $0.planned == $0.actual }
            try expectEqual(try await client.delete(even), 2)
            try expectEqual(try await client.fetch(Stay.all).map(\.id), [1, 3])
        },
        promise(.conditions, "fields compare in a predicate and by name") { client in
            try await client.insert(stays)
            let predicates: [(Predicate<Stay>, [Int])] = [
                (#Predicate { $0.planned == $0.actual }, [2, 4]),
                (#Predicate { $0.planned != $0.actual && $0.id > 1 }, [3]),
                (#Predicate { $0.payer == $0.from?.city }, [1, 3]),
            ]
            for (predicate, expected) in predicates {
                let request = try FetchRequest(predicate)
                try expectEqual(try await client.fetch(request).map(\.id), expected)
            }
            let less = try Condition<Stay>.field("planned", .less, field: "actual")
            try expectEqual(try await client.fetch(Stay.where { _ in less }).map(\.id), [1])
            let entity = Stay.schema.entity
            let equal = DynamicRequest(entity).filter(.field("planned", .equal, field: "actual"))
            let rows = try await client.fetch(equal)
            try expectEqual(rows.map { $0["id"] }, [2, 4])
            try await expectError(.invalidRequest) {
                _ = try Condition<Stay>.field("planned", .less, field: "guest")
            }
            try await expectError(.invalidRequest) {
                let wrong = DynamicCondition.field("guest", .equal, field: "nothing")
                _ = try await client.fetch(DynamicRequest(entity).filter(wrong))
            }
        },
        promise(.conditions, "what is not one field, or is of another value, is not compared") {
            client in
            let wrong: [(Fields<Stay>) -> Condition<Stay>] = [
                { $0.from == $0.from }, { $0.host == $0.owner }, { $0.host.name == $0.guest },
                { $0.host.name != $0.owner.name },
            ]
            for condition in wrong {
                try await expectError(.invalidRequest) {
                    _ = try await client.count(Stay.where(condition))
                }
            }
            // The outer value's field is none of the inner one.
            let named = Artist.where { artist in
                artist.skills.contains { $0.level > 0 }
                    && artist.friends.contains { $0.name == artist.name }
            }
            try await expectError(.invalidRequest) { _ = try await client.count(named) }
            let outer: [(Field<Artist, String>, Fields<Artist>) -> Condition<Artist>] = [
                { name, _ in name == "Ada" },
                { name, friend in friend.name == "Bo" && name == "Ada" },
                { name, friend in friend.name == "Bo" || name.hasPrefix("A") },
                { name, _ in !name.isIn(["Ada"]) },
            ]
            for condition in outer {
                let asked = [
                    Artist.where { artist in
                        artist.friends.contains { condition(artist.name, $0) }
                    },
                    Artist.where { artist in
                        artist.friends.allSatisfy { condition(artist.name, $0) }
                    },
                    Artist.where { artist in
                        artist.friends.count { condition(artist.name, $0) } > 1
                    },
                    Artist.where { artist in
                        artist.friends.sum(\.id) { condition(artist.name, $0) } > 1
                    },
                ]
                for request in asked {
                    try await expectError(.invalidRequest) { _ = try await client.count(request) }
                }
            }
            try await expectError(.invalidRequest) {
                _ = try Condition<EveryType>.field("tags", .less, field: "optionalTags")
            }
        },
        observing("a condition on two fields is observed") { client in
            try await client.insert(stays)
            var counts = client.observeCount(Stay.where { $0.actual == $0.planned })
                .makeAsyncIterator()
            try expectEqual(try await counts.next(), 2)
            try await client.update(Stay.self, key: 1) { $0.set(\.planned, to: 4) }
            try expectEqual(try await counts.next(), 3)
            var late = client.observe(Stay.where { $0.actual > $0.planned }).makeAsyncIterator()
            try expectEqual(try await late.next()?.objects.map(\.id), [])
            try await client.update(Stay.self, key: 2) { $0.set(\.actual, to: 9) }
            try expectEqual(try await late.next()?.objects.map(\.id), [2])
        },
        promise(.conditions, "fields that are true or false are joined with others") { client in
            try await client.insert([
                Hero(1, power: 2), Hero(2, power: 2, isActive: false), Hero(3),
            ])
            func ids(_ condition: (Fields<Hero>) -> Condition<Hero>) async throws -> [Int] {
                try await client.fetch(Hero.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.isActive && $0.power == 2 }, [1])
            try expectEqual(try await ids { $0.power == 2 && $0.isActive }, [1])
            try expectEqual(try await ids { $0.isActive || $0.power == 2 }, [1, 2, 3])
            try expectEqual(try await ids { $0.id == 2 || $0.isActive }, [1, 2, 3])
            try expectEqual(try await ids { $0.isActive && $0.isActive && $0.id > 1 }, [3])
            try expectEqual(try await ids { $0.isActive || $0.isActive }, [1, 3])
            try expectEqual(try await ids { !($0.isActive && $0.power == 2) && $0.id < 3 }, [2])
        },
    ]

    private static let held: [ConformanceCase] = [
        promise(.relationships, "two fields of what is held compare") { client in
            try await client.insert(
                stays.map { Tour($0.id, first: $0, stays: Array(stays[..<$0.id])) }
                    + [Tour(5, stays: [stays[2]])]
            )
            func ids(_ condition: (Fields<Tour>) -> Condition<Tour>) async throws -> [Int] {
                try await client.fetch(Tour.where(condition)).map(\.id)
            }
            try expectEqual(try await ids { $0.first.planned < $0.first.actual }, [1])
            // Where nothing is held both are absent.
            try expectEqual(try await ids { $0.first.planned == $0.first.actual }, [2, 4, 5])
            try expectEqual(try await ids { $0.first.planned != $0.first.actual }, [1, 3])
            try expectEqual(try await ids { $0.first.from.city == $0.first.guest }, [1, 2, 5])
            try expectEqual(
                try await ids { $0.stays.contains { $0.planned == $0.actual } },
                [2, 3, 4]
            )
            try expectEqual(
                try await ids { $0.stays.allSatisfy { $0.planned <= $0.actual } },
                [1, 2]
            )
        }
    ]
}
