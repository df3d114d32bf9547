import DBClientCore

/// Embedded values in the store that their types do not fit.
enum EmbeddedRefusalCases {
    /// Ways to damage a row, each with the field that is told.
    private static let damages: [(field: String, @Sendable (inout LodgerRow) -> Void)] = [
        ("home_mood", { $0.mood = "bored" }),
        ("home_level", { $0.level = 7 }),
        (
            "former_mood",
            {
                $0.former = true
                $0.formerMood = "bored"
            }
        ),
        (
            "former_level",
            {
                $0.former = true
                $0.formerMood = "calm"
                $0.formerLevel = 7
            }
        ),
        // There by its first column, but its required one is not.
        ("former_mood", { $0.former = true }),
        (
            "former_mood",
            {
                $0.former = true
                $0.formerLevel = 1
            }
        ),
    ]

    static let all: [ConformanceCase] = [
        promise(.values, "a stored embedded value that does not fit is told by its field") {
            client in
            let others = [Lodger(1), Lodger(3, .init(.angry, .high), former: .init(.élan, .low))]
            for (field, damage) in damages {
                try await client.insert(others)
                var row = LodgerRow(2)
                damage(&row)
                try await client.insert(row)
                let reads: [() async throws -> Void] = [
                    { _ = try await client.find(Lodger.self, key: 2) },
                    { _ = try await client.findAll(Lodger.self) },
                    { _ = try await client.fetch(Lodger.where { $0.id > 1 }) },
                    { for try await _ in client.stream(Lodger.all) {} },
                    { try await client.read { try $0.forEach(Lodger.all) { _ in true } } },
                ]
                for read in reads {
                    let error = try await expectError(.decoding, read)
                    try expectEqual(error.entity, "Lodger")
                    try expectEqual(error.field, field)
                }
                // Requests that do not read it still work, and a written value takes its place.
                try expectEqual(
                    try await client.find(Lodger.self, keys: [3, 1]),
                    others.reversed()
                )
                try expectEqual(try await client.count(Lodger.where { $0.home.mood == .angry }), 1)
                try await client.update(Lodger.self, key: 3) { $0.set(\.home.level, to: nil) }
                try await client.upsert(Lodger(2, former: .init(.calm)))
                try expectEqual(
                    try await client.findAll(Lodger.self),
                    [
                        Lodger(1), Lodger(2, former: .init(.calm)),
                        Lodger(3, .init(.angry), former: .init(.élan, .low)),
                    ]
                )
                try await client.deleteAll(Lodger.self)
            }
        },
        promise(.values, "a value that cannot be decoded undoes its transaction") { client in
            try await client.insert([Lodger(1), Lodger(2)])
            var row = LodgerRow(2)
            row.mood = "bored"
            try await client.update(row)
            let error = try await expectError(.decoding) {
                try await client.write { transaction in
                    try transaction.update(Lodger(1, .init(.angry)))
                    try transaction.insert(Lodger(3))
                    _ = try transaction.find(Lodger.self, key: 2)
                }
            }
            try expectEqual(error.field, "home_mood")
            try expectEqual(try await client.find(Lodger.self, key: 1), Lodger(1))
            try expectEqual(try await client.count(Lodger.all), 2)
        },
        promise(.values, "columns of an embedded value that is not there are not read") { client in
            for presence in [nil, false] {
                var row = LodgerRow(1)
                row.former = presence
                row.formerMood = "bored"
                row.formerLevel = 7
                try await client.upsert(row)
                try expectEqual(try await client.findAll(Lodger.self), [Lodger(1)])
            }
        },
    ]
}
