import DBClientCore
import DBClientSQL
import Foundation
import StoreEntry
import Testing

/// Two versions of a program at work on one schema, in a process each.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct RolloutProcessTests {
    /// Runs a body beside the former version at work, and returns what that printed in the end: after the body, or by
    /// itself where it is refused.
    private func work(
        isRefused: Bool = false,
        after begin: (SQLDBClient) async throws -> Void = {
            try await $0.insert((1...100).map { Job($0) })
        },
        beside body: (SQLDBClient, _ wait: (Int) async throws -> Void) async throws -> Void
    ) async throws -> [String] {
        let end = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientRollout-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: end) }
        var words: [String] = []
        try await Server.withClient { client, schema in
            try await begin(client)
            let program = try Program.child()
            let former = Task {
                try await Program.run(program, ["work-on", "postgresql", "/" + schema, end.path])
            }
            do {
                try await body(client) { count in
                    let limit = ContinuousClock.now + .seconds(20)
                    while try await client.count(Job.where { $0.id < 0 }) < count {
                        try #require(ContinuousClock.now < limit, "the former version stands still")
                        try await Task.sleep(for: .milliseconds(2))
                    }
                }
            } catch {
                try Data().write(to: end)
                Issue.record("the former version: \(await former.result)")
                throw error
            }
            // One that is not refused ends as well, and says so.
            let wait: Double = isRefused ? 15 : 0
            DispatchQueue.global().asyncAfter(deadline: .now() + wait) {
                try? Data().write(to: end)
            }
            words = try await former.value.split(separator: " ").map(String.init)
        }
        return words
    }

    @Test func theFormerVersionGoesOnBesideANewIndex() async throws {
        let words = try await work { client, wait in
            try await wait(20)
            try await client.migrate([.adapt(IndexedJob.self)])
            let added = try await client.insert(IndexedJob(1_000))
            let written = try await client.count(IndexedJob.where { $0.id < 0 })
            try await wait(written + 20)
            #expect(try await client.fetch(IndexedJob.where { $0.name == added.name }) == [added])
        }
        #expect(words.first == "worked", "\(words)")
        print("longest write beside a new index on PostgreSQL: \(words.last ?? "") µs")
    }

    @Test func theFormerVersionGoesOnBesideNewProperties() async throws {
        let words = try await work { client, wait in
            try await wait(20)
            let changes = try await client.migrate([.adapt(RankedJob.self)])
            #expect(changes.map(\.entity) == ["Job"])
            try await client.insert(RankedJob(1_000, priority: 7))
            let written = try await client.count(RankedJob.where { $0.id < 0 })
            try await wait(written + 20)
            let others = try await client.fetch(RankedJob.where { $0.id != 1_000 })
            #expect(others.allSatisfy { $0.priority == 1 && $0.state == "it's new" })
            #expect(others.count >= 100 + written + 20)
            #expect(try await client.find(RankedJob.self, key: 1_000)?.priority == 7)
        }
        #expect(words.first == "worked", "\(words)")
        print("longest write beside new properties on PostgreSQL: \(words.last ?? "") µs")
    }

    @Test func processesThatMigrateAtOnceBuildAnIndexOnce() async throws {
        try await Server.withClient { client, schema in
            try await client.insert((1...20_000).map { Job($0) })
            let program = try Program.child()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await Program.run(program, ["adapt-jobs", "postgresql", "/" + schema])
                    }
                }
                for try await words in group { #expect(words == "adapted") }
            }
            let indexes = try await client.rows(
                "SELECT 1 FROM pg_index WHERE indrelid = to_regclass('\"Job\"')"
            )
            #expect(indexes.count == 2)
            #expect(try await client.pendingChanges(of: [.adapt(IndexedJob.self)]).isEmpty)
        }
    }

    @Test func theFormerVersionWritesToTablesOfTheNewerOne() async throws {
        let words = try await work { client in
            try await client.insert((1...100).map { RankedJob($0, priority: 7) })
        } beside: { client, wait in
            try await wait(20)
            let jobs = try await client.fetch(RankedJob.where { $0.id < 0 })
            #expect(jobs.count >= 20)
            #expect(jobs.allSatisfy { $0.priority == 1 && $0.state == "it's new" })
            #expect(try await client.count(RankedJob.where { $0.priority == 7 }) == 100)
        }
        #expect(words.first == "worked", "\(words)")
    }

    @Test func theFormerVersionIsRefusedAfterAConversion() async throws {
        let words = try await work(isRefused: true) { client, wait in
            try await wait(20)
            try await client.migrate([OffsetJob.conversion])
            let written = try await client.findAll(OffsetJob.self)
            let limit = ContinuousClock.now + .milliseconds(200)
            while ContinuousClock.now < limit {
                // Nothing is written any more by the version that writes something else.
                #expect(try await client.findAll(OffsetJob.self).count == written.count)
            }
        }
        #expect(words == ["failed", "schemaMismatch"])
    }
}
