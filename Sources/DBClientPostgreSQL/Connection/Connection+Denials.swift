import DBClientCore
import DBClientSQL

// What a role lacks that has rights to some columns of a table alone: the server names no more than the table.
extension PostgreSQLConnection {
    /// A statement that the server denied the role.
    struct DeniedStatement {
        let entity: EntitySchema
        let sql: String

        /// What a role needs beside the right to read; the verb is that of a sentence.
        fileprivate var right: (privilege: String, verb: String)? {
            if sql.hasPrefix("INSERT") || sql.hasPrefix("COPY") { return ("INSERT", "insert") }
            if sql.hasPrefix("UPDATE") { return ("UPDATE", "update") }
            return nil
        }

        /// The part of the statement that says what is written.
        fileprivate var written: Substring {
            guard sql.hasPrefix("UPDATE"), let end = sql.firstRange(of: " WHERE ") else {
                return sql[...]
            }
            return sql[..<end.lowerBound]
        }
    }

    /// Notes a statement that the server denied the role.
    func noteDenial(_ error: DBClientError, of sql: String, on entity: EntitySchema) {
        guard error.sqlState == "42501" else { return }
        state.denied = DeniedStatement(entity: entity, sql: sql)
    }

    /// Adds to an error the fields of a denied statement to which the role has no right, once the transaction has ended.
    func explainedDenial(_ error: any Error) -> any Error {
        guard let error = error as? DBClientError, error.sqlState == "42501",
            let denied = state.denied, isIdle
        else { return error }
        do {
            try begin(.read)
            defer { rollback() }
            if let right = denied.right {
                let fields = try fields(of: denied, without: right.privilege, in: denied.written)
                if !fields.isEmpty { return error.lacking(right.verb, fields) }
            }
            let fields = try fields(of: denied, without: "SELECT", in: denied.sql[...])
            return fields.isEmpty ? error : error.lacking("read", fields)
        } catch {
            return error
        }
    }

    /// Returns the fields to whose columns the role has not a right, among those that a text names.
    private func fields(
        of denied: DeniedStatement,
        without privilege: String,
        in part: Substring
    ) throws -> [String] {
        let entity = denied.entity
        var without: Set<String> = []
        try each(
            """
            SELECT a.attname::text FROM pg_catalog.pg_attribute a
            WHERE a.attrelid = pg_catalog.to_regclass($1::text) AND a.attnum > 0 AND NOT a.attisdropped
            AND NOT pg_catalog.has_column_privilege(a.attrelid, a.attnum, $2::text)
            """,
            [quoted(dialect.tableName(of: entity)), privilege]
        ) { without.insert(text($0[0])) }
        return entity.fields.map(\.name).filter { field in
            let column = dialect.columnName(of: field)
            var quoted = SQLText(dialect)
            quoted.append(identifier: column)
            return without.contains(column) && part.contains(quoted.sql)
        }
    }
}

extension DBClientError {
    /// The error of a role that lacks the right to fields.
    fileprivate func lacking(_ verb: String, _ fields: [String]) -> DBClientError {
        var error = self
        if fields.count == 1 { error.field = fields[0] }
        error.hint = "The role may not \(verb) \(fields.joined(separator: ", "))."
        return error
    }
}
