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

func openEncrypted(at url: URL, _ text: String, _ plain: any DBClient) async throws {
    // snippet: encrypted-store
    let key = StoreKey.random()
    let store = try ObjectStoreDBClient(at: url, key: key)
    // end snippet
    // snippet: encrypted-rekey
    try store.rekey(to: .random())
    // end snippet
    var kept: StoreVersion?
    // snippet: encrypted-version
    if let kept { try store.checkVersion(isAtLeast: kept) }
    kept = try store.version()
    // end snippet
    _ = kept
    // snippet: encrypted-passphrase
    let diary = try ObjectStoreDBClient(at: url, key: .passphrase(text))
    // end snippet
    let sealed = diary
    // snippet: encrypted-copy
    try await sealed.copy(Character.self, from: plain)
    // end snippet
}
