import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import DBClientTesting
import Foundation

func open(at url: URL) throws -> [any DBClient] {
    let clients: [any DBClient] = [
        // snippet: engines
        try ObjectStoreDBClient(at: url),  // an object store in a file
        try ObjectStoreDBClient(.inMemory),  // the same, gone with the client
        try SQLDBClient.sqlite(at: url),  // a SQLite database
        try SQLDBClient.sqlite(.inMemory),  // the same, gone with the client
        InMemoryDBClient(),  // for tests and previews
        // end snippet
    ]
    return clients
}

func openRelaxed(at url: URL) throws -> any DBClient {
    // snippet: durability
    try ObjectStoreDBClient(at: url, durability: .relaxed)
    // end snippet
}
