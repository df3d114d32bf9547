import ArgumentParser
import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation

/// The engines that two processes can share.
enum EngineKind: String, CaseIterable, ExpressibleByArgument {
    case objectStore = "object-store"
    case sqlite

    /// Opens the store in a file, which is made where there is none.
    func open(at url: URL) throws -> any DBClient {
        switch self {
        case .objectStore: try ObjectStoreDBClient(at: url)
        case .sqlite: try SQLDBClient.sqlite(at: url)
        }
    }
}
