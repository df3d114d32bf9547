import DBClientCore
import DBClientTesting
import Foundation
import StoreEntry
import Testing

/// A store that another process migrates.
@Suite(.serialized) struct MigrationProcessTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func whatAnotherProcessMigratedIsSeen(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store)
        try client.blocking.insert((0..<100).map { Entry($0) })
        #expect(try client.blocking.count(Entry.where { $0.bucket == 3 }) == 14)
        #expect(
            try Child("migrate", engine.rawValue, folder.store.path, "1").waitForAcknowledged() == [
                0
            ]
        )

        let errors = [
            #expect(throws: DBClientError.self) { try client.blocking.findAll(Entry.self) },
            #expect(throws: DBClientError.self) { try client.blocking.insert(Entry(200)) },
            #expect(throws: DBClientError.self) {
                try client.blocking.update(Entry.self, key: 1) { $0.set(\.text, to: "x") }
            },
        ]
        #expect(errors.map { $0?.code } == [.schemaMismatch, .schemaMismatch, .schemaMismatch])
        #expect(try client.blocking.count(WeighedEntry.where { $0.weight == 5 }) == 100)
        try client.blocking.insert(WeighedEntry(100, weight: 6))

        #expect(
            try Child("migrate", engine.rawValue, folder.store.path, "3").waitForAcknowledged()
                .count == 3
        )
        try client.blocking.insert(Entry(101))
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == Array(0...101))
        #expect(try client.blocking.count(Entry.where { $0.bucket == 3 }) == 15)
        try engine.verify(folder.store)
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func aKilledMigrationLeavesOneShapeOrTheOther(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let entries = (0..<400).map { Entry($0) }
        do {
            let client = try engine.open(folder.store)
            try client.blocking.insert(entries)
            try client.close()
        }
        let seed = UInt64.random(in: 0..<1_000_000)
        print("killed migration: seed \(seed)")
        let random = RandomSource(seed: seed)
        for round in 0..<8 {
            let child = try Child("migrate", engine.rawValue, folder.store.path, "1000")
            _ = child.waitForFirst()
            // The migration is killed at another moment each time.
            usleep(UInt32(random.below(60_000)))
            child.kill()
            _ = child.waitForAcknowledged()
            try engine.verify(folder.store)
            let client = try engine.open(folder.store)
            if try client.blocking.pendingChanges(of: [WeighedEntry.adaptation]).isEmpty {
                let found = try client.blocking.findAll(WeighedEntry.self)
                #expect(found == entries.map { WeighedEntry($0.id, weight: 5) }, "round \(round)")
            } else {
                #expect(try client.blocking.findAll(Entry.self) == entries, "round \(round)")
            }
            try client.close()
        }
    }
}
