import DBClientCore
import Foundation

/// Stored values of a type that is another in the model, for each type and each other one.
enum RetypedCases {
    static let all: [ConformanceCase] = kinds.flatMap(cases) + kept

    private static let kinds: [any RetypedKind.Type] = [
        Storing<Bool>.self, Storing<Int>.self, Storing<Int8>.self, Storing<OffsetUInt64>.self,
        Storing<Double>.self, Storing<String>.self, Storing<Data>.self, Storing<UUID>.self,
        Storing<Date>.self, Storing<Decimal>.self, Storing<URL>.self, Storing<[Int]>.self,
        Storing<[String]>.self, Storing<Set<Int>>.self, Storing<[String: Int]>.self,
        Storing<[Date]>.self, Storing<RetypedMood>.self, Storing<RetypedTemper>.self,
        Coding<RetypedPoint>.self, Coding<RetypedPlace>.self, Coding<[RetypedPlace]>.self,
        StoringOptional<Int>.self, StoringOptional<String>.self, StoringOptional<[Int]>.self,
    ]

    private static func cases(_ kind: any RetypedKind.Type) -> [ConformanceCase] {
        let others = kinds.filter { $0 != kind }
        return [
            MigrationCases.migrating("\(kind) is read as no other type, unless it is written alike")
            {
                client in
                try await insert(kind, client)
                for other in others { try await compare(kind, other, client) }
                try await expectSamples(kind, client)
            },
            MigrationCases.migrating("\(kind) is converted to each other type, once") { client in
                for other in others { try await convert(kind, other, client) }
            },
        ]
    }

    private static func insert<Kind: RetypedKind>(
        _ kind: Kind.Type,
        _ client: any DBClient
    ) async throws {
        try await client.insert(Retyped<Kind>.samples)
    }

    private static func expectSamples<Kind: RetypedKind>(
        _ kind: Kind.Type,
        _ client: any DBClient
    ) async throws {
        try expectSame(try await client.findAll(Retyped<Kind>.self), Retyped<Kind>.samples)
    }

    /// Uses and adapts what one version has written with the model of another.
    private static func compare<Former: RetypedKind, Kind: RetypedKind>(
        _ former: Former.Type,
        _ kind: Kind.Type,
        _ client: any DBClient
    ) async throws {
        let adaptation = Migration.adapt(Retyped<Kind>.self)
        if Kind.reads(former) {
            _ = try await client.count(Retyped<Kind>.all)
            return try expectEqual(try await client.pendingChanges(of: [adaptation]), [])
        }
        let error = try await expectError(.schemaMismatch) {
            _ = try await client.findAll(Retyped<Kind>.self)
        }
        try expectEqual(error.entity, "Retyped")
        try expectEqual(error.field, "value")
        try await expectError(.schemaMismatch) {
            try await client.insert(Retyped<Kind>(90, Kind.samples[0]))
        }
        if Kind.reads(former, relaxed: true) {
            let kinds = try await client.pendingChanges(of: [adaptation]).map(\.kinds)
            return try expectEqual(kinds, [[.relaxed(["value"])]])
        }
        let required = try await expectError(.migrationRequired) {
            try await client.migrate([adaptation])
        }
        try expectEqual(required.field, "value")
        try await expectError(.migrationRequired) {
            _ = try await client.pendingChanges(of: [adaptation])
        }
    }

    /// Converts what one version has written to the model of another.
    private static func convert<Former: RetypedKind, Kind: RetypedKind>(
        _ former: Former.Type,
        _ kind: Kind.Type,
        _ client: any DBClient
    ) async throws {
        let step = Migration.convert(Retyped<Former>.self, to: Retyped<Kind>.self) { former in
            guard former.value == Former.samples[former.id - 1] else {
                throw ConformanceFailure("the former value is another")
            }
            return Retyped<Kind>(former.id, Kind.samples[former.id % Kind.samples.count])
        }
        let label = "\(former) to \(kind):"
        let count = Former.samples.count
        try await client.insert(Retyped<Former>.samples)
        let change = try await client.pendingChanges(of: [step])
        try expectEqual(change.map(\.kinds), [[.converted(from: "Retyped", count: count)]], label)
        try expectEqual(try await client.migrate([step]), change, label)
        let converted = (1...count).map {
            Retyped<Kind>($0, Kind.samples[$0 % Kind.samples.count])
        }
        try expectSame(try await client.findAll(Retyped<Kind>.self), converted)
        try expectEqual(try await client.migrate([step]), [], label)
        try expectEqual(try await client.pendingChanges(of: [step]), [], label)
        try expectSame(try await client.findAll(Retyped<Kind>.self), converted)
        try await client.migrate([.delete("Retyped")])
        // What was written by the new model from the beginning is left alone.
        try await client.insert(Retyped<Kind>.samples)
        try expectEqual(try await client.migrate([step]), [], label)
        try expectSame(try await client.findAll(Retyped<Kind>.self), Retyped<Kind>.samples)
        try await client.migrate([.delete("Retyped")])
    }

    private static let toPlaces = Migration.convert(
        Retyped<Storing<String>>.self,
        to: Retyped<Storing<[String]>>.self
    ) { Retyped($0.id, $0.value.split(separator: ",").map(String.init)) }

    private static let kept: [ConformanceCase] = [
        ConformanceCase(
            .migrations,
            "another client that has the former model is refused after a conversion",
            requires: [.migrations, .severalClients]
        ) { context in
            try await context.client.insert(Retyped<Storing<String>>(1, "a,b"))
            try await context.client.migrate([toPlaces])
            let other = try await context.another()
            try await expectError(.schemaMismatch) {
                _ = try await other.findAll(Retyped<Storing<String>>.self)
            }
            try await expectError(.schemaMismatch) {
                try await other.insert(Retyped<Storing<String>>(2, "c"))
            }
            try expectEqual(try await other.migrate([toPlaces]), [])
            let found = try await other.findAll(Retyped<Storing<[String]>>.self)
            try expectEqual(found.map(\.value), [["a", "b"]])
        },
        ConformanceCase(
            .migrations,
            "what wrote a store is known when it is opened again",
            requires: [.migrations, .persistence]
        ) { context in
            try await context.client.insert(Retyped<Storing<String>>(1, "a,b"))
            let client = try await context.reopen()
            try await expectError(.schemaMismatch) {
                _ = try await client.findAll(Retyped<Storing<[String]>>.self)
            }
            try expectEqual(try await client.migrate([toPlaces]).count, 1)
            let again = try await context.reopen()
            try expectEqual(try await again.migrate([toPlaces]), [])
            let found = try await again.findAll(Retyped<Storing<[String]>>.self)
            try expectEqual(found.map(\.value), [["a", "b"]])
        },
        MigrationCases.migrating("a conversion that is undone is done by the next migration") {
            client in
            try await client.insert(Retyped<Storing<String>>(1, "a,b"))
            try? await client.write { transaction in
                try transaction.migrate([toPlaces])
                throw SuiteError.deliberate
            }
            try expectEqual(
                try await client.find(Retyped<Storing<String>>.self, key: 1)?.value,
                "a,b"
            )
            try expectEqual(try await client.migrate([toPlaces]).count, 1)
            let found = try await client.findAll(Retyped<Storing<[String]>>.self)
            try expectEqual(found.map(\.value), [["a", "b"]])
        },
        MigrationCases.migrating("an adapted field is held to its new shape") {
            client in
            try await client.insert(Retyped<Storing<Int>>.samples)
            try await client.migrate(to: Retyped<StoringOptional<Int>>.self)
            try await client.insert(Retyped<StoringOptional<Int>>(90, nil))
            try await expectError(.schemaMismatch) {
                _ = try await client.findAll(Retyped<Storing<Int>>.self)
            }
            try await expectError(.schemaMismatch) {
                _ = try await client.findAll(Retyped<Storing<Date>>.self)
            }
            let found = try await client.findAll(Retyped<StoringOptional<Int>>.self)
            try expectEqual(found.map(\.value), Int.samples + [nil])
        },
        MigrationCases.migrating("what does not fit for its type is deleted on request") { client in
            try await client.insert(Retyped<Storing<Int>>.samples)
            let changes = try await client.migrate(
                [.adapt(Retyped<Storing<Date>>.self)],
                onFailure: .deleteStored
            )
            try expectEqual(changes.map(\.kinds), [[.deleted]])
            try await client.insert(Retyped<Storing<Date>>.samples)
            try await expectSamples(Storing<Date>.self, client)
        },
        MigrationCases.migrating("models that are stored alike are not converted to each other") {
            client in
            let step = Migration.convert(
                Retyped<Storing<Int>>.self,
                to: Retyped<Storing<Int>>.self
            ) { Retyped($0.id, $0.value * 2) }
            for _ in 0..<2 {
                let error = try await expectError(.invalidRequest) {
                    try await client.migrate([step])
                }
                try expectEqual(error.entity, "Retyped")
                try await client.upsert(Retyped<Storing<Int>>.samples)
            }
            try await expectSamples(Storing<Int>.self, client)
        },
    ]
}
