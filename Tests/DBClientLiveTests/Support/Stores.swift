import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import DBClientTesting
import Testing

/// The engines on which live objects are tested.
enum Stores: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case objectStore
    case sqlite

    func open() throws -> any DBClient {
        switch self {
        case .memory: InMemoryDBClient()
        case .objectStore: try ObjectStoreDBClient(.inMemory)
        case .sqlite: try SQLDBClient.sqlite(.inMemory)
        }
    }

    var testDescription: String { rawValue }
}
