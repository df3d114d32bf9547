import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation

/// A client of the library, used as its documentation teaches.
protocol ClientGraph: GraphContestant {
    /// The client, as an app holds it.
    var client: any DBClient { get }
}

extension ClientGraph {
    func close() throws {
        try client.close()
    }

    func save(_ owners: [Owner]) throws {
        try client.blocking.insert(owners)
    }

    func fetchAll() throws -> any FetchedOwners {
        try client.blocking.fetch(Owner.all)
    }

    func count(makerName: String) throws -> Int {
        try client.blocking.count(Owner.where { $0.maker.name == makerName })
    }
}

/// The library's object store.
final class ObjectStoreGraph: ClientGraph {
    let client: any DBClient

    init(folder: URL) throws {
        client = try ObjectStoreDBClient(at: folder.appendingPathComponent("owners.store"))
    }
}

/// The library's relational client on SQLite.
final class SQLiteClientGraph: ClientGraph {
    let client: any DBClient

    init(folder: URL) throws {
        client = try SQLDBClient.sqlite(at: folder.appendingPathComponent("owners.sqlite"))
    }
}

/// The library's relational client on PostgreSQL.
final class PostgreSQLClientGraph: ClientGraph {
    let client: any DBClient

    init(folder: URL) throws {
        client = try PostgreSQLSchema.open(in: folder)
    }
}
