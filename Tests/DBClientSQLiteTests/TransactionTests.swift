import DBClientCore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation
import Testing

@Suite struct TransactionTests {
    @Test("A call learns what is cheap on a connection, also behind a decorator")
    func hints() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        for client in [client, SpyDBClient(client)] as [any DBClient] {
            let hints = try client.blocking.read {
                try $0.engineReader.hints(for: Hero.schema.entity)
            }
            #expect(hints.upsertsRowByRow)
            #expect(hints.rowsOfInsert == 1_024)
        }
    }

    @Test func aReadSeesOneSnapshot() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        let counts = try client.blocking.read { transaction -> [Int] in
            let before = try transaction.count(Hero.all)
            // Another thread, since a write inside a read of one client is refused.
            let other = Thread { _ = try? client.blocking.insert(Hero(id: 2, name: "B")) }
            other.start()
            while !other.isFinished { Thread.sleep(forTimeInterval: 0.001) }
            let found = try transaction.find(Hero.self, key: 2)
            return [before, try transaction.count(Hero.all), found == nil ? 0 : 1]
        }
        #expect(counts == [1, 1, 0])
        #expect(try client.blocking.count(Hero.all) == 2)
    }

    @Test(arguments: [true, false])
    func savepointsNest(inMemory: Bool) throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        let client = inMemory ? try SQLDBClient.sqlite(.inMemory) : try .sqlite(at: folder.store)
        try client.blocking.write { outer in
            try outer.insert(Hero(id: 1, name: "A"))
            try outer.write { middle in
                try middle.insert(Hero(id: 2, name: "B"))
                #expect(throws: Stop.self) {
                    try middle.write { inner in
                        try inner.insert(Hero(id: 3, name: "C"))
                        try inner.insert(Note(code: "x"))
                        throw Stop()
                    }
                }
                #expect(try middle.fetch(Note.all).isEmpty)
                try middle.insert(Note(code: "y"))
            }
            #expect(throws: DBClientError.self) {
                try outer.insert([Hero(id: 4, name: "D"), Hero(id: 1, name: "E")])
            }
        }
        #expect(try client.blocking.fetch(Hero.all).map(\.id) == [1, 2])
        #expect(try client.blocking.fetch(Note.all).map(\.code) == ["y"])
    }

    @Test(arguments: [true, false])
    func aTransactionThatTheDatabaseGaveUpTakesNoMore(inMemory: Bool) throws {
        let folder = try TemporaryFolder()
        let client = inMemory ? try SQLDBClient.sqlite(.inMemory) : try .sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try client.blocking.insert(Note(code: "x"))
        try client.blocking.execute("PRAGMA max_page_count = 30")
        let badge = Data(count: 1_000_000)
        var codes: [DBClientError.Code?] = []
        let error = failure {
            try client.blocking.write { transaction in
                try transaction.insert(Hero(id: 2, name: "B"))
                codes = [
                    code { try transaction.insert(Hero(id: 3, name: "C", badge: badge)) },
                    code { try transaction.insert(Hero(id: 4, name: "D")) },
                    code { try transaction.upsert(Note(code: "y")) },
                    code { try transaction.update(Hero(id: 1, name: "E")) },
                    code { try transaction.delete(Hero.self, key: 1) },
                    code {
                        try transaction.insert([Hero(id: 5, name: "F"), Hero(id: 6, name: "G")])
                    },
                    code { try transaction.write { _ = try $0.insert(Hero(id: 7, name: "H")) } },
                    code { try transaction.execute("DELETE FROM Hero") },
                ]
            }
        }
        #expect(codes == [.full] + Array(repeating: .transactionEnded, count: 7))
        #expect(error?.code == .transactionEnded)
        #expect(try client.blocking.fetch(Hero.all) == [Hero(id: 1, name: "A")])
        #expect(try client.blocking.count(Note.all) == 1)
        try client.blocking.execute("PRAGMA max_page_count = 3000")
        try client.blocking.insert(Hero(id: 3, name: "C"))
        #expect(try client.blocking.count(Hero.all) == 2)
    }

    @Test(arguments: [true, false])
    func aTableMadeInARolledBackTransactionIsMadeAgain(inMemory: Bool) throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        let client = inMemory ? try SQLDBClient.sqlite(.inMemory) : try .sqlite(at: folder.store)
        #expect(throws: Stop.self) {
            try client.blocking.write { transaction in
                try transaction.insert(Hero(id: 1, name: "A"))
                throw Stop()
            }
        }
        #expect(try client.blocking.fetch(Hero.all).isEmpty)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        #expect(try client.blocking.fetch(Hero.all).count == 1)
    }

    @Test func concurrentWritersShareCommits() async throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try await client.insert(Hero(id: 0, name: "first"))
        let before = try commitsInLog(of: folder.store)
        let writers = 200
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1...writers {
                group.addTask { try await client.insert(Hero(id: id, name: "hero")) }
            }
            try await group.waitForAll()
        }
        #expect(try await client.count(Hero.all) == writers + 1)
        let commits = try commitsInLog(of: folder.store) - before
        #expect(commits > 0 && commits < writers / 2, "\(commits) commits for \(writers) writes")
    }

    @Test func aFailingWriterOfAGroupFailsAlone() async throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try await client.insert(Hero(id: 50, name: "taken"))
        let failures = await withTaskGroup(of: Bool.self) { group in
            for id in 1...100 {
                group.addTask {
                    do {
                        try await client.insert(Hero(id: id, name: "hero"))
                        return false
                    } catch {
                        return true
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 1)
        #expect(try await client.count(Hero.all) == 100)
    }

    @Test func readersAndWritersRunTogether() async throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for step in 0..<25 {
                        // Each transaction adds two, so every snapshot has an even number.
                        let id = (writer * 25 + step) * 2
                        try await client.insert([
                            Hero(id: id, name: "a"), Hero(id: id + 1, name: "b"),
                        ])
                    }
                }
                group.addTask {
                    for _ in 0..<50 {
                        let count = try await client.count(Hero.all)
                        let fetched = try await client.fetch(Hero.all).count
                        #expect(count.isMultiple(of: 2) && fetched.isMultiple(of: 2))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await client.count(Hero.all) == 200)
    }

    @Test func statementsAreReused() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert((1...10).map { Hero(id: $0, name: "Hero \($0)") })
        func prepared() throws -> Int {
            try client.blocking.read { transaction in
                let reader = try transaction.engineReader
                return try #require(reader as? SQLTransaction).preparedCount
            }
        }
        _ = try client.blocking.fetch(Hero.where { $0.name == "Hero 1" }.limit(1))
        let once = try prepared()
        for id in 1...10 {
            let found = try client.blocking.fetch(
                Hero.where { $0.name == "Hero \(id)" }.limit(id)
            )
            #expect(found.map(\.id) == [id])
        }
        #expect(try prepared() == once)
        _ = try client.blocking.fetch(Hero.where { $0.name != "Hero 1" }.limit(1))
        #expect(try prepared() == once + 1)
    }

    @Test func aRunningStatementIsNotDisturbed() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert((1...5).map { Hero(id: $0, name: "Hero \($0)") })
        var pairs: [[Int]] = []
        try client.blocking.read { transaction in
            try transaction.forEach(Hero.where { $0.id > 3 }) { outer in
                try transaction.forEach(Hero.where { $0.id > 2 }) { inner in
                    pairs.append([outer.id, inner.id])
                    return true
                }
                return true
            }
        }
        #expect(pairs == [[4, 3], [4, 4], [4, 5], [5, 3], [5, 4], [5, 5]])
    }
}
