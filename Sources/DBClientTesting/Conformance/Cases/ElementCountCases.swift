import DBClientCore
import Foundation

/// How many elements a list has that is kept in one field.
enum ElementCountCases {
    private static let values: [EveryType] = {
        var values = (1...4).map { EveryType($0) }
        values[1].tags = ["a,\"b", "]"]
        values[1].numbers = [3]
        values[1].scores = ["a": 1, "b}": 2, "c": 3]
        values[1].optionalTags = []
        values[2].tags = ["x"]
        values[2].numbers = [1, 2, 3]
        values[2].optionalTags = ["a", "b", "c"]
        values[2].optionalScores = ["é": 1]
        values[3].optionalTags = ["z"]
        return values
    }()

    private static func counted(
        _ name: String,
        _ run:
            @escaping @Sendable (
                any DBClient, ((Fields<EveryType>) -> Condition<EveryType>) async throws -> [Int]
            ) async throws -> Void
    ) -> ConformanceCase {
        promise(.conditions, name) { client in
            try await client.insert(values)
            try await run(client) { condition in
                try await client.fetch(EveryType.where(condition)).map(\.id)
            }
        }
    }

    static let all: [ConformanceCase] = [
        counted("the elements of a list, a set and a dictionary are counted") { _, ids in
            try expectEqual(try await ids { $0.tags.count > 1 }, [2])
            try expectEqual(try await ids { $0.tags.count == 0 }, [1, 4])
            try expectEqual(try await ids { $0.tags.count != 1 }, [1, 2, 4])
            try expectEqual(try await ids { $0.tags.count <= 1 && $0.numbers.count >= 1 }, [3])
            try expectEqual(try await ids { $0.numbers.count < 3 && $0.numbers.count > 0 }, [2])
            try expectEqual(try await ids { $0.scores.count == 3 }, [2])
            try expectEqual(try await ids { !($0.scores.count < 3) }, [2])
            try expectEqual(
                try await ids { $0.tags.count == Int.max || $0.tags.count > -1 },
                [1, 2, 3, 4]
            )
        },
        counted("an absent list has no number of elements") { _, ids in
            try expectEqual(try await ids { $0.optionalTags.count == 0 }, [2])
            try expectEqual(try await ids { $0.optionalTags.count < 2 }, [2, 4])
            try expectEqual(try await ids { !($0.optionalTags.count < 2) }, [1, 3])
            try expectEqual(try await ids { $0.optionalTags.count != 3 }, [1, 2, 4])
            try expectEqual(try await ids { $0.optionalTags.count == nil }, [1])
            try expectEqual(try await ids { $0.optionalTags.count != nil }, [2, 3, 4])
            try expectEqual(try await ids { $0.optionalScores.count >= 1 }, [3])
            let number: Int? = nil
            try expectEqual(try await ids { $0.optionalTags.count > number }, [])
        },
        promise(.conditions, "values of a Codable type are counted as well") { client in
            let values = [Bag(1), Bag(2, [Bag.Item("a")]), Bag(3, [Bag.Item("b"), Bag.Item("}")])]
            try await client.insert(values)
            try expectEqual(try await client.fetch(Bag.where { $0.items.count > 1 }), [values[2]])
            try expectEqual(try await client.fetch(Bag.where { $0.items.isEmpty }), [values[0]])
            try expectEqual(
                try await client.fetch(Bag.all.filter(#Predicate { $0.items.count == 1 })),
                [values[1]]
            )
        },
        counted("predicates count elements") { client, _ in
            let predicates: [(Predicate<EveryType>, [Int])] = [
                (#Predicate { $0.tags.count > 1 }, [2]),
                (#Predicate { 2 <= $0.numbers.count }, [3]),
                (#Predicate { $0.scores.count != 0 }, [2]),
                (#Predicate { ($0.optionalTags?.count ?? 7) > 2 }, [1, 3]),
                (#Predicate { ($0.optionalTags?.count ?? 0) == 0 }, [1, 2]),
                (#Predicate { $0.optionalTags?.count == 1 }, [4]),
                (#Predicate { $0.optionalTags?.count == nil }, [1]),
            ]
            for (predicate, expected) in predicates {
                let request = try EveryType.all.filter(predicate)
                try expectEqual(try await client.fetch(request).map(\.id), expected)
                // The predicate means in the store what it means in Swift.
                try expectEqual(
                    try values.filter { try predicate.evaluate($0) }.map(\.id),
                    expected
                )
            }
        },
        promise(.conditions, "elements of what is held are counted") { client in
            try await client.insert([
                BagOwner(1, Bag(1, [Bag.Item("a")])), BagOwner(2, Bag(2)), BagOwner(3, nil),
            ])
            try expectEqual(
                try await client.fetch(BagOwner.where { $0.bag.items.count == 1 }).map(\.id),
                [1]
            )
            try expectEqual(
                try await client.fetch(BagOwner.where { $0.bag.items.count != 1 }).map(\.id),
                [2, 3]
            )
        },
        observing("a number of elements decides what is observed") { client in
            try await client.insert(values)
            var observer = try await Observer(
                client.observe(EveryType.where { $0.tags.count > 1 })
            )
            try await client.update(EveryType.self, key: 1) { $0.set(\.tags, to: ["a"]) }
            try await client.update(EveryType.self, key: 4) { $0.set(\.tags, to: ["a", "b"]) }
            try expectEqual(try await observer.update().objects.map(\.id), [2, 4])
            try await client.update(EveryType.self, key: 2) { $0.set(\.tags, to: []) }
            try expectEqual(try await observer.update().objects.map(\.id), [4])
        },
    ]
}
