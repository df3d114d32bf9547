import DBClientCore
import DBClientSQL
import DBClientTool

/// The entities of a store and how they refer to each other.
struct StoreMap: Sendable {
    let catalog: EntityCatalog
    let references: [Reference]
    /// The fields that no edit can set.
    let computed: ComputedFields
    /// Whether the commits of other processes are seen.
    let followsOthers: Bool

    /// Reads what a store tells of itself.
    init(of store: Store) async throws {
        let address = store.address
        (catalog, references, computed, followsOthers) = try await store.client.read {
            transaction in
            let catalog = try EntityCatalog(storedIn: transaction)
            let known = catalog.entities.flatMap { Reference.relationships(of: $0, in: catalog) }
            let keys = try ForeignKeys(address).references(of: catalog, in: transaction)
            // A relationship may be kept by a foreign key as well.
            let others = keys.filter { key in
                !known.contains { $0.owner == key.owner && $0.columns == key.columns }
            }
            let computed = try ComputedFields(address, of: catalog, in: transaction)
            let followsOthers = try Self.followsOthers(address, in: transaction)
            return (catalog, known + others, computed, followsOthers)
        }
    }

    /// Returns whether the commits of other processes are seen: those of a server are where it keeps a journal.
    private static func followsOthers(
        _ address: StoreAddress,
        in transaction: ReadTransaction
    ) throws -> Bool {
        guard case .postgreSQL = address else { return true }
        let rows = try transaction.rows(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relname = 'dbclient_journal'
                AND relnamespace = pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace) AS found
            """
        )
        return try rows.first?.value("found", as: Bool.self) ?? false
    }

    /// Returns the entity with a name.
    ///
    /// - Throws: `.invalidRequest` where there is none.
    func entity(named name: String) throws -> EntitySchema { try catalog.entity(named: name) }

    /// The references that rows of an entity have.
    func references(of entity: EntitySchema) -> [Reference] {
        references.filter { $0.owner == entity }
    }

    /// The references that lead to rows of an entity.
    func references(to entity: EntitySchema) -> [Reference] {
        references.filter { $0.target == entity }
    }
}
