import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Custom statements are observed like every other write.
@Suite struct ObservationTests {
    private struct Stop: Error {}

    @Test(arguments: [true, false])
    func statementsAreObserved(inMemory: Bool) async throws {
        let folder = try TemporaryFolder()
        let client = inMemory ? try SQLDBClient.sqlite(.inMemory) : try .sqlite(at: folder.store)
        try await client.insert((1...9).map { Hero(id: $0, name: "hero \($0)") })
        let request = Hero.all.sorted { $0.name }
        var iterator = client.observe(request).makeAsyncIterator()
        _ = try await iterator.next()
        try await client.execute("UPDATE \(identifier: "Hero") SET name = \("a") WHERE id = \(5)")
        var changes = try #require(try await update(&iterator))
        #expect(changes.deletions == [4])
        #expect(changes.insertions == [0])
        #expect(changes.moves == [.init(from: 4, to: 0)])
        #expect(changes.modifications.map(\.element.id) == [5])
        // A statement that gives rows back writes as well; an undone one is not told.
        _ = try await client.write { transaction in
            try transaction.rows("DELETE FROM \(identifier: "Hero") WHERE id > \(7) RETURNING id")
        }
        changes = try #require(try await update(&iterator))
        #expect(changes.deletions == [7, 8])
        await #expect(throws: Stop.self) {
            try await client.write { transaction in
                try transaction.execute("DELETE FROM \(identifier: "Hero")")
                throw Stop()
            }
        }
        _ = try await client.rows("SELECT 1")
        try await client.insert(Hero(id: 100, name: "z"))
        changes = try #require(try await update(&iterator))
        #expect(changes.insertions == [7])
        #expect(changes.deletions.isEmpty && changes.modifications.isEmpty)
        #expect(Array(changes.objects) == (try await client.fetch(request)))
    }

    @Test func aFeedSaysThatItDoesNotKnowTheRowsOfAStatement() async throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try await client.insert(Hero(id: 1, name: "A"))
        var feed = client.changes(of: Hero.self).makeAsyncIterator()
        try await client.write { transaction in
            try transaction.insert(Hero(id: 2, name: "B"))
            try transaction.execute("DELETE FROM \(identifier: "Hero") WHERE id = 1")
        }
        let commit = try #require(try await feed.next())
        #expect(commit.inserted == [Hero(id: 2, name: "B")])
        #expect(commit.hasUntrackedChanges)
    }

    private func update(
        _ iterator: inout ChangeStream<Hero>.AsyncIterator
    ) async throws -> ChangeSet<Hero>? {
        guard case .update(let changes)? = try await iterator.next() else { return nil }
        return changes
    }
}
