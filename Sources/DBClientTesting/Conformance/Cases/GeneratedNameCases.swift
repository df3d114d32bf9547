import DBClientCore

/// Made-up names of entities and fields that are hostile.
enum GeneratedNameCases {
    static let all: [ConformanceCase] = [
        promise(.hostileNames, "every call works under made-up names", requires: [.aggregates]) {
            client in
            try await client.insert(Hero(1))
            try await run(Zero.self, count: 25, client)
            try expectEqual(try await client.findAll(Hero.self), [Hero(1)])
        },
        promise(
            .hostileNames,
            "keys are made, and long texts have an index, under made-up names",
            requires: [.generatedKeys, .uniqueIndexes]
        ) { client in
            try await makeKeys(Zero.self, count: 20, client)
        },
        ConformanceCase(
            .hostileNames,
            "made-up names are those of the stored ones when the store is opened again",
            requires: [.persistence]
        ) { context in
            try await insert(Zero.self, count: 12, context.client)
            let client = try await context.reopen()
            try await read(Zero.self, count: 12, client)
        },
    ]

    /// Runs the calls under so many names, from a number on.
    private static func run<Number: NumberType>(
        _ number: Number.Type,
        count: Int,
        _ client: any DBClient
    ) async throws {
        if count == 0 { return }
        do {
            try await run(GeneratedNames<Number>.self, client)
        } catch {
            throw failure(error, GeneratedNames<Number>.self)
        }
        try await run(Next<Number>.self, count: count - 1, client)
    }

    private static func failure<Number: NumberType>(
        _ error: any Error,
        _ names: GeneratedNames<Number>.Type
    ) -> ConformanceFailure {
        let shown = [names.entity, names.id, names.other].map(\.debugDescription)
        return ConformanceFailure("names \(shown.joined(separator: ", ")): \(error)")
    }

    private static func run<Number: NumberType>(
        _ names: GeneratedNames<Number>.Type,
        _ client: any DBClient
    ) async throws {
        typealias Model = Loose<GeneratedNames<Number>>
        try await client.insert((1...4).map { Model($0, 10 - $0) })
        let taken = try await expectError(.duplicateKey) {
            _ = try await client.insert([Model(1, 20)])
        }
        try expectSameText([taken.entity ?? "nil"], [names.entity])
        if Number.number % 2 == 1 {
            let double = try await expectError(.uniqueViolation) {
                _ = try await client.insert([Model(5, 9)])
            }
            try expectSameText(
                [double.entity ?? "nil", double.field ?? "nil"],
                [names.entity, names.other]
            )
        }
        try await client.update(Model(1, 11))
        try expectEqual(try await client.upsert(Model(2, 12)).isUpdated, true)
        try await client.update(Model.self, key: 3) { $0.set(\.other, to: 13) }
        try expectEqual(
            try await client.update(Model.where { $0.other == 6 }) { $0.set(\.other, to: 14) },
            1
        )
        let request = Model.where { $0.other > 11 }.sorted { $0.other.descending }
        try expectEqual(try await client.fetch(request).map(\.id), [4, 3, 2])
        try expectEqual(try await client.find(Model.self, keys: [4, 1]).map(\.other), [14, 11])
        try expectEqual(try await client.sum(\.other, of: Model.all), 50)
        try expectEqual(try await client.distinct(\.other, of: request), [12, 13, 14])
        let named = try Model.all.filter(field: names.other, equalTo: 13)
        try expectEqual(try await client.fetch(named).map(\.id), [3])
        let groups = try await client.fetch(Model.all.grouped(by: \.other).select(.max(\.id)))
        try expectEqual(groups.map(\.values), [1, 2, 3, 4])
        try await client.write { transaction in
            try expectErrorInside(.duplicateKey) {
                try transaction.write { _ = try $0.insert([Model(8, 30), Model(1, 31)]) }
            }
            try transaction.write { _ = try $0.insert([Model(9, 32)]) }
        }
        try expectEqual(try await client.findAll(Model.self).map(\.id), [1, 2, 3, 4, 9])
        try expectEqual(try await client.delete(request.limit(2)), 2)
        try expectEqual(try await client.delete(Model.self, keys: [1, 7]), 1)
        try expectEqual(try await client.deleteAll(Model.self), 2)
    }

    /// Has a store make keys for few values and for many, also after one that was given, and index long texts.
    private static func makeKeys<Number: NumberType>(
        _ number: Number.Type,
        count: Int,
        _ client: any DBClient
    ) async throws {
        if count == 0 { return }
        typealias Model = GeneratedTicket<Number>
        do {
            let some = try await client.insert([Model(0, "first")])
            try expectEqual(some.map(\.id), [1])
            let many = try await client.insert((0..<20).map { Model(0, "\($0)") })
            try expectEqual(many.map(\.id), Array(2...21))
            try await client.upsert([Model(100, "given")] + (0..<20).map { Model(0, "more \($0)") })
            let next = try await client.insert([Model(0, "next")])
            try expect(next.allSatisfy { $0.id > 100 }, "\(next) is not after what was given")
            // Text of which nothing can be left out, as a database would that has no room for it.
            var generator = SeededGenerator(seed: UInt64(Number.number))
            let long = (0..<1_000).map { _ in String(generator.next(), radix: 36) }.joined()
            let stored = try await client.insert([Model(0, long), Model(0, long + "!")])
            for value in stored {
                let found = try await client.fetch(Model.where { $0.text == value.text })
                try expectEqual(found, [value])
            }
            if Number.number % 2 == 1 {
                try await expectError(.uniqueViolation) {
                    _ = try await client.insert([Model(0, long)])
                }
            }
        } catch {
            let names = Model.schema.entity.fields.map(\.name)
            let shown = ([Model.schema.entity.name] + names).map(\.debugDescription)
            throw ConformanceFailure("names \(shown.joined(separator: ", ")): \(error)")
        }
        try await makeKeys(Next<Number>.self, count: count - 1, client)
    }

    private static func insert<Number: NumberType>(
        _ number: Number.Type,
        count: Int,
        _ client: any DBClient
    ) async throws {
        if count == 0 { return }
        _ = try await client.insert([Loose<GeneratedNames<Number>>(count, 1)])
        try await insert(Next<Number>.self, count: count - 1, client)
    }

    private static func read<Number: NumberType>(
        _ number: Number.Type,
        count: Int,
        _ client: any DBClient
    ) async throws {
        if count == 0 { return }
        typealias Model = Loose<GeneratedNames<Number>>
        try expectEqual(try await client.fetch(Model.where { $0.other == 1 }).map(\.id), [count])
        try expectEqual(
            try await client.pendingChanges(of: [Migration.adapt(Model.self)]).isEmpty,
            true
        )
        try await read(Next<Number>.self, count: count - 1, client)
    }
}
