import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation

/// The library's relational client on SQLite.
final class SQLiteClient: ClientContestant {
    let client: any DBClient

    init(folder: URL) throws {
        client = try SQLDBClient.sqlite(at: folder.appendingPathComponent("characters.sqlite"))
    }
}
