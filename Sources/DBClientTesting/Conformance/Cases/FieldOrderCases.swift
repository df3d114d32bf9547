import DBClientCore

/// Models of one entity that name its fields in another order: a field is known by its name.
enum FieldOrderCases {
    static let all: [ConformanceCase] = [
        promise(.schemas, "models that order the fields otherwise share an entity") { client in
            try await client.insert([Pair(2, "b", 20), Pair(1, "a", nil)])
            let turned = [TurnedPair(1, "a", nil), TurnedPair(2, "b", 20)]
            try expectEqual(try await client.findAll(TurnedPair.self), turned)
            try expectEqual(try await client.find(TurnedPair.self, key: 2), turned[1])
            try expectEqual(
                try await client.fetch(TurnedPair.where { $0.second == nil }),
                [turned[0]]
            )
            try await client.insert(TurnedPair(3, "c", 30))
            try await client.upsert([TurnedPair(2, "B", 21), TurnedPair(4, "d", 40)])
            try await client.update(Pair(1, "A", 10))
            try await client.update(TurnedPair.self, key: 4) { $0.set(\.first, to: "D") }
            try expectEqual(try await client.delete(Pair.self, key: 3), true)
            let pairs = [Pair(1, "A", 10), Pair(2, "B", 21), Pair(4, "D", 40)]
            try expectEqual(try await client.findAll(Pair.self), pairs)
            try expectEqual(try await client.sum(\TurnedPair.second, of: TurnedPair.all), 71)
            try expectEqual(
                try await client.fetch(TurnedPair.all.sorted { $0.first.descending }).map(\.id),
                [4, 2, 1]
            )
        },
        promise(.schemas, "models of either order in one transaction", requires: [.savepoints]) {
            client in
            try await client.write { transaction in
                try transaction.insert(Pair(1, "a", 1))
                try transaction.write { try $0.insert(TurnedPair(2, "b", 2)) }
                try? transaction.write { nested in
                    try nested.update(TurnedPair(1, "lost", 0))
                    throw SuiteError.deliberate
                }
                try transaction.update(Pair.all.filter { $0.first == "b" }) {
                    $0.set(\.second, to: 3)
                }
                try expectEqual(
                    try transaction.findAll(TurnedPair.self),
                    [TurnedPair(1, "a", 1), TurnedPair(2, "b", 3)]
                )
            }
            try expectEqual(
                try await client.findAll(Pair.self),
                [Pair(1, "a", 1), Pair(2, "b", 3)]
            )
        },
        promise(
            .schemas,
            "models that order the fields otherwise keep a unique value",
            requires: [.uniqueIndexes]
        ) { client in
            try await client.insert(Pair(1, "a", 1))
            try await expectError(.uniqueViolation) {
                try await client.insert(TurnedPair(2, "a", 2))
            }
            try await client.insert(TurnedPair(2, "b", 2))
            try await expectError(.uniqueViolation) {
                try await client.update(Pair(1, "b", 1))
            }
            try await client.delete(Pair.self, key: 2)
            try await client.upsert(TurnedPair(1, "b", 1))
            try await client.insert(Pair(3, "a", 3))
            try expectEqual(try await client.findAll(Pair.self).map(\.first), ["b", "a"])
        },
    ]
}
