import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

// What a role may do once it has logged in.
extension AccessTests {
    @Test("What a role may not do is refused", .enabled(if: Server.isThere))
    func permissionDenied() async throws {
        try await Server.withClient { client, schema in
            try await client.insert(Counter(1))
            _ = try? await client.execute("CREATE ROLE \"reader\" LOGIN")
            try await client.execute("GRANT USAGE ON SCHEMA \(identifier: schema) TO \"reader\"")
            try await client.execute("GRANT SELECT ON \"Counter\" TO \"reader\"")
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            let reader = try await SQLDBClient.postgreSQL(
                try Server.url(role: "reader"),
                configuration: configuration
            )
            #expect(try await reader.findAll(Counter.self) == [Counter(1)])
            #expect(await code { try await reader.insert(Counter(2)) } == .permission)
            #expect(await code { try await reader.insert(Note(1, "a")) } == .permission)
            #expect(await code { try await reader.delete(Counter.self, key: 1) } == .permission)
            #expect(try await client.findAll(Counter.self) == [Counter(1)])
            print(
                "permission denied: 3 writes of a role that may read, each refused, nothing written"
            )
            try reader.close()
            try await client.execute("DROP OWNED BY \"reader\"")
        }
    }

    @Test(
        "Many rows need no right that a few do not, nor a table without policies",
        .enabled(if: Server.isThere)
    )
    func bulkRights() async throws {
        try await Server.withClient { client, schema in
            let role = "clerk_\(schema)"
            let database = try await client.rows("SELECT current_database()::text AS name")
                .first?["name", as: String.self]
            try await client.insert(Counter(1))
            try await client.insert(Note(0, "first"))
            for statement: SQL in [
                "REVOKE TEMPORARY ON DATABASE \(identifier: database ?? "") FROM PUBLIC",
                "CREATE ROLE \(identifier: role) LOGIN PASSWORD 'clerk'",
                "GRANT USAGE ON SCHEMA \(identifier: schema) TO \(identifier: role)",
                """
                GRANT SELECT, INSERT, UPDATE, DELETE ON "Counter", "Note" TO \(identifier: role)
                """,
                "ALTER TABLE \"Counter\" ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY few ON \"Counter\" USING (\"value\" >= 0)",
            ] {
                try await client.execute(statement)
            }
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            let clerk = try await SQLDBClient.postgreSQL(
                try Server.url(role: role, password: "clerk", database: database),
                configuration: configuration
            )
            var result: Swift.Result<Void, any Error> = .success(())
            do {
                try await clerk.insert((2...50).map { Counter($0) })
                try await clerk.update((1...50).map { Counter($0, 1) })
                let outcome = try await clerk.upsert((41...60).map { Counter($0, 2) })
                #expect(outcome.inserted.count == 10 && outcome.updated.count == 10)
                #expect(
                    await code { try await clerk.insert((61...90).map { Counter($0, 80 - $0) }) }
                        == .permission
                )
                #expect(try await clerk.sum(\.value, of: Counter.all) == 80)
                let notes = try await clerk.insert((0..<30).map { Note(0, "n\($0)") })
                #expect(Set(notes.map(\.id)).count == 30 && notes.allSatisfy { $0.id > 1 })
                #expect(try await clerk.insert(Note(0, "last")).id > 30)
            } catch {
                result = .failure(error)
            }
            try clerk.close()
            try await client.execute(
                "GRANT TEMPORARY ON DATABASE \(identifier: database ?? "") TO PUBLIC"
            )
            try await client.execute("DROP OWNED BY \(identifier: role)")
            try await client.execute("DROP ROLE \(identifier: role)")
            try result.get()
        }
    }
}
