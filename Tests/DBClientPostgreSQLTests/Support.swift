import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation

/// The server that the tests use, by `DBCLIENT_POSTGRES_URL`.
enum Server {
    static let url = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]

    static var isThere: Bool { url != nil }
}
