import DBClientCore
import DBClientSQL
import Foundation
import StoreEntry
import Testing
import TrustRow

@testable import DBClientPostgreSQL

/// Whatever an observer is told is a state that the database had between two commits, whichever programs
/// commit to it.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(5)))
struct ObservedStateTests {
    @Test("A commit of one's own that follows another program's is not told before it")
    func ownCommitAfterForeign() async throws {
        try await withBank { client, schema in
            try await follow(client, schema)
        }
    }

    @Test(
        "A commit of one's own that follows another program's is not told before it, behind a pooler",
        .enabled(if: Pooler.isThere)
    )
    func ownCommitAfterForeignBehindPooler() async throws {
        try await withPooledBank { client, schema in
            try await follow(client, schema)
        }
    }

    @Test("Eight writers in several programs, at once")
    func eightWriters() async throws {
        try await withBank { client, schema in
            try await transfer(client, schema)
        }
    }

    @Test(
        "Eight writers in several programs, at once, behind a pooler",
        .enabled(if: Pooler.isThere)
    )
    func eightWritersBehindPooler() async throws {
        try await withPooledBank { client, schema in
            try await transfer(client, schema)
        }
    }

    /// Another program moves something from one purse to another, and then this one from there to a third.
    private func follow(_ client: SQLDBClient, _ schema: String) async throws {
        let foreign = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
        let observers = BankObservers(client)
        try await observers.settle(0)
        let rounds = 100
        for round in 0..<rounds {
            let first = round % Bank.count
            let second = (round + 1) % Bank.count
            let third = (round + 2) % Bank.count
            try await foreign.write { transaction in
                try transaction.execute(
                    """
                    UPDATE "Purse" SET "balance" = "balance" + CASE "id" WHEN \(first) THEN -10 ELSE 10 END
                    WHERE "id" IN (\(first), \(second))
                    """
                )
                try transaction.execute(
                    "UPDATE \"Purse\" SET \"step\" = \"step\" + 1 WHERE \"id\" = \(Bank.row(of: 0))"
                )
            }
            try await client.write { transaction in
                var found = try transaction.find(
                    Purse.self,
                    keys: [second, third, Bank.row(of: 1), Bank.row(of: 0)]
                )
                try #require(found.count == 4)
                found[0].balance -= 1
                found[1].balance += 1
                found[2].step += 1
                try transaction.update(Array(found[0..<3]))
            }
        }
        try await observers.settle(2 * rounds)
        report("foreign then own", observers)
        observers.cancel()
        try foreign.close()
    }

    private func transfer(_ client: SQLDBClient, _ schema: String) async throws {
        let foreign = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
        let observers = BankObservers(client)
        try await observers.settle(0)
        let start = ContinuousClock.now
        let row = TrustRow("R15")
        let commits = row.size("DBCLIENT_OBSERVED_COMMITS", short: 800)
        let times = max(commits / Bank.writers.count, 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in Bank.writers {
                group.addTask {
                    if writer == 0 {
                        try await Self.transferBySQL(writer, times, in: schema)
                    } else {
                        try await onThread {
                            try Bank.transfer(
                                by: writer,
                                times: times,
                                through: writer.isMultiple(of: 2) ? foreign : client
                            )
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await observers.settle(times * Bank.writers.count)
        report("eight writers", observers)
        row.report(times * Bank.writers.count, of: "PostgreSQL-programs", since: start)
        observers.cancel()
        try foreign.close()
    }

    /// Makes transfers by a program that does not know the library.
    private static func transferBySQL(
        _ writer: Int,
        _ times: Int,
        in schema: String
    ) async throws {
        var script = "SET search_path = \"\(schema)\";\n"
        for time in 0..<times {
            let (first, second) = (time % (Bank.count - 1), time % (Bank.count - 1) + 1)
            script += """
                BEGIN;
                SELECT 1 FROM "Purse" WHERE "id" IN (\(first), \(second)) ORDER BY "id" FOR UPDATE;
                UPDATE "Purse" SET "balance" = "balance" + CASE "id" WHEN \(first) THEN -3 ELSE 3 END,
                    "isOpen" = (SELECT "isOpen" FROM "Purse" other WHERE "id" IN (\(first), \(second))
                        AND other."id" <> "Purse"."id")
                WHERE "id" IN (\(first), \(second));
                UPDATE "Purse" SET "step" = "step" + 1,
                    "seen" = (SELECT "step" FROM "Purse" WHERE "id" = \(Bank.row(of: Bank.neighbour(of: writer))))
                WHERE "id" = \(Bank.row(of: writer));
                COMMIT;

                """
        }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientBank-\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(script.utf8).write(to: file)
        _ = try await Program.run(
            "/usr/bin/psql",
            [
                "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file.path,
                try #require(Server.url),
            ]
        )
    }

    private func report(_ name: String, _ observers: BankObservers) {
        let told = observers.told.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let faults = observers.faults
        print("\(name): told \(told); \(faults.count) never were")
        #expect(faults.isEmpty, "\(faults.count) of \(told): \(faults.prefix(12))")
    }

    private func withBank(
        _ body: (SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        try await Server.withClient { client, schema in
            try await client.installPostgreSQLJournal(for: Purse.self, Safe.self)
            try await onThread { try Bank.found(in: client) }
            try await body(client, schema)
        }
    }

    private func withPooledBank(
        _ body: (SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        try await withBank { _, schema in
            let pooler = try await Pooler(to: Server.port, of: Server.host)
            do {
                var configuration = PostgreSQLConfiguration()
                configuration.keepsPreparedStatements = false
                let client = try await Server.client(
                    port: pooler.port,
                    schema: schema,
                    configuration
                )
                try await body(client, schema)
                try client.close()
            } catch {
                await pooler.stop()
                throw error
            }
            await pooler.stop()
        }
    }
}
