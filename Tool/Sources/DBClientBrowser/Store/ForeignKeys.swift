import DBClientCore
import DBClientSQL
import DBClientTool

/// Reads the foreign keys of a database, by which rows of tables of other programs refer to each other.
struct ForeignKeys {
    private let address: StoreAddress

    init(_ address: StoreAddress) {
        self.address = address
    }

    /// One column of a foreign key.
    private struct Part {
        let table: String
        let key: String
        let target: String
        let column: String
        /// Nil for the primary key.
        let targetColumn: String?
        let rule: String
    }

    /// Returns the references between entities of a catalog; none for a store without foreign keys.
    func references(
        of catalog: EntityCatalog,
        in transaction: ReadTransaction
    ) throws -> [Reference] {
        let parts: [Part]
        switch address {
        case .objectStore: return []
        case .sqlite: parts = try Self.parts(transaction.rows(Self.sqlite))
        case .postgreSQL: parts = try Self.parts(transaction.rows(Self.postgreSQL))
        }
        let keys = Dictionary(grouping: parts) { "\($0.table)\0\($0.key)" }
        return keys.sorted { $0.key < $1.key }.compactMap { Self.reference($0.value, in: catalog) }
    }

    private static func parts(_ rows: [SQLRow]) throws -> [Part] {
        try rows.map { row in
            Part(
                table: try row.value("own_table", as: String.self),
                key: try row.value("name", as: String.self),
                target: try row.value("target", as: String.self),
                column: try row.value("own", as: String.self),
                targetColumn: try row.value("other", as: String?.self),
                rule: try row.value("rule", as: String.self)
            )
        }
    }

    private static func reference(_ parts: [Part], in catalog: EntityCatalog) -> Reference? {
        func entity(_ name: String) -> EntitySchema? {
            catalog.entities.first { $0.name == name }
                ?? catalog.entities.first { $0.name.lowercased() == name.lowercased() }
        }
        func position(_ name: String, in entity: EntitySchema) -> Int? {
            entity.fields.firstIndex { $0.name == name }
                ?? entity.fields.firstIndex { $0.name.lowercased() == name.lowercased() }
        }
        guard let first = parts.first, let owner = entity(first.table),
            let target = entity(first.target)
        else { return nil }
        let columns = parts.compactMap { position($0.column, in: owner) }
        let named = parts.compactMap(\.targetColumn).compactMap { position($0, in: target) }
        let targets = named.isEmpty ? target.primaryKey : named
        guard columns.count == parts.count, targets.count == columns.count,
            zip(columns, targets).allSatisfy({ owner.fields[$0].type == target.fields[$1].type })
        else { return nil }
        let rule: DeleteRule
        switch first.rule.uppercased() {
        case "CASCADE", "C": rule = .cascade
        case "SET NULL", "N", "SET DEFAULT", "D": rule = .nullify
        default: rule = .deny
        }
        return Reference(
            name: columns.map { owner.fields[$0].name }.joined(separator: ", "),
            owner: owner,
            target: target,
            kind: .toOne,
            columns: columns,
            targetColumns: targets,
            rule: rule,
            isForeignKey: true
        )
    }

    private static let sqlite: SQL = """
        SELECT t.name AS own_table, CAST(k.id AS TEXT) AS name, k."table" AS target,
            k."from" AS own, k."to" AS other, k.on_delete AS rule
        FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS k
        WHERE t.type = 'table' ORDER BY t.name, k.id, k.seq
        """

    private static let postgreSQL: SQL = """
        SELECT c.relname::text AS own_table, k.conname::text AS name, f.relname::text AS target,
            a.attname::text AS own, b.attname::text AS other, k.confdeltype::text AS rule
        FROM pg_catalog.pg_constraint k
        JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
        JOIN pg_catalog.pg_class f ON f.oid = k.confrelid AND f.relnamespace = c.relnamespace
        CROSS JOIN LATERAL pg_catalog.generate_subscripts(k.conkey, 1) n
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[n]
        JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[n]
        WHERE k.contype = 'f' AND c.relnamespace = pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace
        ORDER BY c.relname, k.conname, n
        """
}
