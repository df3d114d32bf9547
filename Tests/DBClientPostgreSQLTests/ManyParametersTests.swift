import DBClientCore
import DBClientSQL
import Testing

@testable import DBClientPostgreSQL

/// Statements of more parameters than libpq lets a server describe, which are some 7,500.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct ManyParametersTests {
    private func withClient(
        _ keepsStatements: Bool,
        _ body: (SQLDBClient) async throws -> Void
    ) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.keepsPreparedStatements = keepsStatements
        configuration.maximumConnections = 1
        try await Server.withClient(configuration) { client, _ in
            try await client.insert((0..<10).map { Counter($0, $0) })
            try await body(client)
            // The connection has survived, and nothing is left on it.
            #expect(try await client.count(Counter.all) == 10)
            let left = try await client.rows("SELECT name FROM pg_prepared_statements")
            #expect(keepsStatements || left.isEmpty)
        }
    }

    /// A request for what has none of some values.
    private static func except(_ values: Range<Int>) -> FetchRequest<Counter> {
        Counter.where { counter in
            values.reduce(Condition.constant(true)) { $0 && counter.value != $1 }
        }
    }

    @Test("Reads and writes with conditions of any number of terms", arguments: [true, false])
    func conditions(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements) { client in
            for count in [7_000, 7_499] {
                let last = Self.except(1..<count + 1)
                #expect(try await client.fetch(last) == [Counter(0, 0)])
                #expect(try await client.count(last) == 1)
            }
            let last = Self.except(1..<8_001)
            #expect(try await client.sum(\.value, of: last) == 0)
            #expect(try await client.update(last) { $0.set(\.value, to: 70_000) } == 1)
            let changed = Self.except(0..<8_000)
            try await client.write { transaction in
                let other = try transaction.fetch(changed)
                #expect(other == [Counter(0, 70_000)])
                let count = try transaction.delete(changed)
                #expect(count == 1)
                try transaction.insert(Counter(0, 0))
            }
            let explained = try await client.explain(last)
            #expect(explained.contains("Counter"))
        }
    }

    @Test("SQL of one's own with any number of values", arguments: [true, false])
    func ownStatements(keepsStatements: Bool) async throws {
        try await withClient(keepsStatements) { client in
            for count in [8_000, 65_535] {
                let sql = Self.list(0..<count)
                let rows = try await client.rows(
                    "SELECT id, value FROM \"Counter\" WHERE id IN (\(sql))"
                )
                #expect(rows.count == 10)
                #expect(rows.first?.columnNames == ["id", "value"])
                let found = try await client.fetch(
                    Counter.self,
                    sql: "SELECT * FROM \"Counter\" WHERE id IN (\(sql)) ORDER BY id"
                )
                #expect(found == (0..<10).map { Counter($0, $0) })
                let changed = try await client.execute(
                    "UPDATE \"Counter\" SET value = value WHERE id IN (\(sql))"
                )
                #expect(changed == 10)
            }
            let error = await #expect(throws: DBClientError.self) {
                _ = try await client.rows("SELECT 1 WHERE 1 IN (\(Self.list(0..<65_536)))")
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("65535") ?? false)
        }
    }

    private static func list(_ values: Range<Int>) -> SQL {
        var list = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: values.count)
        for value in values {
            list.appendLiteral(value == values.lowerBound ? "" : ", ")
            list.appendInterpolation(value)
        }
        return SQL(stringInterpolation: list)
    }
}
