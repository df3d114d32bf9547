import DBClientCore
import DBClientSQL
import Foundation

/// What a target notes of a copy that is made in parts, until it is whole.
///
/// The entity is one of the library's own, which no catalog shows.
@Stored("dbclient_copies") struct UnfinishedCopy {
    /// What was copied, without a password.
    @PrimaryKey let source: String
    let begun: Date

    /// The copy as a part of a sentence.
    var text: String { "of \(source), begun \(DateText.text(begun))" }
}

extension Store {
    /// The copies into this store that were broken off.
    func unfinishedCopies() async throws -> [UnfinishedCopy] {
        try await client.findAll(UnfinishedCopy.self)
    }

    /// Notes that a copy is not whole yet.
    func noteCopy(of source: Store) async throws {
        try await client.upsert(UnfinishedCopy(source: "\(source.address)", begun: Date()))
    }

    /// Forgets all copies, since the store is whole.
    func forgetCopies() async throws {
        try await client.deleteAll(UnfinishedCopy.self)
        // The tables of a database are its owner's.
        guard let database = client as? SQLDBClient else { return }
        try await database.execute("DROP TABLE IF EXISTS \"dbclient_copies\"")
    }
}
