import DBClientCore

/// Relationships that hold values of another model than those that were stored, with keys of the same type.
enum RetargetedCases {
    private typealias Boarded = Pin<PinBoard>
    private typealias Walled = Pin<PinWall>

    static let all: [ConformanceCase] = [
        MigrationCases.migrating("a relationship to another model does not fit what is stored") {
            client in
            try await fill(client)
            let step = Migration.adapt(Walled.self)
            for _ in 0..<2 {
                for use in uses {
                    let error = try await expectError(.schemaMismatch) { try await use(client) }
                    try expectEqual(error.entity, "Pin")
                    try expectEqual(error.field, "place")
                }
                let error = try await expectError(.migrationRequired) {
                    try await client.migrate([step])
                }
                try expectEqual(error.field, "place")
                try await expectError(.migrationRequired) {
                    _ = try await client.pendingChanges(of: [step])
                }
            }
            try expectEqual(try await client.findAll(Boarded.self), pins)
            // The rule of what is stored is in force, and no other.
            try await client.delete(PinWall.self, key: 1)
            try await client.delete(PinBoard.self, key: 1)
            try expectEqual(
                try await client.findAll(Boarded.self),
                [Boarded(1, place: nil, others: [2]), Boarded(2, place: 2, others: [])]
            )
        },
        MigrationCases.migrating("a list of values of another model does not fit what is stored") {
            client in
            try await fill(client)
            try await expectError(.schemaMismatch) { _ = try await client.findAll(HalfPin.self) }
            try await expectError(.schemaMismatch) {
                try await client.upsert(HalfPin(1, place: 1, others: [1]))
            }
            let step = Migration.adapt(HalfPin.self)
            let error = try await expectError(.migrationRequired) {
                try await client.migrate([step])
            }
            try expectEqual(error.field, "others")
            try await expectError(.migrationRequired) {
                _ = try await client.pendingChanges(of: [step])
            }
            try expectEqual(try await client.findAll(Boarded.self), pins)
        },
        MigrationCases.migrating("what is held is converted to values of another model, once") {
            client in
            try await fill(client)
            let step = Migration.convert(Boarded.self, to: Walled.self) { former in
                Walled(former.id, place: former.place?.key, others: former.others.keys)
            }
            try expectEqual(try await client.migrate([step]).count, 1)
            for _ in 0..<2 {
                try expectEqual(try await client.migrate([step]), [])
                try expectEqual(try await client.pendingChanges(of: [step]), [])
                try await expectError(.schemaMismatch) {
                    _ = try await client.findAll(Boarded.self)
                }
            }
            try await client.delete(PinBoard.self, keys: [1, 2])
            try expectEqual(try await client.findAll(Walled.self).map(\.place?.key), [1, 2])
            try await client.delete(PinWall.self, key: 1)
            try expectEqual(try await client.findAll(Walled.self).map(\.place?.key), [nil, 2])
            // And back.
            try await client.insert([PinBoard(1), PinBoard(2)])
            let back = Migration.convert(Walled.self, to: Boarded.self) {
                Boarded($0.id, place: $0.place?.key, others: $0.others.keys)
            }
            try expectEqual(try await client.migrate([back]).count, 1)
            try expectEqual(try await client.findAll(Boarded.self).map(\.place?.key), [nil, 2])
        },
        MigrationCases.migrating("keys of nothing in particular become those of a model") {
            client in
            try await client.insert(PinBoard(1))
            try await client.insert([PlainPin(1, place: 1), PlainPin(2, place: nil)])
            try expectEqual(try await client.pendingChanges(of: [.adapt(Boarded.self)]), [])
            try expectEqual(try await client.findAll(Boarded.self).map(\.place?.key), [1, nil])
            try await client.insert(PlainPin(3, place: 1))
            try expectEqual(try await client.count(PlainPin.all), 3)
        },
        ConformanceCase(
            .migrations,
            "whose keys a relationship has is known when the store is opened again",
            requires: [.migrations, .persistence]
        ) { context in
            try await fill(context.client)
            let client = try await context.reopen()
            for use in uses {
                try await expectError(.schemaMismatch) { try await use(client) }
            }
            try expectEqual(try await client.findAll(Boarded.self), pins)
        },
    ]

    private static let pins = [
        Boarded(1, place: 1, others: [1, 2]), Boarded(2, place: 2, others: [1]),
    ]

    private static func fill(_ client: any DBClient) async throws {
        try await client.insert([PinBoard(1), PinBoard(2)])
        try await client.insert([PinWall(1), PinWall(2)])
        try await client.insert(pins)
    }

    private static let uses: [@Sendable (any DBClient) async throws -> Void] = [
        { _ = try await $0.findAll(Walled.self) },
        { _ = try await $0.find(Walled.self, key: 1) },
        { _ = try await $0.count(Walled.all) },
        { try await $0.insert(Walled(9, place: 1)) },
        { try await $0.upsert(Walled(1, place: 1)) },
        { try await $0.update(Walled.self, key: 1) { $0.set(\.place, to: nil) } },
        { try await $0.delete(Walled.where { $0.id > 100 }) },
    ]
}
