import DBClientCore

/// Rules of deletion, and live rows, of entities whose fields a migration changes.
enum AdaptedRuleCases {
    static let all: [ConformanceCase] = [
        MigrationCases.migrating("rules of deletion hold for an adapted entity") { client in
            try await client.insert(bands)
            try await client.migrate([
                .adapt(Band2.self, removing: ["name"]) { $0.set(\.rank, to: 3) }
            ])
            try await client.delete(Studio.self, key: 1)
            try await client.delete(Skill.self, key: "x")
            try expectEqual(
                try await client.findAll(Band2.self),
                [
                    Band2(1, rank: 3, skills: [Skill("y")]),
                    Band2(2, rank: 3, label: Studio(2, "b")),
                ]
            )
            try await client.delete(Band2.self, key: 1)
            try await client.insert(Band2(1, rank: 4, label: Studio(2, "b")))
            try await client.delete(Studio.self, key: 2)
            try expectEqual(
                try await client.findAll(Band2.self),
                [Band2(1, rank: 4), Band2(2, rank: 3)]
            )
        },
        MigrationCases.migrating("what an adapted entity holds no more can be deleted") { client in
            try await client.insert(bands)
            try await client.migrate([.adapt(PlainBand.self, removing: ["label"])])
            try await client.delete(Studio.self, key: 1)
            try await client.delete(Skill.self, key: "x")
            try expectEqual(
                try await client.findAll(PlainBand.self),
                [PlainBand(1, name: "a"), PlainBand(2, name: "b")]
            )
            // What is left of its lists goes with it.
            try await client.delete(PlainBand.self, key: 1)
            try await client.migrate(to: Band1.self)
            try await client.insert(Band1(1, name: "c"))
            try expectEqual(
                try await client.findAll(Band1.self),
                [Band1(1, name: "c"), Band1(2, name: "b")]
            )
        },
        MigrationCases.migrating("rules of deletion hold when an adaptation is undone") { client in
            try await client.insert(bands)
            try await client.write { transaction in
                do {
                    try transaction.migrate([
                        .adapt(PlainBand.self, removing: ["label"]),
                        .perform("fail") { _ in throw SuiteError.deliberate },
                    ])
                } catch SuiteError.deliberate {}
                try transaction.delete(Studio.self, key: 1)
            }
            try await client.delete(Studio.self, key: 2)
            try expectEqual(
                try await client.findAll(Band1.self),
                [Band1(1, name: "a", skills: [Skill("x"), Skill("y")]), Band1(2, name: "b")]
            )
        },
        MigrationCases.migrating("the columns of a key that is held may move together") { client in
            try await client.insert(placed)
            try await client.migrate(to: TogetherIssue.self)
            try expectEqual(
                try await client.findAll(TogetherIssue.self),
                [
                    TogetherIssue(1, series: "A", number: 1),
                    TogetherIssue(2, series: "A", number: 2),
                ]
            )
            try await client.delete(Issue.self, key: .init("A", 1))
            try expectEqual(
                try await client.findAll(TogetherIssue.self),
                [TogetherIssue(1), TogetherIssue(2, series: "A", number: 2)]
            )
        },
        MigrationCases.migrating("the columns of a key that is held are not moved apart") {
            client in
            try await client.insert(placed)
            let step = Migration.adapt(ApartIssue.self)
            for _ in 0..<2 {
                let error = try await expectError(.migrationRequired) {
                    try await client.migrate([step])
                }
                try expectEqual(error.entity, "PlacedIssue")
                try expectEqual(error.field, "issue")
                try expectEqual(try await client.findAll(PlacedIssue.self), placed)
            }
            try await expectError(.migrationRequired) {
                _ = try await client.pendingChanges(of: [step])
            }
            try await client.delete(Issue.self, key: .init("A", 1))
            try expectEqual(
                try await client.findAll(PlacedIssue.self),
                [PlacedIssue(1), placed[1]]
            )
            // A later step knows what becomes of them.
            let changes = try await client.migrate([
                step,
                .convert(PlacedIssue.self, to: ApartIssue.self) {
                    ApartIssue($0.id, series: $0.issue?.series, number: $0.issue?.number)
                },
            ])
            try expectEqual(
                changes.map(\.kinds),
                [[.converted(from: "PlacedIssue", count: 2)]]
            )
            try expectEqual(
                try await client.findAll(ApartIssue.self),
                [ApartIssue(1), ApartIssue(2, series: "A", number: 2)]
            )
            // Nothing is held any more.
            try await client.delete(Issue.self, key: .init("A", 2))
            try expectEqual(try await client.find(ApartIssue.self, key: 2)?.series, "A")
        },
        MigrationCases.migrating("live rows of a step are written before the next one") { client in
            try await client.insert(MigrationCases.players)
            try await client.migrate([
                MigrationCases.adaptation,
                .perform("fill") { transaction in
                    for player in try transaction.entities.fetch(Player2.all) {
                        let nickname: String? = try player.value(\Player2.nickname)
                        try player.set(\Player2.motto, to: nickname)
                    }
                },
                .adapt(Player3.self, removing: ["nickname", "score"]),
            ])
            try expectEqual(
                try await client.findAll(Player3.self).map(\.motto),
                MigrationCases.players.map(\.nickname)
            )
        },
    ]

    private static let placed = [
        PlacedIssue(1, issue: Issue("A", 1)), PlacedIssue(2, issue: Issue("A", 2)),
    ]

    private static let bands = [
        Band1(1, name: "a", label: Studio(1, "a"), skills: [Skill("x"), Skill("y")]),
        Band1(2, name: "b", label: Studio(2, "b")),
    ]
}
