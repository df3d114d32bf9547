import Foundation
import GRDB

/// The pool that the GRDB rivals share: the same table and the same durability as by hand.
struct GRDBStore {
    /// The pool.
    let pool: DatabasePool

    /// Opens or creates the database in a folder.
    init(folder: URL) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: SQLiteTable.pageCache) }
        pool = try DatabasePool(
            path: folder.appendingPathComponent("characters.sqlite").path,
            configuration: configuration
        )
        // The pool sets NORMAL while it opens, whatever was asked for before.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw BenchmarkError("GRDB does not sync its commits")
            }
        }
        try pool.write { try $0.execute(sql: SQLiteTable.creation) }
    }

    /// Closes a pool with an empty log: left to itself it keeps one, which the next opening reads.
    static func close(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
    }
}

extension GRDBStore {
    /// Returns the key and the name of every row.
    static func names(_ database: Database) throws -> [(Int, String)] {
        let statement = try database.cachedStatement(sql: SQLiteTable.names)
        let cursor = try Row.fetchCursor(statement)
        var names: [(Int, String)] = []
        while let row = try cursor.next() { names.append((row[0], row[1])) }
        return names
    }

    /// Returns what the rows of each publisher come to.
    static func publishers(_ database: Database) throws -> [PublisherTotal] {
        let statement = try database.cachedStatement(sql: SQLiteTable.publishers)
        let cursor = try Row.fetchCursor(statement)
        var totals: [PublisherTotal] = []
        while let row = try cursor.next() {
            totals.append(PublisherTotal(publisher: row[0], count: row[1], sum: row[2]))
        }
        return totals
    }
}
