import DBClientCore
import Foundation

/// A client that still uses a model whose stored values another client has converted.
enum ForeignConversionCases {
    static let all: [ConformanceCase] =
        refusals + [
            conversion("a snapshot that was taken before is read to its end") { context in
                let other = try await context.another()
                try await context.client.insert(Lists.samples)
                let expected = Lists.samples.map(\.value)
                try await other.read { transaction in
                    try expectEqual(try transaction.findAll(Lists.self).map(\.value), expected)
                }
                try await convert(Lists.self, to: Texts.self, context.client)
                try await expectError(.schemaMismatch) {
                    try await other.read { transaction in
                        _ = try transaction.count(Hero.all)
                        _ = try transaction.findAll(Lists.self)
                    }
                }
                try expectEqual(try await other.count(Texts.all), expected.count)
            },
            conversion("related rows are not looked at as what they were") { context in
                let (client, other) = (context.client, try await context.another())
                try await client.insert(Studio(1, "a", founded: 3))
                try await client.insert(Band1(1, name: "x", label: Studio(1, "a", founded: 3)))
                let founded = Band1.where { $0.label.founded == 3 }
                try expectEqual(try await other.count(founded), 1)
                try await client.migrate([
                    .convert(Studio.self, to: DatedStudio.self) {
                        DatedStudio($0.id, $0.name, founded: Date(timeIntervalSince1970: 9))
                    }
                ])
                for _ in 0..<2 {
                    try await expectError(.schemaMismatch) { _ = try await other.count(founded) }
                    try await expectError(.schemaMismatch) {
                        _ = try await other.findAll(Band1.self)
                    }
                }
            },
        ]

    private typealias Lists = Retyped<Storing<[Int]>>
    private typealias Texts = Retyped<Storing<[String]>>

    private static func conversion(
        _ name: String,
        run: @escaping @Sendable (ConformanceContext) async throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            .migrations,
            name,
            requires: [.migrations, .severalClients, .persistence],
            run: run
        )
    }

    /// Pairs of models, some of which are written in columns of the same type.
    private static let refusals: [ConformanceCase] = [
        refusal(Storing<[Int]>.self, Storing<[String]>.self),
        refusal(Storing<Int>.self, Storing<OffsetUInt64>.self),
        refusal(Storing<Int>.self, Storing<Date>.self),
        refusal(Storing<Int>.self, Storing<Bool>.self),
        refusal(Storing<String>.self, Storing<[String]>.self),
        refusal(StoringOptional<Int>.self, Storing<Int>.self),
    ]

    private static func refusal<Former: RetypedKind, Kind: RetypedKind>(
        _ former: Former.Type,
        _ kind: Kind.Type
    ) -> ConformanceCase {
        conversion("a client that has used \(former) is refused once it is \(kind)") { context in
            let (client, other) = (context.client, try await context.another())
            try await client.insert(Retyped<Former>.samples)
            for use in Use.allCases {
                // The client knows the tables, and has made statements for them.
                for known in Use.allCases where !known.isWriting {
                    try await known.run(Former.self, other)
                }
                try await use.run(Former.self, other)
                try await convert(Retyped<Former>.self, to: Retyped<Kind>.self, client)
                let before = try await client.findAll(Retyped<Kind>.self)
                let error = try await expectRefusal(use, Former.self, other)
                try expectEqual(error.entity, "Retyped", use.rawValue)
                try expectEqual(error.field, "value", use.rawValue)
                try await expectRefusal(use, Former.self, other)
                let after = try await client.findAll(Retyped<Kind>.self)
                try expectEqual(after.map(\.id), before.map(\.id), use.rawValue)
                try expectEqual(after.map(\.value), before.map(\.value), use.rawValue)
                // And back: the former model is at home again, and the newer one a stranger.
                try await use.run(Kind.self, other)
                try await convert(Retyped<Kind>.self, to: Retyped<Former>.self, client)
                try await expectRefusal(use, Kind.self, other)
                try await use.run(Former.self, other)
            }
            // The client knows the table, and makes the statement for it only now.
            for use in Use.allCases {
                let stranger = try await context.another()
                try await stranger.write { _ = try $0.findAll(Retyped<Former>.self) }
                try await convert(Retyped<Former>.self, to: Retyped<Kind>.self, client)
                try await expectRefusal(use, Former.self, stranger)
                try await convert(Retyped<Kind>.self, to: Retyped<Former>.self, client)
            }
        }
    }

    @discardableResult
    private static func expectRefusal<Kind: RetypedKind>(
        _ use: Use,
        _ kind: Kind.Type,
        _ client: any DBClient
    ) async throws -> DBClientError {
        do {
            try await use.run(kind, client)
        } catch let error as DBClientError {
            try expectEqual(error.code, .schemaMismatch, "\(use.rawValue): \(error)")
            return error
        }
        throw ConformanceFailure("\(use.rawValue): nothing was thrown")
    }

    /// Converts each value to a sample of the other model.
    private static func convert<Former: RetypedKind, Kind: RetypedKind>(
        _ former: Retyped<Former>.Type,
        to kind: Retyped<Kind>.Type,
        _ client: any DBClient
    ) async throws {
        let step = Migration.convert(former, to: kind) { former in
            Retyped<Kind>(former.id, Kind.samples[former.id % Kind.samples.count])
        }
        try expectEqual(try await client.migrate([step]).count, 1)
    }

    /// A way to use a model.
    private enum Use: String, CaseIterable, Sendable {
        case find
        case findMany
        case findAll
        case fetch
        case first
        case count
        case aggregate
        case distinct
        case stream
        case read
        case insert
        case insertMany
        case update
        case modify
        case updateMany
        case upsert
        case upsertMany
        case delete
        case deleteMany
        case write

        var isWriting: Bool {
            switch self {
            case .find, .findMany, .findAll, .fetch, .first, .count, .aggregate, .distinct, .stream,
                .read:
                false
            default: true
            }
        }

        /// Uses a model, and leaves what is stored as it was.
        func run<Kind: RetypedKind>(_ kind: Kind.Type, _ client: any DBClient) async throws {
            typealias Model = Retyped<Kind>
            func model(_ id: Int) -> Model { Model(id, Kind.samples[0]) }
            let some = Model.where { $0.id > 0 }
            let many = (1_000..<1_040).map(model)
            switch self {
            case .find: _ = try await client.find(Model.self, key: 1)
            case .findMany: _ = try await client.find(Model.self, keys: Array(0..<20))
            case .findAll: _ = try await client.findAll(Model.self)
            case .fetch: _ = try await client.fetch(some.sorted { $0.id.descending })
            case .first: _ = try await client.fetchOne(some)
            case .count: _ = try await client.count(some)
            case .aggregate: _ = try await client.max(\.id, of: some)
            case .distinct: _ = try await client.distinct(\.id, of: some)
            case .stream: for try await _ in client.stream(some) {}
            case .read: try await client.read { _ = try $0.find(Model.self, key: 1) }
            case .insert:
                try await client.insert(model(900))
                try await client.delete(Model.self, key: 900)
            case .insertMany:
                try await client.insert(many)
                try await client.delete(Model.self, keys: many.map(\.id))
            case .update:
                let found = try await client.find(Model.self, key: 1)
                if let found { try await client.update(found) }
            case .modify: try await client.modify(Model.where { $0.id > 5_000 }) { _ in }
            case .updateMany: try await client.updateExisting(many)
            case .upsert:
                try await client.upsert(model(900))
                try await client.delete(Model.self, key: 900)
            case .upsertMany:
                try await client.upsert(many)
                try await client.delete(Model.self, keys: many.map(\.id))
            case .delete: try await client.delete(Model.self, key: 5_000)
            case .deleteMany: try await client.delete(Model.where { $0.id > 5_000 })
            case .write:
                try await client.write { transaction in
                    _ = try transaction.find(Model.self, key: 1)
                    try transaction.delete(Model.self, key: 5_000)
                }
            }
        }
    }
}

/// The entity of `Studio`, which was founded at a time and not in a year.
@Stored("Studio") private struct DatedStudio {
    let id: Int
    @Indexed var name: String
    var founded: Date?

    init(_ id: Int, _ name: String, founded: Date?) {
        self.id = id
        self.name = name
        self.founded = founded
    }
}
