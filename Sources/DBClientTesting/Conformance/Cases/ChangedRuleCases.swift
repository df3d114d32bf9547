import DBClientCore

/// Rules of deletion that another version of a model has than the one that wrote the store.
enum ChangedRuleCases {
    static let all: [ConformanceCase] = takingOver + keeping

    /// How a program comes to use the new version.
    private enum Use: String, CaseIterable, Sendable {
        case fetch
        case find
        case count
        case insert
        case migrate
        case adapt
    }

    private static let rules: [any TrackRule.Type] = [
        NullifyingTrack.self, DenyingTrack.self, CascadingTrack.self, WeakTrack.self,
    ]

    private static let takingOver: [ConformanceCase] = Use.allCases.flatMap { use in
        // A client takes a version over once, so each pair has a store of its own.
        let formers: [(any TrackRule.Type)?] = rules + [nil]
        return rules.flatMap { new in
            formers.filter { $0 != new }.map { former in
                promise(
                    .relationships,
                    "\(new.rule) takes the place of \(former?.rule.rawValue ?? "a key") (\(use.rawValue))",
                    requires: use == .migrate || use == .adapt ? [.migrations] : []
                ) { client in
                    if let former {
                        try await restore(former, in: client)
                    } else {
                        try await reset(client)
                        try await client.insert([KeyedTrack(1, album: 1), KeyedTrack(2, album: 2)])
                    }
                    try await check(use, new, client)
                }
            }
        }
    }

    /// Has a rule in force, with a track on each of two albums.
    private static func restore<Rule: TrackRule>(
        _ rule: Rule.Type,
        in client: any DBClient
    ) async throws {
        try await reset(client)
        try await client.insert([RuledTrack<Rule>(1, album: 1), RuledTrack<Rule>(2, album: 2)])
    }

    private static func reset(_ client: any DBClient) async throws {
        try await client.write { transaction in
            try transaction.delete(KeyedTrack.all)
            try transaction.upsert([RuledAlbum(1), RuledAlbum(2)])
        }
    }

    private static func check<Rule: TrackRule>(
        _ use: Use,
        _ rule: Rule.Type,
        _ client: any DBClient
    ) async throws {
        typealias Track = RuledTrack<Rule>
        switch use {
        case .fetch: _ = try await client.fetch(Track.where { $0.id > 1 })
        case .find: _ = try await client.find(Track.self, key: 1)
        case .count: _ = try await client.count(Track.all)
        case .insert: try await client.insert(Track(3, album: 2))
        case .migrate: try await client.migrate([.adapt(Track.self)])
        case .adapt: try await client.migrate(to: Track.self)
        }
        try await expectRule(Rule.rule, client)
    }

    /// Deletes the first album, and expects what a rule makes of its track.
    private static func expectRule(_ rule: DeleteRule, _ client: any DBClient) async throws {
        func album() async throws -> KeyedTrack? {
            try await client.find(KeyedTrack.self, key: 1)
        }
        switch rule {
        case .deny:
            try await expectError(.deletionDenied) {
                try await client.delete(RuledAlbum.self, key: 1)
            }
            try expectEqual(try await album(), KeyedTrack(1, album: 1))
        case .nullify:
            try await client.delete(RuledAlbum.self, key: 1)
            try expectEqual(try await album(), KeyedTrack(1, album: nil))
        case .cascade:
            try await client.delete(RuledAlbum.self, key: 1)
            try expectEqual(try await album(), nil)
        case .weak:
            try await client.delete(RuledAlbum.self, key: 1)
            try expectEqual(try await album(), KeyedTrack(1, album: 1))
        }
        try expectEqual(try await client.find(KeyedTrack.self, key: 2), KeyedTrack(2, album: 2))
    }

    private static let keeping: [ConformanceCase] = [
        promise(.migrations, "a migration tells of a changed rule, once", requires: [.migrations]) {
            client in
            try await restore(CascadingTrack.self, in: client)
            let step = Migration.adapt(RuledTrack<DenyingTrack>.self)
            for _ in 0..<2 {
                let pending = try await client.pendingChanges(of: [step])
                try expectEqual(pending.map(\.kinds), [[.ruled(["album"])]])
            }
            try expectEqual(try await client.migrate([step]).map(\.kinds), [[.ruled(["album"])]])
            try expectEqual(try await client.migrate([step]), [])
            try expectEqual(try await client.pendingChanges(of: [step]), [])
            try await expectRule(.deny, client)
        },
        promise(.relationships, "a rule stays where a model without it is used") { client in
            try await restore(CascadingTrack.self, in: client)
            try await client.insert(KeyedTrack(5, album: 2))
            try expectEqual(try await client.count(KeyedTrack.all), 3)
            try await expectRule(.cascade, client)
        },
        promise(.relationships, "a rule that is taken over in what is undone is so by the next") {
            client in
            try await restore(CascadingTrack.self, in: client)
            for _ in 0..<5 {
                try? await client.write { transaction in
                    _ = try transaction.findAll(RuledTrack<NullifyingTrack>.self)
                    try transaction.delete(RuledAlbum.self, key: 2)
                    throw SuiteError.deliberate
                }
            }
            try await expectRule(.nullify, client)
        },
        ConformanceCase(
            .relationships,
            "a rule that one client took over holds for those that know no such model",
            requires: [.severalClients]
        ) { context in
            try await restore(CascadingTrack.self, in: context.client)
            let newer = try await context.another()
            try await newer.insert(RuledTrack<NullifyingTrack>(3, album: 2))
            try await expectRule(.nullify, try await context.another())
        },
        ConformanceCase(
            .relationships,
            "of two versions that write in turn, the one that came last has its rule in force",
            requires: [.severalClients, .persistence]
        ) { context in
            let older = context.client
            try await restore(CascadingTrack.self, in: older)
            try await older.insert(RuledTrack<CascadingTrack>(3, album: 2))
            let newer = try await context.another()
            for id in 10..<20 {
                try await newer.insert(RuledTrack<DenyingTrack>(id, album: 2))
                try await older.insert(RuledTrack<CascadingTrack>(id + 10, album: 2))
            }
            for client in [older, newer, try await context.another()] {
                try await expectError(.deletionDenied) {
                    try await client.delete(RuledAlbum.self, key: 2)
                }
            }
        },
    ]
}
