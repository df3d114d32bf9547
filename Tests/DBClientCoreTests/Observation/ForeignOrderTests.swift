import DBClientTesting
import Testing

@testable import DBClientCore

/// Commits of others that are noticed while commits of this process are under way.
struct ForeignOrderTests {
    @Test("A commit of another process comes before the commits that end after it was noticed")
    func foreignCommitBeforeOwn() async throws {
        let client = InMemoryDBClient()
        let hub = try #require(client.observation.hub)
        var feed = client.changes(of: Probe.self).makeAsyncIterator()
        let first = try Commit(hub, seed: 1)
        let second = try Commit(hub, seed: 2)
        let third = try Commit(hub, seed: 3)
        // The last one ends before the commit is noticed, and the others after it.
        third.end(hub)
        hub.noteForeignCommit(entities: [Probe.schema.entity.name])
        second.end(hub)
        first.end(hub)
        var told: [[Int]?] = []
        for _ in 0..<4 {
            let commit = try await feed.next()
            told.append(
                commit?.hasUntrackedChanges == true ? nil : commit?.inserted.map(\.identifier)
            )
        }
        let numbers = [first, second, third].map { Optional([$0.identifier]) }
        #expect(told == [nil] + numbers)
    }

    @Test("A commit that fails leaves what others committed where it is")
    func failedCommit() async throws {
        let client = InMemoryDBClient()
        let hub = try #require(client.observation.hub)
        var feed = client.changes(of: Probe.self).makeAsyncIterator()
        let first = try Commit(hub, seed: 1)
        let second = try Commit(hub, seed: 2)
        hub.noteForeignCommit(entities: [Probe.schema.entity.name])
        first.fail(hub)
        second.end(hub)
        #expect(try await feed.next()?.hasUntrackedChanges == true)
        #expect(try await feed.next()?.inserted.map(\.identifier) == [second.identifier])
    }

    /// A commit that has its place in the order and inserts one row.
    private final class Commit {
        let identifier: Int
        private let number: UInt64
        private let recorder: CommitRecorder
        private let generation: Int

        init(_ hub: ChangeHub, seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let probe = try Sample.probe(Sample.row(Int(seed), using: &generator))
            identifier = probe.identifier
            generation = hub.watchGeneration
            recorder = try #require(hub.makeRecorder(generation))
            let buffer = RowBuffer(Probe.schema.entity)
            var row = try buffer.beginRow()
            try probe.write(to: &row)
            try buffer.endRow(row)
            try #require(recorder.log(of: Probe.schema.entity)).append(inserted: buffer.batch)
            recorder.endUnit()
            number = hub.beginCommit()
        }

        func end(_ hub: ChangeHub) {
            hub.endCommit(number, recorder, since: generation)
        }

        func fail(_ hub: ChangeHub) {
            hub.endCommit(number, nil, since: generation)
        }
    }
}
