import DBClientCore
import DBClientSQL

// Foreign keys of the tables' maker, and those by which the library ties links to their owners.
extension PostgreSQLConnection {
    /// The name of the foreign keys by which links go with their owners.
    static let linkKey = "dbclient_owner"

    /// Gives a new table of links a foreign key that deletes them with their owner.
    ///
    /// A table that exists gets none, since that would block writes to both tables. Where the role may not refer
    /// to the owners' table, or the server cannot, there is none either.
    func tieLinks(_ links: TableSQL, to owner: LinkOwner, isNew: Bool) throws -> SQLLinkTie {
        let table = dialect.tableName(of: owner.entity)
        if !isNew { return try isTied(links.name, to: table) ? .tied(isNew: false) : .none }
        guard let mayRefer = try mayRefer(to: table) else { return .ownerMissing }
        guard mayRefer else { return .none }
        var text = SQLText(dialect)
        text.append("ALTER TABLE ")
        text.append(table: links.name)
        text.append(" ADD CONSTRAINT \(Self.linkKey) FOREIGN KEY (")
        text.append(owner.key.indices) { $0.append(identifier: links.columnName($1)) }
        text.append(") REFERENCES ")
        text.append(table: table)
        text.append(" (")
        text.append(owner.key) { $0.append(column: $1) }
        text.append(") ON DELETE CASCADE")
        beginSavepoint()
        do {
            try execute(text.sql)
        } catch let error as DBClientError {
            rollbackSavepoint()
            // Owners of another's making may have no key of the kind, or checks that wait for the commit.
            guard let state = error.sqlState,
                state.hasPrefix("42") || state == "0A000" || state == "55006"
            else { throw error }
            return .none
        }
        releaseSavepoint()
        return .tied(isNew: true)
    }

    private func isTied(_ links: String, to table: String) throws -> Bool {
        var isTied = false
        try each(
            """
            SELECT 1 FROM pg_catalog.pg_constraint
            WHERE conrelid = pg_catalog.to_regclass($1::text)
                AND confrelid = pg_catalog.to_regclass($2::text)
                AND contype = 'f' AND confdeltype = 'c' AND conname = $3::text
            """,
            [quoted(links), quoted(table), Self.linkKey]
        ) { _ in isTied = true }
        return isTied
    }

    /// Whether the role may refer to a table; nil where it does not exist.
    private func mayRefer(to table: String) throws -> Bool? {
        var mayRefer: Bool?
        try each(
            """
            SELECT c.relkind IN ('r', 'p')
                AND pg_catalog.has_table_privilege(c.oid, 'REFERENCES')
            FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass($1::text)
            """,
            [quoted(table)]
        ) { mayRefer = $0[0].integer != 0 }
        return mayRefer
    }

    /// Takes away the foreign keys of links to a table that is dropped next.
    func dropLinkKeys(to table: String) throws {
        var statements: [String] = []
        try each(
            """
            SELECT pg_catalog.format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
            FROM pg_catalog.pg_constraint
            WHERE confrelid = pg_catalog.to_regclass($1::text)
                AND contype = 'f' AND conname = $2::text
            """,
            [quoted(table), Self.linkKey]
        ) { statements.append(text($0[0])) }
        for statement in statements { try execute(statement) }
    }

    func hasForeignKeys(to table: String, fromOthersAlone: Bool) throws -> Bool {
        try findWhole(table)
        var isFound = false
        try each(
            """
            SELECT 1 FROM pg_catalog.pg_constraint
            WHERE confrelid = pg_catalog.to_regclass($1::text) AND contype = 'f'
                AND conname <> $2::text AND ($3::text = '' OR conrelid <> confrelid) LIMIT 1
            """,
            [quoted(table), Self.linkKey, fromOthersAlone ? "others" : ""]
        ) { _ in isFound = true }
        return isFound
    }

    func deferringForeignKeys(to tables: [String], _ body: () throws -> Void) throws {
        var names: [String] = []
        for table in tables {
            try each(
                """
                SELECT pg_catalog.format('%I.%I', n.nspname, k.conname)
                FROM pg_catalog.pg_constraint k
                JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace
                WHERE k.confrelid = pg_catalog.to_regclass($1::text) AND k.contype = 'f'
                    AND k.condeferrable AND NOT k.condeferred
                """,
                [quoted(table)]
            ) { row in
                let name = text(row[0])
                if !names.contains(name) { names.append(name) }
            }
        }
        if names.isEmpty { return try body() }
        let list = names.joined(separator: ", ")
        try execute("SET CONSTRAINTS \(list) DEFERRED")
        try body()
        // A key that is broken by now is reported here.
        try execute("SET CONSTRAINTS \(list) IMMEDIATE")
    }
}
