import DBClientPostgreSQL
import DBClientTesting
import Foundation
import Testing

/// What holds at lower levels of isolation than the one that PostgreSQL is used with by default.
@Suite(.serialized)
struct IsolationTests {
    private static let isLong = ProcessInfo.processInfo.environment["DBCLIENT_LONG"] != nil
    private static let concerns: Set<ConformanceConcern> = [
        .concurrency, .relationships, .upsert, .savepoints,
    ]

    @Test("Units and graphs keep their promises where two snapshots may miss each other's writes")
    func repeatableRead() async throws {
        try await run("PostgreSQL, repeatable read", .repeatableRead, except: [])
    }

    @Test("Units and graphs keep their promises but one where each statement has a snapshot")
    func readCommitted() async throws {
        // What was read may be outdated when it is written back: that is what the level says.
        try await run(
            "PostgreSQL, read committed",
            .readCommitted,
            except: ["read-then-write units lose no update"]
        )
    }

    private func run(
        _ name: String,
        _ isolation: PostgreSQLIsolation,
        except excluded: Set<String>
    ) async throws {
        guard let backend = Backends.onPostgreSQL(name, isolation) else { return }
        var concerns = Self.concerns
        // What one client writes is the same below a level that has kept it.
        if isolation == .readCommitted, !Self.isLong { concerns.remove(.relationships) }
        let cases = ConformanceSuite.cases.filter { concerns.contains($0.concern) }
        for promise in cases where !excluded.contains(promise.name) {
            do {
                try await ConformanceSuite.run(promise, on: backend)
            } catch {
                Issue.record("\(name), \(promise): \(error)")
            }
        }
        if isolation == .repeatableRead {
            let updates = try await ObservationTest.fromEnvironment(sequences: 20).run(on: backend)
            #expect(updates > 0)
        }
    }
}
