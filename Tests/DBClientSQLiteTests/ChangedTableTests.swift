import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Tables whose shape changes under clients that know them.
@Suite struct ChangedTableTests {
    private struct Stop: Error {}

    /// Runs a body with a client that knows its tables for reading and for writing, and another one of the
    /// same file.
    private func withClients(
        _ body: (_ client: SQLDBClient, _ other: SQLDBClient) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        let other = try SQLDBClient.sqlite(at: folder.store)
        try await client.insert(Hero(id: 1, name: "A"))
        try await client.insert(Note(code: "x"))
        #expect(try await client.find(Hero.self, key: 1) != nil)
        #expect(try await client.fetch(Hero.all).count == 1)
        try await body(client, other)
    }

    @Test func aTableThatAnotherClientDropsIsEmptyAndMadeAgain() async throws {
        try await withClients { client, other in
            try await other.execute("DROP TABLE Hero")
            #expect(try await client.find(Hero.self, key: 1) == nil)
            #expect(try await client.fetch(Hero.all).isEmpty)
            #expect(try await client.read { try $0.count(Hero.all) } == 0)
            try await client.insert(Hero(id: 2, name: "B"))
            #expect(try await other.fetch(Hero.all).map(\.id) == [2])
            try await other.execute("DROP TABLE Hero")
            try await client.write { transaction in
                try transaction.insert(Note(code: "y"))
                try transaction.insert([Hero(id: 3, name: "C"), Hero(id: 4, name: "D")])
            }
            #expect(try await other.fetch(Hero.all).map(\.id) == [3, 4])
            #expect(try await other.count(Note.all) == 2)
        }
    }

    @Test func unitsThatShareACommitFindThatAnotherClientDroppedTheirTable() async throws {
        try await withClients { client, other in
            for round in 1...3 {
                try await other.execute("DROP TABLE Hero")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for id in 1...40 {
                        group.addTask {
                            let heroes = [Hero(id: id, name: "a"), Hero(id: id + 100, name: "b")]
                            try await client.insert(heroes)
                        }
                        // One that fails, so that the units run in savepoints.
                        group.addTask { _ = try? await client.write { _ in throw Stop() } }
                    }
                    try await group.waitForAll()
                }
                #expect(try await other.count(Hero.all) == 80, "round \(round)")
            }
        }
    }

    @Test func aColumnThatAnotherClientRenamesIsAMismatch() async throws {
        try await withClients { client, other in
            try await other.execute("ALTER TABLE Hero RENAME COLUMN name TO title")
            for error in [
                failure { _ = try client.blocking.fetch(Hero.all) },
                failure { _ = try client.blocking.find(Hero.self, key: 1) },
                failure { try client.blocking.insert(Hero(id: 2, name: "B")) },
            ] {
                #expect(error?.code == .schemaMismatch && error?.field == "name")
            }
            try await other.execute("ALTER TABLE Hero RENAME COLUMN title TO name")
            try await client.insert(Hero(id: 2, name: "B"))
            #expect(try await client.fetch(Hero.all).map(\.name) == ["A", "B"])
        }
    }

    @Test func aUnitThatFailsForItsOwnReasonsRunsOnce() async throws {
        try await withClients { client, _ in
            var count = 0
            #expect(throws: Stop.self) {
                try client.blocking.write { transaction in
                    count += 1
                    try transaction.insert(Hero(id: 5, name: "E"))
                    throw Stop()
                }
            }
            #expect(throws: Stop.self) {
                try client.blocking.read { transaction in
                    count += 1
                    _ = try transaction.count(Hero.all)
                    throw Stop()
                }
            }
            #expect(count == 2)
        }
    }

    @Test func aStatementThatChangesATableIsKnownAtOnce() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try client.blocking.write { transaction in
            #expect(try transaction.count(Hero.all) == 1)
            try transaction.execute("DROP TABLE Hero")
            #expect(try transaction.fetch(Hero.all).isEmpty)
            try transaction.insert(Hero(id: 2, name: "B"))
            #expect(throws: Stop.self) {
                try transaction.write { nested in
                    try nested.execute("DROP TABLE Hero")
                    try nested.execute("DROP TABLE IF EXISTS Note")
                    try nested.insert(Note(code: "x"))
                    throw Stop()
                }
            }
            #expect(try transaction.fetch(Hero.all).map(\.id) == [2])
            #expect(try transaction.fetch(Note.all).isEmpty)
            try transaction.insert([Note(code: "y"), Note(code: "z")])
        }
        #expect(try client.blocking.fetch(Hero.all).map(\.id) == [2])
        #expect(try client.blocking.count(Note.all) == 2)
    }
}
