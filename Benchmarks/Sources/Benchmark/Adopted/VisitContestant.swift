import DBClientCore
import DBClientSQLite
import Foundation
import GRDBSQLite

/// One way to read visits from a file of another program.
protocol VisitContestant: AnyObject, Sendable {
    func close() throws
    /// Returns all visits in the order of their keys.
    func fetchAll() throws -> [Visit]
}

extension ContestantKind {
    /// Opens the contestant on a file of visits; nil where it reads none.
    func openVisits(_ file: URL) throws -> (any VisitContestant)? {
        switch self {
        case .sqliteClient: try SQLiteClientVisits(file)
        case .rawSQLite: try RawSQLiteVisits(file)
        default: nil
        }
    }
}

/// The client.
final class SQLiteClientVisits: VisitContestant {
    private let client: SQLDBClient

    init(_ file: URL) throws { client = try SQLDBClient.sqlite(at: file) }

    func close() throws { try client.close() }

    func fetchAll() throws -> [Visit] { try client.blocking.findAll(Visit.self) }
}

/// SQLite by hand, with the library's own parser of dates and amounts.
final class RawSQLiteVisits: VisitContestant, @unchecked Sendable {
    private let connection: SQLiteConnection

    init(_ file: URL) throws { connection = try SQLiteConnection(path: file.path) }

    func close() throws { try connection.close() }

    func fetchAll() throws -> [Visit] {
        var visits: [Visit] = []
        let statement = try connection.statement(
            #"SELECT id, made, paid, price FROM "Visit" ORDER BY id"#
        )
        let (dates, amounts) = (ColumnFormat.dateTime, ColumnFormat.integer(fractionDigits: 2))
        try connection.read {
            while sqlite3_step(statement.handle) == SQLITE_ROW {
                let text = UnsafeRawBufferPointer(
                    start: sqlite3_column_text(statement.handle, 1),
                    count: Int(sqlite3_column_bytes(statement.handle, 1))
                )
                let made = dates.value(ofStored: .text(text))
                let cents = sqlite3_column_int64(statement.handle, 3)
                let price = amounts.value(ofStored: .integer(cents))
                guard let made, let price else {
                    throw BenchmarkError("a visit is in another form")
                }
                visits.append(
                    Visit(
                        id: Int(sqlite3_column_int64(statement.handle, 0)),
                        made: try made.decode(),
                        paid: Date(
                            timeIntervalSince1970: Double(sqlite3_column_int64(statement.handle, 2))
                        ),
                        price: try price.decode()
                    )
                )
            }
            sqlite3_reset(statement.handle)
        }
        return visits
    }
}
