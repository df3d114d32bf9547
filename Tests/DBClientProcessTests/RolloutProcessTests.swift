import DBClientCore
import Foundation
import StoreEntry
import Testing

/// Two versions of a program at work on one store, in a process each.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct RolloutProcessTests {
    /// Runs a body beside the former version at work, and returns what that printed in the end: after the body, or by
    /// itself where it is refused.
    private func work(
        _ engine: ProcessTests.Engine,
        isRefused: Bool = false,
        after begin: (any DBClient) throws -> Void = {
            try $0.blocking.insert((1...100).map { Job($0) })
        },
        beside body: (any DBClient, _ wait: (Int) throws -> Void) throws -> Void
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let end = folder.url.appendingPathComponent("end")
        let client = try engine.open(folder.store)
        try begin(client)
        let child = try Child("work-on", engine.rawValue, folder.store.path, end.path)
        do {
            try body(client) { count in
                let limit = ContinuousClock.now + .seconds(300)
                while try client.blocking.count(Job.where { $0.id < 0 }) < count {
                    try #require(ContinuousClock.now < limit, "the former version stands still")
                    usleep(1_000)
                }
            }
        } catch {
            child.kill()
            throw error
        }
        if isRefused {
            // One that is not refused ends as well, and says so.
            DispatchQueue.global().asyncAfter(deadline: .now() + 20) { try? Data().write(to: end) }
        } else {
            try Data().write(to: end)
        }
        let lines = child.waitForLines()
        try client.close()
        return try #require(lines.last).split(separator: " ").map(String.init)
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func theFormerVersionGoesOnBesideANewIndex(engine: ProcessTests.Engine) throws {
        let words = try work(engine) { client, wait in
            try wait(20)
            try client.blocking.migrate([.adapt(IndexedJob.self)])
            let added = try client.blocking.insert(IndexedJob(1_000))
            let written = try client.blocking.count(IndexedJob.where { $0.id < 0 })
            try wait(written + 20)
            #expect(
                try client.blocking.fetch(IndexedJob.where { $0.name == added.name }) == [added]
            )
        }
        #expect(words.first == "worked", "\(words)")
        print("longest write beside a new index on \(engine.rawValue): \(words.last ?? "") µs")
    }

    @Test func theFormerVersionGoesOnBesideNewProperties() throws {
        let words = try work(.sqlite) { client, wait in
            try wait(20)
            let changes = try client.blocking.migrate([.adapt(RankedJob.self)])
            #expect(changes.map(\.entity) == ["Job"])
            try client.blocking.insert(RankedJob(1_000, priority: 7))
            let written = try client.blocking.count(RankedJob.where { $0.id < 0 })
            try wait(written + 20)
            let others = try client.blocking.fetch(RankedJob.where { $0.id != 1_000 })
            #expect(others.allSatisfy { $0.priority == 1 && $0.state == "it's new" })
            #expect(others.count >= 100 + written + 20)
            #expect(try client.blocking.find(RankedJob.self, key: 1_000)?.priority == 7)
        }
        #expect(words.first == "worked", "\(words)")
        print("longest write beside new properties on sqlite: \(words.last ?? "") µs")
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func processesThatMigrateAtOnceMeet(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store)
        try client.blocking.insert((1...15_000).map { Job($0) })
        let children = try (0..<3).map { _ in
            try Child("adapt-jobs", engine.rawValue, folder.store.path)
        }
        for child in children { #expect(child.waitForLines() == ["adapted"]) }
        #expect(try client.blocking.pendingChanges(of: [.adapt(IndexedJob.self)]).isEmpty)
        #expect(try client.blocking.fetch(IndexedJob.where { $0.name == "job 9" }).count == 1)
        try client.blocking.insert(Job(-1))
        #expect(try client.blocking.fetch(IndexedJob.where { $0.name == "job -1" }).count == 1)
        try client.close()
        try engine.verify(folder.store)
    }

    @Test func theFormerVersionWritesToTablesOfTheNewerOne() throws {
        let words = try work(.sqlite) { client in
            try client.blocking.insert((1...100).map { RankedJob($0, priority: 7) })
        } beside: { client, wait in
            try wait(20)
            let jobs = try client.blocking.fetch(RankedJob.where { $0.id < 0 })
            #expect(jobs.count >= 20)
            #expect(jobs.allSatisfy { $0.priority == 1 && $0.state == "it's new" })
            #expect(try client.blocking.count(RankedJob.where { $0.priority == 7 }) == 100)
        }
        #expect(words.first == "worked", "\(words)")
    }

    @Test func theObjectStoreRefusesTheFormerVersionOnceItHasNewProperties() throws {
        let words = try work(.objectStore, isRefused: true) { client, wait in
            try wait(20)
            try client.blocking.migrate([.adapt(RankedJob.self)])
        }
        #expect(words == ["failed", "schemaMismatch"])
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func theFormerVersionIsRefusedAfterAConversion(engine: ProcessTests.Engine) throws {
        let words = try work(engine, isRefused: true) { client, wait in
            try wait(20)
            try client.blocking.migrate([OffsetJob.conversion])
            let written = try client.blocking.findAll(OffsetJob.self)
            let limit = ContinuousClock.now + .milliseconds(200)
            while ContinuousClock.now < limit {
                // Nothing is written any more by the version that writes something else.
                #expect(try client.blocking.findAll(OffsetJob.self).count == written.count)
            }
        }
        #expect(words == ["failed", "schemaMismatch"])
    }

    /// Reads in this process what another one has converted, by each way to read.
    @Test(arguments: ProcessTests.Engine.allCases)
    func aReaderIsRefusedAfterAConversionElsewhere(engine: ProcessTests.Engine) throws {
        let reads: [(any DBClient) throws -> Void] = [
            { _ = try $0.blocking.find(Job.self, key: 1) },
            { _ = try $0.blocking.findAll(Job.self) },
            { _ = try $0.blocking.count(Job.where { $0.code > 5 }) },
            { _ = try $0.blocking.max(\.code, of: Job.all) },
            { client in try client.blocking.read { _ = try $0.find(Job.self, key: 1) } },
        ]
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store)
        try client.blocking.insert((1...100).map { Job($0) })
        for (index, read) in reads.enumerated() {
            for read in reads { try read(client) }
            let lines = try Child("convert-jobs", engine.rawValue, folder.store.path).waitForLines()
            #expect(lines == ["converted"])
            for _ in 0..<2 {
                let error = #expect(throws: DBClientError.self, "\(index)") { try read(client) }
                #expect(error?.code == .schemaMismatch, "\(index)")
            }
            #expect(try client.blocking.findAll(OffsetJob.self).first?.code == OffsetUInt64(1))
            let back = try Child("convert-jobs", engine.rawValue, folder.store.path).waitForLines()
            #expect(back == ["converted"])
        }
        try client.close()
    }
}
