import DBClientCore
import DBClientSQL
import Foundation
import StoreEntry
import Testing

/// Tables that something else replaces while a client is at work on them, as a restored backup does.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct RestoredTableTests {
    @Test func theNewerVersionIsRefusedUntilTheBackupIsMigrated() async throws {
        try await Server.withClient { client, schema in
            try await client.insert((1...50).map { Job($0) })
            let statements: [SQL] = [
                #"CREATE TABLE "Backup" (LIKE "Job" INCLUDING ALL)"#,
                #"INSERT INTO "Backup" SELECT * FROM "Job""#,
                """
                DO $$ BEGIN EXECUTE format('COMMENT ON TABLE "Backup" IS %L',
                    obj_description('"Job"'::regclass)); END $$
                """,
            ]
            let uses: [(SQLDBClient) async throws -> Void] = [
                { _ = try await $0.find(OffsetJob.self, key: 1) },
                { _ = try await $0.find(OffsetJob.self, keys: Array(1...20)) },
                { _ = try await $0.fetch(OffsetJob.where { $0.id > 10 }) },
                { _ = try await $0.count(OffsetJob.where { $0.name == "x" }) },
                { _ = try await $0.max(\.id, of: OffsetJob.all) },
                { client in try await client.read { _ = try $0.find(OffsetJob.self, key: 1) } },
                { try await $0.upsert(OffsetJob(Job(1))) },
                { try await $0.upsert((1...3).map { OffsetJob(Job($0)) }) },
                { try await $0.upsert((1...40).map { OffsetJob(Job($0)) }) },
                { try await $0.update(OffsetJob.self, key: 1) { $0.set(\.name, to: "y") } },
                { _ = try await $0.updateExisting((1...40).map { OffsetJob(Job($0)) }) },
                { try await $0.delete(OffsetJob.self, key: 900) },
                { try await $0.delete(OffsetJob.self, keys: Array(900..<950)) },
                { try await $0.delete(OffsetJob.where { $0.id > 900 }) },
                {
                    try await $0.insert(OffsetJob(Job(800)))
                    try await $0.delete(OffsetJob.self, key: 800)
                },
                {
                    try await $0.insert((801..<850).map { OffsetJob(Job($0)) })
                    try await $0.delete(OffsetJob.self, keys: Array(801..<850))
                },
            ]
            let other = try await Server.client(schema: schema)
            for statement in statements { try await other.execute(statement) }
            for (index, use) in uses.enumerated() {
                try await client.migrate([OffsetJob.conversion])
                for use in uses { try await use(client) }
                try await other.write { transaction in
                    try transaction.execute(#"DROP TABLE "Job""#)
                    try transaction.execute(#"ALTER TABLE "Backup" RENAME TO "Job""#)
                }
                for _ in 0..<2 {
                    let error = await #expect(throws: DBClientError.self, "\(index)") {
                        try await use(client)
                    }
                    #expect(error?.code == .schemaMismatch, "\(index)")
                    #expect(error?.field == "code", "\(index)")
                }
                #expect(try await client.findAll(Job.self) == (1...50).map { Job($0) }, "\(index)")
                for statement in statements { try await other.execute(statement) }
            }
            try other.close()
        }
    }

    @Test func aTableThatWasReplacedByOneOfTheSameShapeIsUsedOn() async throws {
        try await Server.withClient { client, schema in
            let other = try await Server.client(schema: schema)
            try await client.insert((1...50).map { Job($0) })
            for round in 1...3 {
                #expect(try await client.find(Job.self, key: 1) == Job(1))
                #expect(try await client.count(Job.where { $0.code > 0 }) == 50)
                try await client.upsert(Job(2))
                try await other.write { transaction in
                    try transaction.execute(#"ALTER TABLE "Job" RENAME TO "Old""#)
                    try transaction.execute(#"CREATE TABLE "Job" (LIKE "Old" INCLUDING ALL)"#)
                    try transaction.execute(#"INSERT INTO "Job" SELECT * FROM "Old""#)
                    try transaction.execute(#"DROP TABLE "Old""#)
                }
                #expect(try await client.find(Job.self, key: 1) == Job(1), "\(round)")
                try await client.insert(Job(100 + round))
                try await client.delete(Job.self, key: 100 + round)
                #expect(try await client.findAll(Job.self).count == 50)
            }
            try other.close()
        }
    }
}
