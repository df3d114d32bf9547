import DBClientCore
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQL
import DBClientSQLite
import Foundation
import StoreEntry

func openStore(engine: String, at url: URL) throws -> any DBClient {
    switch engine {
    case "sqlite": return try SQLDBClient.sqlite(at: url)
    case "postgresql":
        var configuration = PostgreSQLConfiguration()
        configuration.schema = url.lastPathComponent
        return try SQLDBClient.postgreSQLBlocking(
            ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"] ?? "",
            configuration: configuration
        )
    case "encrypted-object-store": return try ObjectStoreDBClient(at: url, key: storeKey)
    default: return try ObjectStoreDBClient(at: url)
    }
}

/// Opens a store of an embedded engine with a limit on how long a caller waits for another process.
func openStore(engine: String, at url: URL, busyTimeout: Duration) throws -> any DBClient {
    if engine == "sqlite" {
        return try SQLDBClient.sqlite(
            at: url,
            configuration: SQLiteConfiguration(busyTimeout: busyTimeout)
        )
    }
    return try ObjectStoreDBClient(
        at: url,
        key: engine == "encrypted-object-store" ? storeKey : nil,
        busyTimeout: busyTimeout
    )
}

/// Checks an object store that is closed; other engines have checks of their own.
func verifyStore(engine: String, at url: URL) throws {
    switch engine {
    case "object-store": try ObjectStoreDBClient.verify(at: url)
    case "encrypted-object-store": try ObjectStoreDBClient.verify(at: url, key: storeKey)
    default: break
    }
}
