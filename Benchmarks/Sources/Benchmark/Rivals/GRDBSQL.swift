import Foundation
import GRDB

/// GRDB with SQL and cached statements, rows read by position: its fastest public way.
final class GRDBSQL: Contestant {
    private let pool: DatabasePool

    init(folder: URL) throws {
        pool = try GRDBStore(folder: folder).pool
    }

    func close() throws {
        try GRDBStore.close(pool)
    }

    func insert(_ rows: [Character]) throws {
        try pool.write { try Self.run(SQLiteTable.insert, rows, $0) }
    }

    func upsert(_ rows: [Character]) throws {
        try pool.write { try Self.run(SQLiteTable.upsert, rows, $0) }
    }

    private static func run(_ sql: String, _ rows: [Character], _ database: Database) throws {
        let statement = try database.cachedStatement(sql: sql)
        for row in rows {
            try statement.execute(arguments: [
                row.id, row.name, row.realName, row.publisherId, row.power,
                row.createdMicroseconds, row.isActive, row.bio,
            ])
        }
    }

    private static func find(_ key: Int, _ database: Database) throws -> Character? {
        let statement = try database.cachedStatement(sql: SQLiteTable.get)
        let cursor = try Row.fetchCursor(statement, arguments: [key])
        // The row is the statement's, which the cursor resets when it goes.
        return try withExtendedLifetime(cursor) { try cursor.next().map(character) }
    }

    private static func character(_ row: Row) -> Character {
        Character(
            id: row[0],
            name: row[1],
            realName: row[2],
            publisherId: row[3],
            power: row[4],
            createdAt: Date(microseconds: row[5]),
            isActive: row[6],
            bio: row[7]
        )
    }

    private static func rows(
        _ sql: String,
        _ arguments: StatementArguments,
        _ database: Database
    ) throws -> [Character] {
        let statement = try database.cachedStatement(sql: sql)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        var rows: [Character] = []
        while let row = try cursor.next() { rows.append(character(row)) }
        return rows
    }

    func get(_ keys: [Int]) throws -> Int {
        try pool.read { database in
            var sum = 0
            for key in keys { sum &+= try Self.find(key, database)?.weight ?? 0 }
            return sum
        }
    }

    func get(_ key: Int) throws -> Character? {
        try pool.read { try Self.find(key, $0) }
    }

    func fetchAll() throws -> any FetchedRows {
        try pool.read { try Self.rows(SQLiteTable.all, [], $0) }
    }

    func fetch(publisher: Int) throws -> any FetchedRows {
        try pool.read { try Self.rows(SQLiteTable.ofPublisher, [publisher], $0) }
    }

    func strongest(over power: Double, limit: Int) throws -> any FetchedRows {
        try pool.read { try Self.rows(SQLiteTable.strongest, [power, limit], $0) }
    }

    func countActive(over power: Double) throws -> Int {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: SQLiteTable.countActive)
            return try Int.fetchOne(statement, arguments: [power]) ?? 0
        }
    }

    func names() throws -> [(Int, String)] {
        try pool.read { try GRDBStore.names($0) }
    }

    func publishers() throws -> [PublisherTotal] {
        try pool.read { try GRDBStore.publishers($0) }
    }

    func rename(_ names: [(key: Int, realName: String)]) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: SQLiteTable.rename)
            for (key, realName) in names { try statement.execute(arguments: [realName, key]) }
        }
    }

    func delete(_ keys: [Int]) throws -> Int {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: SQLiteTable.delete)
            var count = 0
            for key in keys {
                try statement.execute(arguments: [key])
                count += database.changesCount
            }
            return count
        }
    }

    func commit(_ row: Character) async throws {
        try await pool.write { try Self.run(SQLiteTable.insert, [row], $0) }
    }

    func stream(limit: Int) async throws -> Int {
        try await pool.read { database in
            let statement = try database.cachedStatement(sql: SQLiteTable.all)
            let cursor = try Row.fetchCursor(statement)
            var left = limit
            var sum = 0
            while left > 0, let row = try cursor.next() {
                sum &+= Self.character(row).weight
                left -= 1
            }
            return sum
        }
    }
}
