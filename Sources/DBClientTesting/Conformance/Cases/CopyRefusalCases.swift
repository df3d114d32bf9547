import DBClientCore

/// What is not copied, and through which clients.
enum CopyRefusalCases {
    static let all: [ConformanceCase] = itself + shapes + decorators

    private static let itself: [ConformanceCase] = [
        promise(.copying, "a store is not copied to itself", requires: [.rowWrites]) { client in
            try await client.insert(Hero(1))
            let sources: [any DBClient] = [
                client, SpyDBClient(ReadOnlyDBClient(client)), UnobservedDBClient(base: client),
            ]
            for source in sources {
                for policy in [CopyConflictPolicy.refuse, .replace] {
                    try await expectError(.invalidRequest) {
                        try await client.copy(Hero.self, from: source, onConflict: policy)
                    }
                    try await expectError(.invalidRequest) {
                        try await SpyDBClient(client).copy(
                            Hero.self,
                            from: source,
                            onConflict: policy
                        )
                    }
                }
                try await expectError(.invalidRequest) {
                    try await client.write { outer in
                        try outer.write { _ = try $0.copy(Hero.self, from: source) }
                    }
                }
            }
            try expectSame(try await client.findAll(Hero.self), [Hero(1)])
        },
        ConformanceCase(
            .copying,
            "a store is not copied to itself by another client of it",
            requires: [.severalClients, .rowWrites]
        ) { context in
            try await context.client.insert(Hero(1))
            let other = try await context.another()
            try await expectError(.invalidRequest) {
                try await other.copy(Hero.self, from: context.client, onConflict: .replace)
            }
        },
        promise(
            .copying,
            "a preview is not copied to the store under it, whatever it has read",
            requires: [.rowWrites]
        ) { client in
            try await client.insert(CopyCases.artists)
            let preview = client.preview()
            try await preview.update(Artist.self, key: 1) { $0.set(\.name, to: "changed") }
            let sources: [any DBClient] = [
                preview, SpyDBClient(SpyDBClient(preview).preview()),
                UnobservedDBClient(base: client).preview(),
            ]
            for source in sources {
                try await expectError(.invalidRequest) {
                    try await client.copy(Artist.self, from: source, onConflict: .replace)
                }
                try expectEqual(try await client.findAll(Artist.self), CopyCases.artists)
            }
            let shown = try await preview.findAll(Artist.self)
            try expectEqual(shown.first?.name, "changed")
            try expectEqual(shown.first?.skills, CopyCases.artists[0].skills)
            try await expectError(.invalidRequest) {
                try await client.copy(Artist.self, from: preview, onConflict: .replace)
            }
            try await preview.copy(Artist.self, from: client, onConflict: .replace)
            try expectEqual(try await preview.findAll(Artist.self), CopyCases.artists)
        },
        promise(.copying, "a copy names a model, and no two of one name", requires: [.rowWrites]) {
            client in
            let other = InMemoryDBClient()
            try await other.insert(Hero(1))
            try await expectError(.invalidRequest) { try await client.copy(from: other) }
            try await expectError(.invalidRequest) {
                try await client.copy(Hero.self, OtherHero.self, from: other)
            }
            try await client.copy(Hero.self, Hero.self, from: other)
            try expectSame(try await client.findAll(Hero.self), [Hero(1)])
        },
    ]

    private static let shapes: [ConformanceCase] =
        CopyCases.bothWays("what either store has in another shape is refused") { source, target in
            try await source.insert(Studio(1, "a"))
            try await source.insert(Hero(1))
            try await target.insert(Note1(title: "a"))
            let error = try await expectError(.schemaMismatch) {
                try await target.copy(Studio.self, OtherHero.self, from: source)
            }
            try expectEqual(error.entity, "Hero")
            try await source.insert(Note2(title: "a"))
            try await expectError(.schemaMismatch) {
                try await target.copy(Studio.self, Note2.self, from: source)
            }
            try expectEqual(try await target.count(Studio.all), 0)
            try expectEqual(try await target.findAll(Note1.self).map(\.title), ["a"])
        }
        + CopyCases.bothWays("fields that the model lacks are not lost silently") {
            source,
            target in
            try await source.insert(Note2(title: "a", isPinned: true))
            let error = try await expectError(.schemaMismatch) {
                try await target.copy(Note1.self, from: source)
            }
            try expectEqual(error.entity, "Note")
            try expectEqual(try await target.count(Note1.all), 0)
        }
        + CopyCases.bothWays("lists that the model lacks are not lost silently") {
            source,
            target in
            try await source.insert(Bead(1, next: [Bead(2)]))
            let error = try await expectError(.schemaMismatch) {
                try await target.copy(LoneBead.self, from: source)
            }
            try expectEqual([error.entity, error.field], ["Bead", "next"])
            try expectEqual(try await target.count(LoneBead.all), 0)
            try await target.copy(Bead.self, from: source)
            try expectEqual(
                try await target.findAll(Bead.self),
                [Bead(1, next: [Bead(2)]), Bead(2)]
            )
        }

    private static let decorators: [ConformanceCase] =
        CopyCases.bothWays("a client that only reads is copied from and not to") {
            source,
            target in
            try await source.insert(Hero(1))
            try await expectError(.readOnly) {
                try await ReadOnlyDBClient(target).copy(Hero.self, from: source)
            }
            try await expectError(.readOnly) {
                _ = try ReadOnlyDBClient(target).blocking.copy(Hero.self, from: source)
            }
            try expectEqual(try await target.count(Hero.all), 0)
            try await target.copy(Hero.self, from: ReadOnlyDBClient(source))
            try expectSame(try await target.findAll(Hero.self), [Hero(1)])
        }
        + CopyCases.bothWays("a client that checks values takes no rows past its rules") {
            source,
            target in
            try await source.insert(Hero(1))
            try await expectError(.readOnly) {
                try await ValidatingDBClient(target, rules: []).copy(Hero.self, from: source)
            }
            try expectEqual(try await target.count(Hero.all), 0)
            try await target.copy(Hero.self, from: ValidatingDBClient(source, rules: []))
            try expectSame(try await target.findAll(Hero.self), [Hero(1)])
        }
        + CopyCases.bothWays("a copy that fails for a passing reason is made again, and once") {
            source,
            target in
            let busy = DBClientError(.busy, "The call was made to fail.")
            let policy = RetryingDBClient.Policy(attempts: 2, delay: .microseconds(1))
            try await source.insert(CopyCases.artists)
            // The rows of artists are there when the call on the next entity fails.
            let failingSource = FailingDBClient(source, atCall: 5, with: busy) {
                $0.kind == .fetch
            }
            try await target.copy(
                Artist.self,
                from: RetryingDBClient(failingSource, policy: policy)
            )
            try expect(failingSource.hasFailed, "no call of the source has failed")
            try expectEqual(try await target.findAll(Artist.self), CopyCases.artists)
            try await source.insert(Hero(1))
            try await source.insert(Ledger(1))
            let failingTarget = FailingDBClient(target, atCall: 2, with: busy) {
                $0.kind == .insert
            }
            try await RetryingDBClient(failingTarget, policy: policy)
                .copy(Hero.self, Ledger.self, from: source)
            try expect(failingTarget.hasFailed, "no call of the target has failed")
            try expectEqual(try await target.count(Hero.all), 1)
            try expectEqual(try await target.count(Ledger.all), 1)
        }
        + CopyCases.bothWays("a copy that fails leaves nothing") { source, target in
            try await source.insert(CopyCases.artists)
            for call in 1...40 {
                let failing = FailingDBClient(target, atCall: call) { $0.kind != .savepoint }
                do {
                    try await failing.copy(Artist.self, from: source)
                } catch {
                    try expectEqual((error as? DBClientError)?.code, .io)
                    try expectEqual(try await target.count(Artist.all), 0)
                    try expectEqual(try await target.count(Skill.all), 0)
                    continue
                }
                try expect(call > 4, "only \(call) calls were made")
                try expect(!failing.hasFailed, "what failed was not told")
                return try expectEqual(try await target.findAll(Artist.self), CopyCases.artists)
            }
            throw ConformanceFailure("every copy has failed")
        }
}

/// A client that does not say which store it is of.
private struct UnobservedDBClient: DBClientDecorator {
    let base: any DBClient

    var observation: ObservationSource { .unsupported }
}
