package import DBClientCore
import DBClientSQL

/// The fields whose values the database alone makes, by an expression or a sequence.
package struct ComputedFields: Sendable {
    private var fields: [String: Set<String>] = [:]
    private var keys: Set<String> = []

    /// Reads them from the catalog of a database; an object store has none.
    package init(
        _ address: StoreAddress,
        of catalog: EntityCatalog,
        in transaction: ReadTransaction
    ) throws {
        let rows: [SQLRow]
        switch address {
        case .objectStore: return
        case .sqlite: rows = try transaction.rows(Self.sqlite)
        case .postgreSQL: rows = try transaction.rows(Self.postgreSQL)
        }
        for row in rows {
            let table = try row.value("own_table", as: String.self)
            let column = try row.value("own", as: String.self)
            guard
                let entity = catalog.entities.first(where: { Self.isSame($0.name, table) }),
                let position = entity.fields.firstIndex(where: { Self.isSame($0.name, column) })
            else { continue }
            fields[entity.name, default: []].insert(entity.fields[position].name)
            if try row.value("is_identity", as: Bool.self), entity.primaryKey.contains(position) {
                keys.insert(entity.name)
            }
        }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// Whether the database makes the values of a field.
    package func contains(_ field: String, of entity: EntitySchema) -> Bool {
        fields[entity.name]?.contains(field) ?? false
    }

    /// Whether the database makes the keys of an entity and takes none, so that a deleted row cannot be inserted again.
    package func keys(of entity: EntitySchema) -> Bool { keys.contains(entity.name) }

    private static let sqlite: SQL = """
        SELECT t.name AS own_table, x.name AS own, FALSE AS is_identity
        FROM sqlite_schema AS t JOIN pragma_table_xinfo(t.name) AS x
        WHERE t.type = 'table' AND x.hidden IN (2, 3)
        """

    private static let postgreSQL: SQL = """
        SELECT c.relname::text AS own_table, a.attname::text AS own,
            a.attidentity = 'a' AS is_identity
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace
            AND a.attnum > 0 AND NOT a.attisdropped
            AND (a.attidentity = 'a' OR a.attgenerated <> '')
        """
}
