import Foundation
import GRDBSQLite
import Synchronization

/// SQLite by hand: cached prepared statements, static binds, columns read in place.
///
/// Safe to share between tasks for `commit` alone.
final class RawSQLite: Contestant, @unchecked Sendable {
    private let connection: SQLiteConnection
    private let getStatement: SQLiteStatement
    private let commits = Mutex(())

    init(folder: URL) throws {
        connection = try SQLiteConnection(
            path: folder.appendingPathComponent("characters.sqlite").path
        )
        getStatement = try connection.statement(SQLiteTable.get)
    }

    func close() throws {
        try connection.close()
    }

    func insert(_ rows: [Character]) throws {
        let statement = try connection.statement(SQLiteTable.insert)
        try connection.write {
            for row in rows { try statement.run(row) }
        }
    }

    func upsert(_ rows: [Character]) throws {
        let statement = try connection.statement(SQLiteTable.upsert)
        try connection.write {
            for row in rows { try statement.run(row) }
        }
    }

    @inline(__always)
    private func find(_ key: Int) throws -> Character? {
        getStatement.bind(1, key)
        guard try getStatement.step() else { return nil }
        defer { getStatement.reset() }
        return getStatement.character()
    }

    func get(_ keys: [Int]) throws -> Int {
        try connection.read {
            var sum = 0
            for key in keys { sum &+= try find(key)?.weight ?? 0 }
            return sum
        }
    }

    func get(_ key: Int) throws -> Character? {
        try find(key)
    }

    private func rows(_ statement: SQLiteStatement) throws -> [Character] {
        var rows: [Character] = []
        while try statement.step() { rows.append(statement.character()) }
        return rows
    }

    func fetchAll() throws -> any FetchedRows {
        try rows(connection.statement(SQLiteTable.all))
    }

    func fetch(publisher: Int) throws -> any FetchedRows {
        let statement = try connection.statement(SQLiteTable.ofPublisher)
        statement.bind(1, publisher)
        return try rows(statement)
    }

    func strongest(over power: Double, limit: Int) throws -> any FetchedRows {
        let statement = try connection.statement(SQLiteTable.strongest)
        statement.bind(1, power)
        statement.bind(2, limit)
        return try rows(statement)
    }

    func countActive(over power: Double) throws -> Int {
        let statement = try connection.statement(SQLiteTable.countActive)
        statement.bind(1, power)
        return try statement.integer()
    }

    func names() throws -> [(Int, String)] {
        let statement = try connection.statement(SQLiteTable.names)
        var names: [(Int, String)] = []
        while try statement.step() { names.append(statement.name()) }
        return names
    }

    func publishers() throws -> [PublisherTotal] {
        let statement = try connection.statement(SQLiteTable.publishers)
        var totals: [PublisherTotal] = []
        while try statement.step() { totals.append(statement.publisherTotal()) }
        return totals
    }

    func rename(_ names: [(key: Int, realName: String)]) throws {
        let statement = try connection.statement(SQLiteTable.rename)
        try connection.write {
            for (key, realName) in names {
                var realName = realName
                statement.bind(2, key)
                try realName.withUTF8 {
                    statement.bind(1, $0)
                    try statement.run()
                }
            }
        }
    }

    func delete(_ keys: [Int]) throws -> Int {
        let statement = try connection.statement(SQLiteTable.delete)
        return try connection.write {
            var count = 0
            for key in keys {
                statement.bind(1, key)
                try statement.run()
                count += Int(sqlite3_changes(connection.handle))
            }
            return count
        }
    }

    func commit(_ row: Character) async throws {
        try commits.withLock { _ in
            try connection.statement(SQLiteTable.insert).run(row)
        }
    }

    func stream(limit: Int) async throws -> Int {
        let statement = try connection.statement(SQLiteTable.all)
        defer { statement.reset() }
        var left = limit
        var sum = 0
        while left > 0, try statement.step() {
            sum &+= statement.character().weight
            left -= 1
        }
        return sum
    }
}
