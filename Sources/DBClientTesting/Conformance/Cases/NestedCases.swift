import DBClientCore
import Foundation

/// Collections in collections, enums with associated values, structs in structs.
enum NestedCases {
    private static let full = Nested(
        1,
        matrix: [[1, nil, 3], [], [nil]],
        groups: ["a": [[3, 1, 2], []], "": []],
        deepest: [[["when": [Date(timeIntervalSince1970: 1.5), nil]]], []],
        shape: .group([
            .circle(radius: 2.5), .path([.init(name: "é", at: [1, -2])], isClosed: true),
        ]),
        shapes: ["x": [.point, nil], "y": []],
        address: .init("Main", Place("Bern", zip: 3000), former: Place("Basel")),
        second: .init("Side", Place("Chur"))
    )

    static let all: [ConformanceCase] = [
        promise(.values, "collections in collections come back as they were") { client in
            try await client.insert([full, Nested(2), Nested(3, deepest: [])])
            try expectEqual(
                try await client.findAll(Nested.self),
                [full, Nested(2), Nested(3, deepest: [])]
            )
            try expectSame(try await client.find(Nested.self, key: 1), full)
        },
        promise(.values, "equal values that hold sets and dictionaries are equal in the store") {
            client in
            var generator = SeededGenerator(seed: 14)
            try await client.insert((0..<20).map { Traits($0, number: $0 % 2, using: &generator) })
            try expectEqual(try await client.count(Traits.where { $0.marks == $0.otherMarks }), 20)
            let one = Traits(99, number: 1, using: &generator)
            let like = Traits.matching(one, fields: \.marks, \.places, \.moods)
            try expectEqual(try await client.count(like), 10)
            let first = try await client.fetch(Traits.all)
            try expectEqual(first[1].marks, one.marks)
            try expectEqual(first[1].places, one.places)
            // Written again in another order, nothing was modified.
            var observer = try await Observer(client.observe(Traits.all))
            let again = (0..<20).map { Traits($0, number: $0 % 2, using: &generator) }
            let added = Traits(20, number: 1, using: &generator)
            try await client.write { transaction in
                try transaction.upsert(again)
                try transaction.insert(added)
            }
            let changes = try await observer.update()
            try expectEqual(changes.insertions, [20])
            try expectEqual(changes.modifications.count, 0)
        },
        promise(
            .values,
            "key paths lead to fields of embedded structs",
            requires: [.aggregates]
        ) { client in
            try await client.insert([
                full, Nested(2, address: .init("Main", Place("Aarau", zip: 7))),
            ])
            let streets = try await client.fetch(Nested.all.select(\.address.street))
            try expectEqual(streets, ["Main", "Main"])
            let cities = try await client.fetch(
                Nested.all.select(\.id, \.address.place.city, \.address.place.zip)
            )
            try expectEqual(cities.map(\.1), ["Bern", "Aarau"])
            try expectEqual(cities.map(\.2), [3000, 7])
            try expectEqual(try await client.sum(\.address.place.zip, of: Nested.all), 3007)
            try expectEqual(try await client.min(\.address.place.zip, of: Nested.all), 7)
            let groups = try await client.fetch(
                Nested.all.grouped(by: \.address.place.city).select(.sum(\.address.place.zip))
            )
            try expectEqual(groups.map(\.key), ["Aarau", "Bern"])
            try expectEqual(groups.map(\.values), [7, 3000])
        },
        promise(.values, "fields of a struct in a struct are asked for and sorted by") { client in
            try await client.insert([full, Nested(2, address: .init("Main", Place("Aarau")))])
            func keys(
                _ condition: (Fields<Nested>) -> Condition<Nested>
            ) async throws -> [Int] {
                try await client.fetch(
                    Nested.where(condition).sorted { $0.address.place.city }
                ).map(\.id)
            }
            try expectEqual(try await keys { $0.address.street == "Main" }, [2, 1])
            try expectEqual(try await keys { $0.address.place.zip == 3000 }, [1])
            try expectEqual(try await keys { $0.address.former.city == "Basel" }, [1])
            try expectEqual(try await keys { $0.address.former == nil }, [2])
            try expectEqual(try await keys { $0.second.place.city == "Chur" }, [1])
            try expectEqual(try await keys { $0.second.place.zip == nil }, [2, 1])
            try expectEqual(try await keys { $0.second.former.city == nil }, [2, 1])
            try expectEqual(try await keys { $0.second == nil }, [2])
            try expectEqual(try await keys { $0.deepest != nil }, [1])
        },
        promise(.values, "a nested value that no engine keeps is refused by name") { client in
            let error = try await expectError(.invalidValue) {
                try await client.insert(Nested(1, shape: .circle(radius: .nan)))
            }
            try expectEqual(error.entity, "Nested")
            try expectEqual(error.field, "shape")
            try await expectError(.invalidValue) {
                try await client.insert(
                    Nested(1, shape: .path([.init(name: "a\0", at: [])], isClosed: false))
                )
            }
            try expectEqual(try await client.count(Nested.all), 0)
        },
        promise(.values, "nested values are replaced one by one") { client in
            try await client.insert(full)
            try await client.update(Nested.self, key: 1) {
                $0.set(\.shape, to: .circle(radius: 1))
                $0.set(\.matrix, to: [[9]])
                $0.set(\.second, to: nil)
            }
            var expected = full
            expected.shape = .circle(radius: 1)
            expected.matrix = [[9]]
            expected.second = nil
            try expectEqual(try await client.findAll(Nested.self), [expected])
        },
    ]
}
