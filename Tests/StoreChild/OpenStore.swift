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
