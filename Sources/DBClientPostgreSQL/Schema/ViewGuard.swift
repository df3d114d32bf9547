import DBClientCore
import DBClientSQL

/// Keeps writers from rows of which stored views are kept, unless they keep them.
///
/// A trigger of the table compares its mark with a setting of the transaction, which those that keep the views make.
enum PostgreSQLViewGuard {
    /// The state with which the trigger refuses a statement.
    static let refusal = "DBV01"
    fileprivate static let trigger = "dbclient_views"
    fileprivate static let function = "dbclient_refuse_write"
    fileprivate static let setting = "dbclient.views"
    /// A trigger that is called once before each statement of every kind that writes.
    fileprivate static let type = 62
    fileprivate static let purpose = "keep stored views"
}

extension PostgreSQLConnection {
    func viewMark(of table: String) throws -> String? {
        var mark: String?
        try each(
            """
            SELECT pg_catalog.convert_from(
                pg_catalog.substring(t.tgargs, 1, pg_catalog.length(t.tgargs) - 1), 'UTF8')
            FROM pg_catalog.pg_trigger t
            WHERE t.tgrelid = pg_catalog.to_regclass($1::text) AND t.tgname = $2::text
                AND t.tgtype = \(PostgreSQLViewGuard.type) AND t.tgnargs = 1 AND t.tgenabled <> 'D'
            """,
            [quoted(table), PostgreSQLViewGuard.trigger]
        ) { mark = String(decoding: $0[0].bytes, as: UTF8.self) }
        return mark
    }

    func setViewMark(_ mark: String?, of table: String) throws {
        let name = quoted(table)
        try execute("DROP TRIGGER IF EXISTS \(PostgreSQLViewGuard.trigger) ON \(name)")
        guard let mark else { return }
        let function = try refusingFunction()
        try requiring(.statementTriggers, to: PostgreSQLViewGuard.purpose) {
            try execute(
                """
                CREATE TRIGGER \(PostgreSQLViewGuard.trigger)
                BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(name) FOR EACH STATEMENT
                WHEN (pg_catalog.current_setting(\(PostgreSQLViewGuard.setting.sqlLiteral), true)
                    IS DISTINCT FROM \(mark.sqlLiteral))
                EXECUTE FUNCTION \(function)(\(mark.sqlLiteral))
                """
            )
        }
    }

    func holdViewMark(_ mark: String?) throws {
        // Weaker isolation would have two transactions that change one group not see each other.
        if mark != nil { try requireSerializability() }
        pending.append("SET LOCAL \(PostgreSQLViewGuard.setting) = \((mark ?? "").sqlLiteral)")
    }

    /// Returns the function that refuses a statement, made where it is not there yet.
    private func refusingFunction() throws -> String {
        var schema = ""
        var isThere = false
        try each(
            """
            SELECT pg_catalog.quote_ident(pg_catalog.current_schema()),
                EXISTS (SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
                    WHERE n.nspname = pg_catalog.current_schema() AND p.proname = $1::text AND p.pronargs = 0)
            """,
            [PostgreSQLViewGuard.function]
        ) { row in
            schema = String(decoding: row[0].bytes, as: UTF8.self)
            isThere = row[1].integer != 0
        }
        let name = "\(schema).\(PostgreSQLViewGuard.function)"
        if isThere { return name }
        let body = """
            BEGIN
                RAISE EXCEPTION 'Stored views are kept of this table by a program that this one is not.'
                    USING ERRCODE = '\(PostgreSQLViewGuard.refusal)';
            END
            """
        try requiring(.functions, to: PostgreSQLViewGuard.purpose) {
            try execute(
                """
                CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql AS \(body.sqlLiteral)
                """
            )
        }
        return name
    }
}
