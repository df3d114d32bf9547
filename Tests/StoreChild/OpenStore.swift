import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation

func openStore(engine: String, at url: URL) throws -> any DBClient {
    engine == "sqlite" ? try SQLDBClient.sqlite(at: url) : try ObjectStoreDBClient(at: url)
}
