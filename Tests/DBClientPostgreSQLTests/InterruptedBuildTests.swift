import DBClientCore
import DBClientSQL
import Foundation
import StoreEntry
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// The build of an index that does not come to its end.
///
/// A transaction that has written to the table keeps the server in the middle of it.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct InterruptedBuildTests {
    private let steps: [Migration] = [.adapt(IndexedJob.self)]

    /// Fills a table, and runs a body while a transaction is open that has written to it.
    private func withOpenWrite(
        _ body: (_ client: SQLDBClient, _ schema: String, _ end: () async throws -> Void)
            async throws
            -> Void
    ) async throws {
        try await Server.withClient { client, schema in
            try await client.insert((1...20_000).map { Job($0) })
            let writer = try await Server.client(schema: schema)
            let isOver = Mutex(false)
            let isWritten = Mutex(false)
            let writing = Task {
                try await onThread {
                    try writer.blocking.write { transaction in
                        try transaction.insert(Job(-1))
                        isWritten.withLock { $0 = true }
                        while !isOver.withLock({ $0 }) { usleep(1_000) }
                    }
                }
            }
            defer { isOver.withLock { $0 = true } }
            try await waitUntil { isWritten.withLock { $0 } }
            try await body(client, schema) {
                isOver.withLock { $0 = true }
                try await writing.value
            }
            try writer.close()
        }
    }

    private func indexes(_ client: SQLDBClient) async throws -> [String] {
        try await client.rows(
            """
            SELECT i.relname::text || CASE WHEN x.indisvalid THEN '' ELSE ' broken off' END AS name
            FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
            WHERE x.indrelid = to_regclass('"Job"') AND NOT x.indisprimary ORDER BY 1
            """
        ).compactMap { $0["name", as: String.self] }
    }

    /// The sessions that build an index of a schema's.
    private func builders(_ client: SQLDBClient) async throws -> [Int] {
        try await client.rows(
            """
            SELECT p.pid::bigint AS pid FROM pg_stat_progress_create_index p
            WHERE p.relid = to_regclass('"Job"')
            """
        ).compactMap { $0["pid", as: Int.self] }
    }

    /// Waits until an index is being built that has a name in the catalog, as it has after the first transaction of a build.
    private func waitForBuild(_ client: SQLDBClient) async throws {
        try await waitUntil {
            if try await indexes(client).isEmpty { return false }
            return try await !builders(client).isEmpty
        }
    }

    private func migrateAgain(_ client: SQLDBClient, _ schema: String) async throws {
        let newer = try await Server.client(schema: schema)
        try await newer.migrate(steps)
        #expect(try await indexes(client) == ["Job_name_index"])
        #expect(try await newer.pendingChanges(of: steps).isEmpty)
        try newer.close()
    }

    @Test("A task that is cancelled says what is there, and the next migration builds the index")
    func cancelled() async throws {
        try await withOpenWrite { client, schema, end in
            var configuration = PostgreSQLConfiguration()
            configuration.lockTimeout = .milliseconds(200)
            let newer = try await Server.client(schema: schema, configuration)
            let migrating = Task { try await newer.migrate(steps) }
            try await waitForBuild(client)
            migrating.cancel()
            let error = await #expect(throws: DBClientError.self) { try await migrating.value }
            #expect(error?.code == .cancelled)
            #expect(error?.message.contains("is committed") == true)
            // The client goes on, with its own limit of a statement.
            #expect(try await newer.count(IndexedJob.all) == 20_000)
            try newer.close()
            try await end()
            try await migrateAgain(client, schema)
        }
    }

    @Test("A session that is ended leaves an index that the next migration replaces")
    func endedSession() async throws {
        try await withOpenWrite { client, schema, end in
            let newer = try await Server.client(schema: schema)
            let migrating = Task { try await newer.migrate(steps) }
            try await waitForBuild(client)
            let builder = try #require(try await builders(client).first)
            _ = try await client.rows("SELECT pg_terminate_backend(\(builder)::int)")
            let error = await #expect(throws: DBClientError.self) { try await migrating.value }
            #expect(error?.code == .connectionLost)
            try await waitUntil { try await builders(client).isEmpty }
            #expect(try await indexes(client) == ["Job_name_index broken off"])
            try newer.close()
            try await end()
            try await migrateAgain(client, schema)
        }
    }

    @Test("A program that is killed leaves a build that the next migration waits for")
    func killedProgram() async throws {
        try await withOpenWrite { client, schema, end in
            let program = try Program(
                try Program.child(),
                ["adapt-jobs", "postgresql", "/" + schema]
            )
            try await waitForBuild(client)
            program.kill()
            // It waits for the build and for no lock of the table.
            var configuration = PostgreSQLConfiguration()
            configuration.lockTimeout = .milliseconds(1)
            configuration.retryTimeout = .milliseconds(1)
            let newer = try await Server.client(schema: schema, configuration)
            let migrating = Task { try await newer.migrate(steps) }
            // Writers of the former version do not wait for either.
            for id in -12 ... -2 { try await client.insert(Job(id)) }
            try await end()
            _ = try await migrating.value
            try newer.close()
            try await migrateAgain(client, schema)
        }
    }
}
