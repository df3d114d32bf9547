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
