import DBClientCore
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation
import Synchronization

/// Every backend, listed once.
enum Backends {
    static let all: [ConformanceBackend] =
        [inMemory, objectStore, objectStoreInMemory, sqlite, sqliteInMemory]
        + encrypted
        + (postgreSQL.map { [$0] } ?? [])

    static let inMemory = ConformanceBackend.memory("in-memory") { InMemoryDBClient() }

    static let objectStore = ConformanceBackend.file("object store") {
        try ObjectStoreDBClient(at: $0)
    }

    /// Those that need the trait `Encryption`.
    #if Encryption
    static let encrypted = [encryptedObjectStore]

    static let encryptedObjectStore = ConformanceBackend.file("encrypted object store") {
        try ObjectStoreDBClient(at: $0, key: key)
    }

    private static let key = StoreKey.random()
    #else
    static let encrypted: [ConformanceBackend] = []
    #endif

    static let objectStoreInMemory = ConformanceBackend.memory("object store in memory") {
        try ObjectStoreDBClient(.inMemory)
    }

    static let sqlite = ConformanceBackend.file("SQLite") { try SQLDBClient.sqlite(at: $0) }

    static let sqliteInMemory = ConformanceBackend.memory(
        "SQLite in memory",
        excluding: [
            .concurrentReads: "A database in memory has one connection.",
            .heldSnapshots: "A database in memory has no connection to spare.",
        ]
    ) { try SQLDBClient.sqlite(.inMemory) }

    /// The same with columns as another program fills them, which keep every value.
    static let formattedSQLite = ConformanceBackend.file("SQLite with formatted columns") {
        var configuration = SQLiteConfiguration()
        configuration.formats = { type in
            switch type {
            case .boolean: .text(true: "yes", false: "no")
            case .date: .iso8601(fractionDigits: 6)
            case .json: .data
            case .uuid: .lowercaseText
            case .decimal: .text
            default: nil
            }
        }
        return try SQLDBClient.sqlite(at: $0, configuration: configuration)
    }

    /// On the server of `DBCLIENT_POSTGRES_URL`, a schema for each store.
    static let postgreSQL = onPostgreSQL("PostgreSQL", .serializable)

    /// The same with columns as another program declares them.
    static let adoptedPostgreSQL = onPostgreSQL(
        "PostgreSQL with adopted columns",
        .serializable
    ) { type in
        switch type {
        case .boolean: "smallint"
        case .text, .url: "text COLLATE \"en-US-x-icu\""
        case .date: "timestamp without time zone"
        case .json: "jsonb"
        case .uuid: "text"
        default: nil
        }
    }

    /// The same with dates, amounts, UUIDs, booleans and lists as texts and bytes, which keep every value.
    static let formattedPostgreSQL = onPostgreSQL(
        "PostgreSQL with formatted columns",
        .serializable,
        declaring: { type in
            switch type {
            case .boolean, .date, .uuid, .decimal: "text"
            case .json: "bytea"
            default: nil
            }
        },
        formats: { type in
            switch type {
            case .boolean: .text(true: "yes", false: "no")
            case .date: .iso8601(fractionDigits: 6)
            case .json: .data
            case .uuid: .uppercaseText
            case .decimal: .text
            default: nil
            }
        }
    )

    /// The same at another level of isolation, or with other columns than the library's own.
    static func onPostgreSQL(
        _ name: String,
        _ isolation: PostgreSQLIsolation,
        declaring declaresColumns: (@Sendable (FieldType) -> String?)? = nil,
        formats: (@Sendable (FieldType) -> ColumnFormat?)? = nil
    ) -> ConformanceBackend? {
        guard let url = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"] else {
            return nil
        }
        return ConformanceBackend(name) {
            let administrator = try PostgreSQLAdministrator.of(url)
            let schema = "conformance_\(UUID().uuidString)"
            try administrator.blocking.execute("CREATE SCHEMA \(identifier: schema)")
            return ConformanceStore(
                open: {
                    var configuration = PostgreSQLConfiguration()
                    configuration.schema = schema
                    configuration.isolation = isolation
                    configuration.declaresColumns = declaresColumns
                    configuration.formats = formats
                    // What survives the server's own crash is no matter of these tests, and waits for its disk.
                    configuration.durability = .relaxed
                    return try await SQLDBClient.postgreSQL(url, configuration: configuration)
                },
                remove: {
                    _ = try? administrator.blocking.execute(
                        "DROP SCHEMA \(identifier: schema) CASCADE"
                    )
                }
            )
        }
    }

    /// Those with tables of another program.
    static let adopted = [formattedSQLite, adoptedPostgreSQL, formattedPostgreSQL]
        .compactMap(\.self)

    /// Those whose names the environment holds in `DBCLIENT_BACKENDS`, separated by commas, or all.
    static var chosen: [ConformanceBackend] {
        let names = names(in: "DBCLIENT_BACKENDS")
        return all.filter { names?.contains($0.name) ?? true }
    }

    /// The same with tables of another program, where a test is about values.
    static var chosenWithAdopted: [ConformanceBackend] {
        let names = names(in: "DBCLIENT_BACKENDS")
        return chosen + adopted.filter { names?.contains($0.name) ?? true }
    }

    /// The cases about the concerns that the environment holds in `DBCLIENT_CONCERNS`, separated by
    /// commas, or all.
    static var chosenCases: [ConformanceCase] {
        let names = names(in: "DBCLIENT_CONCERNS")
        return ConformanceSuite.cases.filter { names?.contains($0.concern.rawValue) ?? true }
    }

    private static func names(in variable: String) -> [String]? {
        ProcessInfo.processInfo.environment[variable]?.split(separator: ",").map(String.init)
    }
}

/// The one client that makes and removes the schemas of stores.
enum PostgreSQLAdministrator {
    private static let client = Mutex<SQLDBClient?>(nil)

    static func of(_ url: String) throws -> SQLDBClient {
        try client.withLock { client in
            if let client { return client }
            let made = try SQLDBClient.postgreSQLBlocking(url)
            client = made
            return made
        }
    }
}
