import Foundation

/// One way to keep owners with what they hold, on the tables that the SQLite client makes.
protocol GraphContestant: AnyObject, Sendable {
    /// Opens the store in a folder, creating it when there is none.
    init(folder: URL) throws

    /// Closes the store. Nothing else may be called afterwards.
    func close() throws

    /// Saves new owners and what they hold in one transaction.
    func save(_ owners: [Owner]) throws

    /// Returns every owner with what it holds, in the order of the primary key.
    func fetchAll() throws -> any FetchedOwners

    /// Returns the number of owners whose maker has a name.
    func count(makerName: String) throws -> Int
}

/// What a fetch gives: an array of the struct that the contestant's user works with.
protocol FetchedOwners {
    /// The number of owners.
    var count: Int { get }
    /// The owners, made from another struct where need be, outside the measured time.
    var owners: [Owner] { get }
}

/// A struct with the fields of an owner.
protocol OwnerConvertible {
    /// The fields as an owner.
    var owner: Owner { get }
}

extension Owner: OwnerConvertible {
    var owner: Owner { self }
}

extension Array: FetchedOwners where Element: OwnerConvertible {
    var owners: [Owner] { self as? [Owner] ?? map(\.owner) }
}

extension ContestantKind {
    /// Opens the contestant's store of owners; nil when it has none.
    func openGraph(folder: URL) throws -> (any GraphContestant)? {
        switch self {
        case .objectStore: try ObjectStoreGraph(folder: folder)
        case .sqliteClient: try SQLiteClientGraph(folder: folder)
        case .rawSQLite: try RawSQLiteGraph(folder: folder)
        case .grdbRecords: try GRDBGraph(folder: folder)
        case .postgreSQLClient: try PostgreSQLClientGraph(folder: folder)
        case .rawLMDB, .grdbSQL, .grdbCodable, .rawPostgreSQL, .inMemory: nil
        }
    }
}
