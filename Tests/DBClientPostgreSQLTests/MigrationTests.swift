import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// What a migration makes of the tables themselves.
@Suite(.serialized, .enabled(if: Server.isThere)) struct MigrationTests {
    @Test("Columns are added to the table that is there, required where the field is")
    func columns() async throws {
        try await Server.withClient { client, _ in
            try await client.insert([
                Former(id: 1, name: "a", score: 1), Former(id: 2, name: "b", score: 2),
            ])
            try await client.execute(
                "ALTER TABLE \"Piece\" ADD COLUMN extra text DEFAULT 'e'"
            )
            try await client.migrate([
                .adapt(Latter.self, removing: ["score"]) {
                    $0.set(\.xmin, to: 1.5)
                    $0.set(\.made, to: Date(timeIntervalSince1970: 0))
                }
            ])
            #expect(
                try await client.findAll(Latter.self).map(\.xmin) == [1.5, 1.5]
            )
            let rows = try await client.rows(
                """
                SELECT column_name::text AS name, is_nullable::text AS nullable,
                    data_type::text AS type
                FROM information_schema.columns
                WHERE table_name = 'Piece' AND table_schema = current_schema()
                ORDER BY column_name
                """
            )
            let found = rows.map { row in
                row.values.map { if case .text(let text) = $0 { text } else { "?" } }
            }
            #expect(
                found == [
                    ["_xmin", "NO", "double precision"], ["extra", "YES", "text"],
                    ["id", "NO", "bigint"], ["made", "NO", "timestamp with time zone"],
                    ["name", "YES", "text"], ["note", "YES", "text"],
                ]
            )
            try await client.insert(Latter(id: 3, name: nil, xmin: 2, made: Date(), note: "n"))
            #expect(try await client.count(Latter.where { $0.name == nil }) == 1)
        }
    }

    @Test("A conversion is told to observers elsewhere, and what is written after it is, too")
    func journalOfAConvertedTable() async throws {
        try await Server.withClient { migrating, schema in
            try await migrating.installPostgreSQLJournal(for: Former.self, Note.self)
            try await migrating.insert([
                Former(id: 1, name: "a", score: 1), Former(id: 2, name: "b", score: 2),
            ])
            let observing = try await Server.clientElsewhere(
                try #require(Server.url),
                schema: schema
            )
            let pieces = ObservedValue(
                observing.observe(Latter.where { $0.id > 0 }) { transaction in
                    try transaction.rows("SELECT count(*) AS n FROM \"Piece\"")
                        .first?["n", as: Int.self]
                }
            )
            try await pieces.settle(2)
            try await migrating.migrate([
                .convert(Former.self, to: Latter.self) {
                    $0.id == 1 ? Latter(id: 1, xmin: 0, made: Date()) : nil
                }
            ])
            try await pieces.settle(1)
            // Later writes are told as well, those of any program.
            try await migrating.insert(Latter(id: 7, xmin: 0, made: Date()))
            try await pieces.settle(2)
            try await migrating.execute("DELETE FROM \"Piece\"")
            try await pieces.settle(0)
            try observing.close()
        }
    }

    @Test("Transactions that run meanwhile end before or after the migration")
    func concurrent() async throws {
        try await Server.withClient { client, _ in
            try await client.insert((0..<50).map { Former(id: $0, name: "n", score: 0) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<20 {
                    group.addTask {
                        for _ in 0..<10 {
                            do {
                                try await client.update(Former.self, key: id) {
                                    $0.set(\.name, to: "m")
                                }
                            } catch let error as DBClientError where error.code == .schemaMismatch {
                                return
                            }
                        }
                    }
                }
                group.addTask {
                    try await client.migrate([
                        .adapt(Latter.self, removing: ["score"]) {
                            $0.set(\.xmin, to: 1)
                            $0.set(\.made, to: Date())
                        }
                    ])
                }
                try await group.waitForAll()
            }
            #expect(try await client.count(Latter.all) == 50)
        }
    }

    @Test(
        "What others write while values are converted is not lost",
        arguments: [PostgreSQLIsolation.serializable, .repeatableRead, .readCommitted]
    )
    func writtenMeanwhile(_ isolation: PostgreSQLIsolation) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.isolation = isolation
        let url = try Server.url("application_name", "meanwhile")
        try await Server.withClient(configuration, url: url) { client, schema in
            let others = try await Server.client(schema: schema)
            let isHeldUp: SQL = """
                SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE NOT granted AND application_name = 'meanwhile'
                """
            try await client.insert((0..<3).map { Former(id: $0, name: "n", score: 0) })
            let hasBegun = Atomic(false)
            let outcome = Mutex<Swift.Result<Former, any Error>?>(nil)
            try await client.migrate([
                .convert(Former.self, to: Latter.self) { former in
                    if !hasBegun.exchange(true, ordering: .relaxed) {
                        Thread.detachNewThread {
                            let insertion = Swift.Result {
                                try client.blocking.insert(Former(id: 9, name: "n", score: 0))
                            }
                            outcome.withLock { $0 = insertion }
                        }
                        // Until the insertion is done or waits for the migration.
                        let end = ContinuousClock.now + .seconds(10)
                        while outcome.withLock({ $0 == nil }), ContinuousClock.now < end,
                            (try? others.blocking.rows(isHeldUp).isEmpty) != false
                        { usleep(1_000) }
                    }
                    return Latter(id: former.id, xmin: 0, made: Date())
                }
            ])
            let deadline = ContinuousClock.now + .seconds(20)
            while outcome.withLock({ $0 == nil }), ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(5))
            }
            try others.close()
            let insertion = outcome.withLock { $0 }
            switch try #require(insertion) {
            case .success: #expect(try await client.count(Latter.all) == 4)
            case .failure(let error):
                #expect((error as? DBClientError)?.code == .schemaMismatch)
                #expect(try await client.count(Latter.all) == 3)
            }
        }
    }
}

@Stored("Piece") private struct Former: Equatable {
    @PrimaryKey let id: Int
    var name: String
    var score: Int
}

@Stored("Piece") private struct Latter: Equatable {
    @PrimaryKey let id: Int
    var name: String?
    var xmin: Double
    var made: Date
    var note: String?
}
