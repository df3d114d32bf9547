import CRawLibPQ
import DBClientCore
import DBClientInMemory
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import GRDBSQLite

/// One way to ask for reports of sales, on the tables that the clients make.
protocol SalesContestant: AnyObject, Sendable {
    func close() throws
    /// Returns what a report finds, to be summed up outside of the measured time.
    func run(_ report: SalesReport) throws -> () -> Int
}

extension ContestantKind {
    /// Makes the contestant's store of sales; nil where it has none.
    func makeSales(in folder: URL, _ sales: Sales) throws -> (any SalesContestant)? {
        let file = folder.appendingPathComponent("sales.sqlite")
        let client: any DBClient
        switch self {
        case .objectStore:
            client = try ObjectStoreDBClient(at: folder.appendingPathComponent("sales.store"))
        case .sqliteClient, .rawSQLite: client = try SQLDBClient.sqlite(at: file)
        case .postgreSQLClient, .rawPostgreSQL: client = try PostgreSQLSchema.open(in: folder)
        case .inMemory: client = InMemoryDBClient()
        case .rawLMDB, .grdbSQL, .grdbRecords, .grdbCodable: return nil
        }
        try sales.insert(into: client)
        // Both know as much of the tables: autovacuum would have counted them within a minute.
        if let server = client as? SQLDBClient, self == .postgreSQLClient || self == .rawPostgreSQL
        {
            try server.blocking.execute("ANALYZE")
        }
        switch self {
        case .rawSQLite:
            try client.close()
            return try RawSQLiteSales(file)
        case .rawPostgreSQL:
            try client.close()
            return try RawPostgreSQLSales(folder)
        default: return ClientSales(client)
        }
    }
}

/// A client of the library.
final class ClientSales: SalesContestant {
    private let client: any DBClient

    init(_ client: any DBClient) { self.client = client }

    func close() throws { try client.close() }

    func run(_ report: SalesReport) throws -> () -> Int { try report.fetch(client) }
}

extension [SalesValue] {
    /// The sum of the values in their order.
    fileprivate var answer: Int {
        var answer = SalesAnswer()
        for value in self { answer.add(value) }
        return answer.sum
    }
}

extension SalesReport {
    /// Returns the statement with what databases spell differently.
    fileprivate func sql(month: String, _ day: (Int) -> String) -> String {
        var sql = sql.replacingOccurrences(of: "{month}", with: month)
        while let start = sql.range(of: "{day "),
            let end = sql.range(of: "}", range: start.upperBound..<sql.endIndex)
        {
            let number = Int(sql[start.upperBound..<end.lowerBound]) ?? 0
            sql.replaceSubrange(start.lowerBound..<end.upperBound, with: day(number))
        }
        return sql
    }
}

/// SQLite by hand.
final class RawSQLiteSales: SalesContestant, @unchecked Sendable {
    private let connection: SQLiteConnection

    init(_ file: URL) throws { connection = try SQLiteConnection(path: file.path) }

    func close() throws { try connection.close() }

    func run(_ report: SalesReport) throws -> () -> Int {
        let sql = report.sql(
            month: "CAST(strftime('%m', \"soldAt\" / 1000000, 'unixepoch') AS INTEGER)"
        ) { "\((1_704_067_200 + $0 * 86_400) * 1_000_000)" }
        let statement = try connection.statement(sql)
        let width = sqlite3_column_count(statement.handle)
        var values: [SalesValue] = []
        try connection.read {
            while try statement.step() {
                for column in 0..<width {
                    if sqlite3_column_type(statement.handle, column) == SQLITE_INTEGER {
                        values.append(.integer(Int(sqlite3_column_int64(statement.handle, column))))
                    } else {
                        let text = UnsafeBufferPointer(
                            start: sqlite3_column_text(statement.handle, column),
                            count: Int(sqlite3_column_bytes(statement.handle, column))
                        )
                        values.append(.text(String(decoding: text, as: UTF8.self)))
                    }
                }
            }
        }
        return { [values] in values.answer }
    }
}

/// libpq by hand.
final class RawPostgreSQLSales: SalesContestant, @unchecked Sendable {
    private let server: RawPostgreSQL

    init(_ folder: URL) throws { server = try RawPostgreSQL(folder: folder) }

    func close() throws { try server.close() }

    func run(_ report: SalesReport) throws -> () -> Int {
        let sql = report.sql(
            month: "EXTRACT(month FROM \"soldAt\" AT TIME ZONE 'UTC')::bigint"
        ) { "to_timestamp(\(1_704_067_200 + $0 * 86_400))" }
        // Its sums of 64 bits are of a wider type, which is sent as it is.
        let result = try server.query(sql)
        defer { PQclear(result) }
        let types = (0..<PQnfields(result)).map { PQftype(result, $0) }
        var values: [SalesValue] = []
        for row in 0..<PQntuples(result) {
            for (column, type) in types.enumerated() {
                switch type {
                case 20: values.append(.integer(LibPQRow.integer(result, row, Int32(column))))
                case 1700: values.append(.integer(LibPQRow.number(result, row, Int32(column))))
                case 25: values.append(.text(LibPQRow.text(result, row, Int32(column))))
                default: throw BenchmarkError("a column of a report has the type \(type)")
                }
            }
        }
        return { [values] in values.answer }
    }
}
