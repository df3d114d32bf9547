import DBClientCore
import DBClientTesting
import Foundation
import StoreEntry
import Testing

/// Stored views of a store that several processes write to, some of which are killed, or do not know the views.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ViewProcessTests {
    /// Checks that both views are what a fresh reading of their definitions gives.
    private func expectKept(_ client: any DBClient) async throws {
        try await client.verify(TallyOfKind.self)
        try await client.verify(TallyOfArticle.self)
        let kinds = try await client.fetch(TallyOfKind.definition)
        let stored = try await client.fetch(TallyOfKind.all)
        #expect(stored.sorted { $0.kind < $1.kind } == kinds.sorted { $0.kind < $1.kind })
    }

    private func openWithArticles(
        _ engine: ProcessTests.Engine,
        _ folder: TemporaryFolder
    ) async throws -> any DBClient {
        let client = try engine.open(folder.store)
        try await client.insert(
            (0..<TallyWrites.articles).map { TallyArticle($0, kind: $0 % 5) }
        )
        return client
    }

    /// Two processes write at once, and each observed state has the view of the lines that it has.
    @Test(arguments: ProcessTests.Engine.allCases)
    func processesKeepViewsTogether(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        let client = try await openWithArticles(engine, folder)
        // The lines and their view, read together: in no state that is told do the two differ.
        let totals = client.observe { transaction in
            (
                try transaction.sum(\.amount, of: TallyLine.all),
                try transaction.sum(\.total, of: TallyOfArticle.all)
            )
        }
        let observing = Task {
            var last = 0
            for try await (lines, articles) in totals {
                #expect(lines == articles)
                last = lines
                if last == 999_999 { break }
            }
            return last
        }
        let child = try Child("tally", engine.rawValue, folder.store.path, "1", "150")
        var writes = TallyWrites(seed: 2)
        for _ in 0..<150 { try writes.write(through: client) }
        #expect(child.waitForAcknowledged().count == 150)
        try await expectKept(client)
        // Beside the last writes a version without the views tries one, of which nothing is stored.
        try await client.delete(TallyLine.all)
        try await client.insert(TallyLine(1, article: 1, amount: 999_999 - 1_000))
        let former = try Child("former-tally", engine.rawValue, folder.store.path, "2")
        #expect(former.waitForLines() == ["schemaMismatch"])
        try await client.insert(TallyLine(2, article: 2, amount: 1_000))
        #expect(try await observing.value == 999_999)
        try await expectKept(client)
        try client.close()
        try engine.verify(folder.store)
    }

    /// A writer is killed again and again; what it leaves has views of exactly the lines that it leaves.
    @Test(arguments: ProcessTests.Engine.allCases)
    func killedWritersLeaveViewsWhole(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        try (await openWithArticles(engine, folder)).close()
        var random = SeededGenerator(seed: 7)
        var acknowledged = 0
        for kill in 0..<12 {
            let child = try Child("tally", engine.rawValue, folder.store.path, "\(kill)", "100000")
            acknowledged += child.waitForFirst().count
            usleep(UInt32.random(in: 5_000...60_000, using: &random))
            child.kill()
            acknowledged += child.waitForAcknowledged().count
            let client = try engine.open(folder.store)
            try await expectKept(client)
            try client.close()
        }
        #expect(acknowledged > 12)
        try engine.verify(folder.store)
    }

    /// The former version of the program writes until the views are there, and is refused from then on.
    @Test(arguments: ProcessTests.Engine.allCases)
    func theFormerVersionWritesUntilThereAreViews(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        func former(_ id: Int) throws -> [String] {
            try Child("former-tally", engine.rawValue, folder.store.path, "\(id)").waitForLines()
        }
        #expect(try former(1) == ["written"])
        let client = try await openWithArticles(engine, folder)
        // It has not been written to by the new version, but its articles have, whose views are of its lines too.
        #expect(try former(2) == ["schemaMismatch"])
        #expect(try await client.find(TallyOfKind.self, key: 1)?.total == 1_000)
        try await client.insert(TallyLine(3, article: 1, amount: 5))
        #expect(try await client.find(TallyOfKind.self, key: 1)?.total == 1_005)
        #expect(try await client.find(TallyOfArticle.self, key: 1)?.total == 1_005)
        try await expectKept(client)
        try client.close()
    }
}
