public import DBClientCore
public import DBClientSQL

extension SQLDBClient {
    /// Installs a journal on the PostgreSQL server, by which observers see what other processes write to the
    /// tables of some models.
    ///
    /// ```swift
    /// try await client.installPostgreSQLJournal(for: Hero.self, Villain.self)
    /// ```
    ///
    /// Each table, created where it is missing, gets a trigger that writes a row to the table
    /// `dbclient_journal` for each transaction. It stays until it is removed and applies to every client of the
    /// database, whether or not it uses this library. Observers of other clients need nothing more; without a
    /// journal they see only the writes of their own process. A transaction takes some microseconds longer.
    /// For the model of a view, the tables that it reads get the trigger.
    /// Models that were installed before stay installed, and a journal of an earlier version of the library is
    /// brought up to date.
    ///
    /// - Throws: `.permission` when the role may not make tables and triggers, `.unsupported` when the
    ///   client's engine is not PostgreSQL.
    public func installPostgreSQLJournal<each Model: Stored>(
        for models: repeat (each Model).Type
    ) async throws {
        var entities: [EntitySchema] = []
        for entity in repeat (each Model).schema.entity { entities.append(entity) }
        try await installPostgreSQLJournal(forEntities: entities)
    }

    /// Installs a journal on the PostgreSQL server, by which observers see what other processes write to the
    /// tables of some entities, as a program without their models has them.
    ///
    /// ```swift
    /// let catalog = try await EntityCatalog(storedIn: client)
    /// try await client.installPostgreSQLJournal(forEntities: catalog.entities)
    /// ```
    ///
    /// - Throws: `.invalidSchema` for a malformed entity, `.permission` when the role may not make tables and triggers,
    ///   `.unsupported` when the client's engine is not PostgreSQL.
    public func installPostgreSQLJournal(forEntities entities: [EntitySchema]) async throws {
        var all: Set<EntitySchema> = []
        for entity in entities {
            try entity.validate()
            all.formUnion(RowQuery(entity).dependencies)
        }
        let sorted = all.sorted { $0.name < $1.name }
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
