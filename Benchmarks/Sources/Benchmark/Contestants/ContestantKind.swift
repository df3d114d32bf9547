import Foundation

/// The contestants, in the order of the report's columns.
enum ContestantKind: String, CaseIterable, Codable, Sendable {
    case rawLMDB = "lmdb"
    case objectStore = "object-store"
    case rawSQLite = "sqlite"
    case sqliteClient = "sqlite-client"
    case grdbSQL = "grdb-sql"
    case grdbRecords = "grdb-records"
    case grdbCodable = "grdb-codable"
    case rawPostgreSQL = "libpq"
    case postgreSQLClient = "postgresql-client"
    case inMemory = "in-memory"

    /// Those that can run: two of them need a server.
    static var available: [ContestantKind] {
        allCases.filter { !$0.needsServer || !PostgreSQLSchema.url.isEmpty }
    }

    /// Those that keep rows when they are closed.
    static let durable = Set(allCases.filter(\.isDurable))

    /// Those whose store is in files of their own.
    static let embedded = durable.filter { !$0.needsServer }

    /// Whether a store that was closed can be opened again.
    var isDurable: Bool { self != .inMemory }

    private var needsServer: Bool { self == .rawPostgreSQL || self == .postgreSQLClient }

    /// The column's heading.
    var title: String {
        switch self {
        case .rawLMDB: "raw LMDB"
        case .objectStore: "object store"
        case .rawSQLite: "raw SQLite"
        case .sqliteClient: "SQLite client"
        case .grdbSQL: "GRDB SQL"
        case .grdbRecords: "GRDB records"
        case .grdbCodable: "GRDB Codable"
        case .rawPostgreSQL: "raw libpq"
        case .postgreSQLClient: "PostgreSQL client"
        case .inMemory: "in-memory"
        }
    }

    /// Removes a folder and the closed store that is in it, or belongs to it on a server.
    func removeStore(in folder: URL) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        if needsServer { try PostgreSQLSchema.drop(in: folder) }
        try FileManager.default.removeItem(at: folder)
    }

    /// Opens the contestant's store in a folder, creating it when there is none.
    func open(folder: URL) throws -> any Contestant {
        switch self {
        case .rawLMDB: try RawLMDB(folder: folder)
        case .objectStore: try ObjectStore(folder: folder)
        case .sqliteClient: try SQLiteClient(folder: folder)
        case .rawSQLite: try RawSQLite(folder: folder)
        case .grdbSQL: try GRDBSQL(folder: folder)
        case .grdbRecords: try GRDBRecords<Character>(folder: folder)
        case .grdbCodable: try GRDBRecords<CodableCharacter>(folder: folder)
        case .rawPostgreSQL: try RawPostgreSQL(folder: folder)
        case .postgreSQLClient: try PostgreSQLClient(folder: folder)
        case .inMemory: InMemoryClient(folder: folder)
        }
    }
}
