import Foundation
import GRDB

/// The pool that the GRDB rivals share: the same table and the same durability as by hand.
struct GRDBStore {
    /// The pool.
    let pool: DatabasePool

    /// Opens or creates the database in a folder.
    init(folder: URL) throws {
        pool = try DatabasePool(path: folder.appendingPathComponent("characters.sqlite").path)
        // The pool sets NORMAL while it opens, whatever was asked for before.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw BenchmarkError("GRDB does not sync its commits")
            }
        }
        try pool.write { try $0.execute(sql: SQLiteTable.creation) }
    }
}
