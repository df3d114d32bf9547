import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation

/// Every backend, listed once.
enum Backends {
    static let all: [ConformanceBackend] = [
        inMemory, objectStore, objectStoreInMemory, sqlite, sqliteInMemory,
    ]

    static let inMemory = ConformanceBackend.memory("in-memory") { InMemoryDBClient() }

    static let objectStore = ConformanceBackend.file("object store") {
        try ObjectStoreDBClient(at: $0)
    }

    static let objectStoreInMemory = ConformanceBackend.memory("object store in memory") {
        try ObjectStoreDBClient(.inMemory)
    }

    static let sqlite = ConformanceBackend.file("SQLite") { try SQLDBClient.sqlite(at: $0) }

    static let sqliteInMemory = ConformanceBackend.memory(
        "SQLite in memory",
        excluding: [.concurrentReads: "A database in memory has one connection."]
    ) { try SQLDBClient.sqlite(.inMemory) }

    /// Those whose names the environment holds in `DBCLIENT_BACKENDS`, separated by commas, or all.
    static var chosen: [ConformanceBackend] {
        let names = ProcessInfo.processInfo.environment["DBCLIENT_BACKENDS"]?
            .split(separator: ",").map(String.init)
        return all.filter { names?.contains($0.name) ?? true }
    }
}
