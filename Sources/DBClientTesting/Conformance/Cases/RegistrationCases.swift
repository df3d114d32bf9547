import DBClientCore

/// Rules of deletion whose relationships a store came to know of in what was undone, or elsewhere.
enum RegistrationCases {
    static let all: [ConformanceCase] = undone + shared

    private static let undone: [ConformanceCase] = [
        promise(.relationships, "a rule holds when the first call that wrote it failed") { client in
            try await client.write { transaction in
                try transaction.insert(Crate(7))
                try expectErrorInside(.duplicateKey) {
                    try transaction.insert([Crate(1, [Box(1, Crate(2))]), Crate(7)])
                }
                try transaction.insert(Box(3, Crate(2)))
                try expectErrorInside(.deletionDenied) {
                    try transaction.delete(Crate.self, key: 2)
                }
            }
            let error = try await expectError(.deletionDenied) {
                try await client.delete(Crate.self, key: 2)
            }
            try expectEqual(error.entity, "Box")
            try expectEqual(try await client.findAll(Box.self), [Box(3, Crate(2))])
        },
        promise(
            .relationships,
            "a rule holds when the first nested write that wrote it failed",
            requires: [.savepoints]
        ) { client in
            try await client.write { transaction in
                try transaction.insert([Studio(1, "a"), Studio(2, "b")])
                for isOuter in [false, true] {
                    do {
                        try transaction.write { nested in
                            let writer = isOuter ? transaction : nested
                            try writer.insert(Contract(1, Studio(1, "a")))
                            throw SuiteError.deliberate
                        }
                    } catch SuiteError.deliberate {}
                }
                try transaction.insert(Contract(3, Studio(1, "a")))
            }
            try await expectError(.deletionDenied) { try await client.delete(Studio.all) }
            try await client.delete(Studio.self, key: 2)
            try expectEqual(try await client.findAll(Contract.self), [Contract(3, Studio(1, "a"))])
        },
        promise(.relationships, "a rule holds when the first transaction that wrote it failed") {
            client in
            try await client.insert(Studio(1, "a"))
            for _ in 0..<2 {
                try? await client.write { transaction in
                    try transaction.insert(Contract(1, Studio(1, "a")))
                    throw SuiteError.deliberate
                }
                try await expectError(.duplicateKey) {
                    try await client.insert([
                        Contract(1, Studio(1, "a")), Contract(1, Studio(1, "a")),
                    ])
                }
            }
            try await client.insert(Contract(2, Studio(1, "a")))
            try await expectError(.deletionDenied) { try await client.deleteAll(Studio.self) }
        },
        promise(
            .entities,
            "a rule holds when the nested write whose live rows first wrote it failed",
            requires: [.savepoints]
        ) { client in
            try await client.insert(Studio(1, "a"))
            try await client.write { transaction in
                do {
                    try transaction.write { nested in
                        try nested.entities.insert(Contract(1, Studio(1, "a")))
                        try nested.entities.flush()
                        throw SuiteError.deliberate
                    }
                } catch SuiteError.deliberate {}
                try transaction.write { nested in
                    _ = try nested.entities.insert(Contract(2, Studio(1, "a")))
                }
            }
            try await expectError(.deletionDenied) { try await client.deleteAll(Studio.self) }
        },
        promise(.entities, "a rule holds when the first flush that wrote it failed") {
            client in
            try await client.insert([Contract(9, Studio(9, "z"))])
            try await client.insert(Crate(2))
            try await client.write { transaction in
                let context = try transaction.entities
                let box = try context.insert(Box(1, Crate(2)))
                let contract = try context.insert(Contract(9, Studio(9, "y")))
                try expectErrorInside(.duplicateKey) { try context.flush() }
                try context.delete(contract)
                try box.set(\Box.spare, to: Crate(3))
            }
            try await expectError(.deletionDenied) {
                try await client.delete(Crate.self, key: 2)
            }
            try await client.delete(Crate.self, key: 3)
            try expectEqual(try await client.findAll(Box.self), [Box(1, Crate(2))])
        },
        promise(
            .dynamic,
            "a rule holds when the first row by stored names that wrote it was undone"
        ) { client in
            try await client.insert(Studio(1, "a"))
            let contract = Contract.schema.entity
            try await client.write { transaction in
                func row(_ id: Int64, studio: Int64) throws -> DynamicRow {
                    try DynamicRow(contract, ["id": .integer(id), "studio": .integer(studio)])
                }
                try expectErrorInside(.danglingReference) {
                    try transaction.insert([row(1, studio: 1), row(2, studio: 5)])
                }
                try transaction.insert([row(3, studio: 1)])
                try expectErrorInside(.deletionDenied) {
                    try transaction.delete(Studio.self, key: 1)
                }
            }
            try await expectError(.deletionDenied) {
                try await client.delete(Studio.self, key: 1)
            }
        },
    ]

    private static let shared: [ConformanceCase] = [
        promise(
            .relationships,
            "a rule holds in a nested write for what was written around it",
            requires: [.savepoints]
        ) { client in
            try await client.insert([Studio(1, "a"), Studio(2, "b")])
            try await client.write { transaction in
                try transaction.write { nested in
                    // The nested write has read which relationships there are.
                    try nested.delete(Studio.self, key: 7)
                    try transaction.insert(Contract(1, Studio(1, "a")))
                    try expectErrorInside(.deletionDenied) {
                        try nested.delete(Studio.self, key: 1)
                    }
                    try nested.insert(Artist(1, studio: Studio(2, "b")))
                    try transaction.delete(Studio.self, key: 2)
                }
            }
            try expectEqual(try await client.findAll(Artist.self), [Artist(1)])
            try expectEqual(try await client.findAll(Studio.self).map(\.id), [1])
        },
        ConformanceCase(
            .relationships,
            "a rule holds for another client when the first writes of one failed",
            requires: [.severalClients]
        ) { context in
            let client = context.client
            let other = try await context.another()
            try await client.insert(Studio(1, "a"))
            try await other.delete(Studio.self, key: 9)
            try await client.write { transaction in
                try? transaction.write { nested in
                    try nested.insert(Contract(1, Studio(1, "a")))
                    throw SuiteError.deliberate
                }
            }
            try await other.insert(Contract(2, Studio(1, "a")))
            for client in [client, other] {
                try await expectError(.deletionDenied) {
                    try await client.delete(Studio.self, key: 1)
                }
            }
        },
    ]
}
