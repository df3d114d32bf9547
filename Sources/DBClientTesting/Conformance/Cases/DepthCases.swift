import DBClientCore

/// Values that hold each other deep.
enum DepthCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "a chain of values that is put on at its end stays readable") {
            client in
            try await client.insert(Branch(1))
            let last = try await longest { id in
                try await client.update(Branch(id, "", [Branch(id + 1)]))
            }
            try await expectChain(of: last, client)
        },
        promise(.relationships, "a chain of partial updates stays readable") { client in
            try await client.insert(Branch(1))
            let last = try await longest { id in
                try await client.update(Branch.self, key: id) {
                    $0.set(\.branches, to: [Branch(id + 1)])
                }
            }
            try await expectChain(of: last, client)
        },
        promise(.relationships, "a chain that is put together from both ends stays readable") {
            client in
            try await client.insert([chain(1...40), chain(41...80)])
            let error = try await expectError(.invalidValue) {
                try await client.update(Branch(40, "", [chain(41...80)]))
            }
            try expectEqual(error.entity, "Branch")
            try expectEqual(error.field, "branches")
            try expectEqual(try await client.find(Branch.self, key: 1), chain(1...40))
            try await client.update(Branch(25, "", [chain(41...80)]))
            try expectEqual(depth(of: try await client.find(Branch.self, key: 1)), 65)
            // Beside the longest way there is room.
            try await client.update(Branch(3, "", [chain(4...25), Branch(90, "", [Branch(91)])]))
            try await client.update(Branch(91, "", [Branch(92)]))
        },
        promise(.entities, "a chain of live rows stays readable") { client in
            try await client.insert(Branch(1))
            let last = try await longest { id in
                try await client.write { transaction in
                    let context = try transaction.entities
                    let owner = try EntityCases.required(context.find(Branch.self, key: id))
                    try owner.set(\Branch.branches, to: [Branch(id + 1)])
                }
            }
            try await expectChain(of: last, client)
            // From its end: the owners one by one.
            try await client.deleteAll(Branch.self)
            try await client.insert(Branch(200))
            let first = try await longest { step in
                try await client.write { transaction in
                    let context = try transaction.entities
                    let held = try context.find(Branch.self, keys: [201 - step])
                    let owner = try context.insert(Branch(200 - step))
                    try owner.set(\Branch.branches, to: held)
                }
            }
            try expectEqual(first, last)
            try expectEqual(
                depth(of: try await client.find(Branch.self, key: 201 - first)),
                first
            )
        },
        promise(
            .relationships,
            "a longer chain than may be written is read, and made shorter",
            requires: [.rowWrites]
        ) { client in
            try await client.insert(Branch(1, "", [Branch(2)]))
            try await put(3...500, client)
            try expectEqual(depth(of: try await client.find(Branch.self, key: 1)), 500)
            try expectEqual(try await client.findAll(Branch.self).count, 500)
            try await expectError(.invalidValue) {
                try await client.update(Branch(500, "", [Branch(501)]))
            }
            try await client.update(Branch(40))
            try expectEqual(try await client.find(Branch.self, key: 1), chain(1...40))
            try await client.update(Branch.self, key: 40) { $0.set(\.branches, to: [Branch(501)]) }
            try await put(502...1200, client)
            let error = try await expectError(.invalidValue) {
                _ = try await client.find(Branch.self, key: 501)
            }
            try expectEqual(error.field, "branches")
        },
        promise(.relationships, "a chain of values of two kinds stays readable") { client in
            try await client.insert(Crate(1))
            let last = try await longest { id in
                try await client.update(Crate(id, [Box(id, Crate(id + 1))]))
            }
            try expectEqual(last, 33)
            let crates = try await client.findAll(Crate.self)
            try expectEqual(crates.map(\.id), Array(1...33))
            try expectEqual(crates[32], Crate(33))
        },
    ]

    /// Returns how many values there are in a chain, once the next one is refused.
    private static func longest(
        _ extend: (Int) async throws -> Void
    ) async throws -> Int {
        for id in 1..<100 {
            do {
                try await extend(id)
            } catch let error as DBClientError {
                try expectEqual(error.code, .invalidValue)
                try expect(error.field != nil, "the error names no field")
                return id
            }
        }
        throw ConformanceFailure("no chain is too long")
    }

    private static func expectChain(of count: Int, _ client: any DBClient) async throws {
        try expectEqual(count, 65)
        try expectEqual(try await client.find(Branch.self, key: 1), chain(1...count))
        try expectEqual(try await client.count(Branch.all), count)
    }

    /// Puts values on at the end of a chain, past what is checked.
    private static func put(_ ids: ClosedRange<Int>, _ client: any DBClient) async throws {
        try await client.insert(ids.map { Branch($0) })
        try await client.write { transaction in
            guard let writer = try transaction.engineReader as? any EngineWriter,
                let link = Branch.schema.entity.relationships[0].link
            else { throw ConformanceFailure("The transaction has no writer.") }
            let rows = RowBuffer(link.entity)
            for id in ids {
                var row = try rows.beginRow()
                for number in [id - 1, 0, id] { try row.write(number) }
                try rows.endRow(row)
            }
            try writer.insert(rows)
        }
    }

    private static func chain(_ ids: ClosedRange<Int>) -> Branch {
        ids.dropLast().reversed().reduce(Branch(ids.upperBound)) { Branch($1, "", [$0]) }
    }

    private static func depth(of branch: Branch?) -> Int {
        branch.map { 1 + ($0.branches.map { depth(of: $0) }.max() ?? 0) } ?? 0
    }
}
