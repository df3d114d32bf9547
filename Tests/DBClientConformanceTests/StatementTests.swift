import DBClientCore
import DBClientSQL
import DBClientTesting
import Testing

/// Custom statements, on each engine that speaks SQL.
@Suite(.serialized)
struct StatementTests {
    private static let backends = Backends.chosen.filter {
        $0.name.hasPrefix("SQLite") || $0.name == "PostgreSQL"
    }

    private func withClient(
        of backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert((1...3).map { Verse(id: $0, text: "verse \($0)") })
        try await body(client)
    }

    @Test("Each call with a statement has an operation that does the same", arguments: backends)
    func operations(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let change = WriteOperation.execute(
                "UPDATE \(identifier: "Verse") SET text = \("new") WHERE id > \(1)"
            )
            let texts = ReadOperation.rows(
                "SELECT text FROM \(identifier: "Verse") ORDER BY id"
            ).map { try $0.map { try $0.value("text", as: String.self) } }
            let both = change.zip(texts)
            let found = try await client.run(both)
            #expect(found.0 == 2)
            #expect(found.1 == ["verse 1", "new", "new"])
            let verses = ReadOperation.fetch(
                Verse.self,
                sql: "SELECT * FROM \(identifier: "Verse") WHERE id = \(2)"
            )
            #expect(try client.blocking.run(verses) == [Verse(id: 2, text: "new")])
            let failing = WriteOperation.execute("DELETE FROM \(identifier: "Verse")")
                .flatMap { _ in WriteOperation<Int>.fail(DBClientError(.io, "It is made to fail."))
                }
            let error = await #expect(throws: DBClientError.self) {
                try await client.run(failing)
            }
            #expect(error?.code == .io)
            #expect(try await client.count(Verse.all) == 3)
        }
    }

    @Test("Fields are set to what is computed in one statement", arguments: backends)
    func computedUpdate(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let prepared = try await client.write { transaction in
                let base = transaction
                // The table is looked at before.
                #expect(try transaction.count(Verse.all) == 3)
                let sql = try #require(try base.storeReader as? SQLTransaction)
                let before = sql.preparedCount
                let request = Verse.where { $0.id * 2 > 2 }
                #expect(try transaction.update(request) { $0.set(\.text) { $0.text + "!" } } == 2)
                return sql.preparedCount - before
            }
            #expect(prepared == 1)
            let texts = try await client.fetch(Verse.all).map(\.text)
            #expect(texts == ["verse 1", "verse 2!", "verse 3!"])
        }
    }

    @Test("Rows are returned, and copied, by the statement that writes them", arguments: backends)
    func returningAndCopying(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            try await client.insert(Poem(id: 9, title: "t", length: 1))
            try await client.write { transaction in
                let base = transaction
                // The tables are looked at before, and what holds their rows.
                #expect(try !transaction.delete(Verse.self, key: 99))
                #expect(try transaction.count(Verse.all) == 3)
                #expect(try transaction.count(Poem.all) == 1)
                let sql = try #require(try base.storeReader as? SQLTransaction)
                var before = sql.preparedCount
                let longest = Verse.where { $0.id > 1 }.sorted { $0.text.descending }
                let updated = try transaction.updateReturning(Verse.where { $0.id > 1 }) {
                    $0.set(\.text) { $0.text + "!" }
                }
                #expect(updated.map(\.text) == ["verse 2!", "verse 3!"])
                #expect(sql.preparedCount - before == 1)
                before = sql.preparedCount
                let copies = try transaction.insert(Poem.self, from: longest) {
                    $0.set(\.id, to: $1.id * 10)
                    $0.set(\.title, to: $1.text)
                    $0.set(\.length, to: $1.text.count)
                }
                #expect(copies == 2)
                #expect(sql.preparedCount - before == 1)
                before = sql.preparedCount
                let deleted = try transaction.deleteReturning(longest)
                #expect(deleted.map(\.id) == [3, 2])
                #expect(sql.preparedCount - before == 1)
            }
            let poems = try await client.fetch(Poem.all)
            #expect(poems.map(\.title) == ["t", "verse 2!", "verse 3!"])
            #expect(poems.map(\.length) == [1, 8, 8])
        }
    }

    @Test("A client that only reads runs no statement that writes", arguments: backends)
    func readOnly(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let reader = RetryingDBClient(ReadOnlyDBClient(SpyDBClient(client)))
            func code(_ body: () async throws -> Void) async -> DBClientError.Code? {
                await #expect(throws: DBClientError.self) { try await body() }?.code
            }
            let delete: SQL = "DELETE FROM \(identifier: "Verse") RETURNING *"
            #expect(await code { _ = try await reader.run(.rows(delete)) } == .readOnly)
            #expect(await code { _ = try reader.blocking.rows(delete) } == .readOnly)
            #expect(await code { _ = try reader.blocking.execute(delete) } == .readOnly)
            #expect(await code { _ = try await reader.run(.execute(delete)) } == .readOnly)
            #expect(
                await code { _ = try reader.blocking.fetch(Verse.self, sql: delete) } == .readOnly
            )
            // Nor in a read that has joined a write of the same store.
            try client.writeBlocking { _ in
                let error = #expect(throws: DBClientError.self) {
                    _ = try reader.blocking.rows(delete)
                }
                #expect(error?.code == .readOnly)
            }
            let count: SQL = "SELECT COUNT(*) AS n FROM \(identifier: "Verse")"
            #expect(try reader.blocking.rows(count).first?["n", as: Int.self] == 3)
        }
    }

    @Test("A read of one call runs no statement that writes", arguments: backends)
    func readOnce(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let delete: SQL = "DELETE FROM \(identifier: "Verse") RETURNING *"
            let count: SQL = "SELECT COUNT(*) AS n FROM \(identifier: "Verse")"
            // The table is known from here on.
            #expect(try await client.find(Verse.self, key: 1) != nil)
            let asynchronous = await #expect(throws: DBClientError.self) {
                try await client.readOnce { _ = try $0.rows(delete) }
            }
            #expect(asynchronous?.code == .readOnly)
            let blocking = #expect(throws: DBClientError.self) {
                try client.readOnceBlocking { _ = try $0.fetch(Verse.self, sql: delete) }
            }
            #expect(blocking?.code == .readOnly)
            let found = try await client.readOnce { transaction in
                _ = try? transaction.rows(delete)
                return try? transaction.rows(count).first?["n", as: Int.self]
            }
            #expect(found == 3)
            let rows = try await client.readOnce { transaction in
                (try transaction.count(Verse.all), try transaction.rows(count))
            }
            #expect(rows.0 == 3 && rows.1.first?["n", as: Int.self] == 3)
        }
    }

    @Test("A client that checks what is written runs no statement in a write", arguments: backends)
    func validating(_ backend: ConformanceBackend) async throws {
        try await withClient(of: backend) { client in
            let checked = SpyDBClient(
                ValidatingDBClient(client, rules: [.rule(Verse.self) { _ in }])
            )
            let statements: [SQL] = [
                "DELETE FROM \(identifier: "Verse")",
                "INSERT INTO \(identifier: "Verse") (id, text) VALUES (\(9), \("x"))",
            ]
            for statement in statements {
                for body in [
                    { _ = try checked.blocking.execute(statement) },
                    { try checked.blocking.write { _ = try $0.rows(statement) } },
                    { _ = try checked.blocking.rows(statement) },
                ] {
                    let error = #expect(throws: DBClientError.self) { try body() }
                    #expect(error?.code == .readOnly)
                }
            }
            let count: SQL = "SELECT COUNT(*) AS n FROM \(identifier: "Verse")"
            let found = try checked.blocking.rows(count)
            #expect(found.first?["n", as: Int.self] == 3)
        }
    }
}

@Stored private struct Verse: Equatable {
    let id: Int
    var text: String
}

@Stored private struct Poem: Equatable {
    let id: Int
    var title: String
    var length: Int
}
