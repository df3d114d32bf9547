import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// A client whose sessions are those of a pooler, which a test starts for itself.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct PoolerTests {
    @Test(
        "Behind a pooler that gives each transaction another connection",
        .enabled(if: Pooler.isThere)
    )
    func pooler() async throws {
        try await Server.withClient { direct, schema in
            let pooler = try await Pooler(to: Server.port, of: Server.host)
            do {
                try await write(through: pooler, into: schema, readBy: direct)
                try await observe(through: pooler, in: schema)
            } catch {
                await pooler.stop()
                throw error
            }
            await pooler.stop()
        }
    }

    private func write(
        through pooler: Pooler,
        into schema: String,
        readBy direct: SQLDBClient
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.keepsPreparedStatements = false
        let client = try await Server.client(port: pooler.port, schema: schema, configuration)
        try await client.insert((0..<8).map { Counter($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        try await client.write { transaction in
                            let found = try transaction.find(Counter.self, key: writer)
                            try transaction.update(Counter(writer, (found?.value ?? 0) + 1))
                        }
                        _ = try await client.fetch(Counter.where { $0.value > 1_000 })
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try await direct.findAll(Counter.self).map(\.value) == Array(repeating: 25, count: 8)
        )
        let outcome = try await client.upsert((4..<100).map { Counter($0, 1) })
        #expect(outcome.updated.count == 4 && outcome.inserted.count == 92)
        #expect(await code { try await client.insert(Counter(4)) } == .duplicateKey)
        try client.close()
    }

    private func observe(through pooler: Pooler, in schema: String) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.keepsPreparedStatements = false
        let client = try await Server.client(port: pooler.port, schema: schema, configuration)
        try await client.deleteAll(Counter.self)
        try await client.installPostgreSQLJournal(for: Counter.self)
        let table = ObservedTable(client.observe(Counter.all))
        try await table.settle([])
        let writing = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
        let begin = ContinuousClock.now
        for id in 0..<10 {
            try await writing.insert(Counter(id))
            try await table.settle((0...id).map { Counter($0) })
        }
        print("pooler: 10 foreign commits, each told after \((ContinuousClock.now - begin) / 10)")
        // A program that knows nothing of the library shares the server's connections with the client.
        for id in 10..<16 {
            _ = try await Program.run(
                "/usr/bin/psql",
                [
                    "-X", "-h", "127.0.0.1", "-p", "\(pooler.port)", "-U", "dbclient", "-d",
                    "postgres", "-c",
                    "INSERT INTO \"\(schema)\".\"Counter\" VALUES (\(id), 0)",
                ]
            )
            try await client.upsert(Counter(0))
            try await table.settle((0...id).map { Counter($0) })
        }
        // A client of another schema, whose tables have the same names, is another store's.
        try await Server.withClient { _, otherSchema in
            let other = try await Server.client(
                port: pooler.port,
                schema: otherSchema,
                configuration
            )
            try await other.insert(Counter(77))
            try await client.insert(Counter(16))
            try await table.settle((0...16).map { Counter($0) })
            try other.close()
        }
        try writing.close()
        try client.close()
    }
}
