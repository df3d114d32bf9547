public import DBClientCore
public import DBClientSQL

extension SQLDBClient {
    /// Has the PostgreSQL server note what any program writes to the tables of some models, so that
    /// observers learn of what other clients write.
    ///
    /// ```swift
    /// try await client.installPostgreSQLJournal(for: Hero.self, Villain.self)
    /// ```
    ///
    /// Each table, made where it is missing, gets a trigger that writes a row to the table
    /// `dbclient_journal` for each transaction. It stays until it is
    /// removed and concerns every client of the database, also those that are none of this library.
    /// Observers of another client need nothing more; without it they see the writes of this process alone.
    /// A transaction pays some microseconds for it. Models that are installed already stay so, and a journal
    /// that an earlier version of the library made is brought up to date.
    ///
    /// - Throws: `.permission` when the role may not make tables and triggers, `.unsupported` when the
    ///   client's engine is not PostgreSQL.
    public func installPostgreSQLJournal<each Model: Stored>(
        for models: repeat (each Model).Type
    ) async throws {
        var entities: Set<EntitySchema> = []
        for entity in repeat (each Model).schema.entity {
            try entity.validate()
            entities.formUnion(RowQuery(entity).dependencies)
        }
        let sorted = entities.sorted { $0.name < $1.name }
        try await definingJournal { try Journal.install(for: sorted, in: $0, on: $1) }
        (engine as? PostgreSQLEngine)?.noteJournal()
    }

    /// Removes the journal with all of its triggers.
    ///
    /// - Throws: `.permission` when it is another role's, `.unsupported` when the client's engine is not
    ///   PostgreSQL.
    public func removePostgreSQLJournal() async throws {
        try await definingJournal { try Journal.remove(on: $1) }
    }

    private func definingJournal(
        _ body: @escaping @Sendable (SQLTransaction, PostgreSQLConnection) throws -> Void
    ) async throws {
        guard let engine = engine as? PostgreSQLEngine else {
            throw DBClientError(.unsupported, "Only a PostgreSQL server keeps a journal.")
        }
        try await engine.runUnobserved(.write, body)
    }
}
