import CLibPQ
import DBClientCore
import DBClientSQL

/// The table in which triggers note what entities a transaction wrote.
///
/// There is one row for each entity that a transaction wrote, whatever the number of statements and of
/// rows. No position from a sequence would do to read on from: a transaction that takes a low one may
/// commit after one that took a higher one. So the rows hold their transaction's number, and what was
/// read already is what a snapshot saw.
enum Journal {
    static let table = "dbclient_journal"
    static let channel = "dbclient_journal"
    private static let function = "dbclient_note_change"
    private static let trimming = "dbclient_trim_journal"
    /// The setting by which the sessions of one client know each other's rows.
    static let writerSetting = "dbclient.writer"

    /// How long the server keeps a row at least after its transaction was committed.
    private static let keptMinutes = 10
    /// What was read longer ago may have been followed by rows that are gone, in microseconds.
    static let trustedAge: Int64 = 300_000_000

    /// Makes the journal and the triggers of some entities, whose tables are made where they are missing.
    static func install(
        for entities: [EntitySchema],
        in transaction: SQLTransaction,
        on connection: PostgreSQLConnection
    ) throws {
        try lock(connection)
        for entity in entities { try transaction.makeTable(of: entity) }
        let schema = try currentSchema(connection)
        let journal = "\(schema).\(table)"
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(journal) (
                "transaction" xid8 NOT NULL, "horizon" xid8 NOT NULL,
                "noted" timestamp with time zone NOT NULL, "entity" text NOT NULL, "writer" text)
            """
        )
        try connection.execute(
            """
            CREATE INDEX IF NOT EXISTS \(table)_transaction ON \(journal) ("transaction")
            """
        )
        try connection.execute("GRANT SELECT ON \(journal) TO PUBLIC")
        try connection.execute(trimming(of: journal, in: schema))
        try connection.execute(noting(in: journal, schema))
        for entity in entities {
            var text = SQLText(connection.dialect)
            text.append("DROP TRIGGER IF EXISTS \(table) ON ")
            text.append(identifier: connection.dialect.tableName(of: entity))
            try connection.execute(text.sql)
            try addTrigger(to: entity, calling: "\(schema).\(function)", on: connection)
        }
        try connection.execute("NOTIFY \(channel)")
    }

    fileprivate static func addTrigger(
        to entity: EntitySchema,
        calling function: String,
        on connection: PostgreSQLConnection
    ) throws {
        var text = SQLText(connection.dialect)
        text.append("CREATE TRIGGER \(table) AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ")
        text.append(identifier: connection.dialect.tableName(of: entity))
        text.append(" FOR EACH STATEMENT EXECUTE FUNCTION \(function)(\(entity.name.sqlLiteral))")
        try connection.execute(text.sql)
    }

    /// Takes away the journal with all of its triggers.
    static func remove(on connection: PostgreSQLConnection) throws {
        try lock(connection)
        let schema = try currentSchema(connection)
        try connection.execute("DROP FUNCTION IF EXISTS \(schema).\(function)() CASCADE")
        try connection.execute("DROP FUNCTION IF EXISTS \(schema).\(trimming)()")
        try connection.execute("DROP TABLE IF EXISTS \(schema).\(table)")
    }

    /// Keeps two sessions from defining the same at the same time.
    private static func lock(_ connection: PostgreSQLConnection) throws {
        try connection.execute("SELECT pg_advisory_xact_lock(hashtext('\(table)'))")
    }

    private static func currentSchema(_ connection: PostgreSQLConnection) throws -> String {
        var schema = ""
        try connection.each("SELECT quote_ident(current_schema())", []) { row in
            schema = text(row[0])
        }
        return schema
    }

    /// Returns the definition of the trigger's function.
    ///
    /// A setting of the transaction's tells which entities are noted; it is undone with a savepoint, as the
    /// row is.
    private static func noting(in journal: String, _ schema: String) -> String {
        let body = """
            DECLARE
                "number" text := pg_current_xact_id()::text;
                "mark" text := 'dbclient.noted_' || TG_RELID;
            BEGIN
                IF current_setting("mark", true) IS DISTINCT FROM "number" THEN
                    PERFORM set_config("mark", "number", true);
                    INSERT INTO \(journal) VALUES (
                        pg_current_xact_id(), pg_snapshot_xmin(pg_current_snapshot()),
                        clock_timestamp(), TG_ARGV[0], current_setting('\(writerSetting)', true));
                    PERFORM pg_notify('\(channel)', '');
                    IF random() < 0.001 THEN PERFORM \(schema).\(trimming)(); END IF;
                END IF;
                RETURN NULL;
            END
            """
        return """
            CREATE OR REPLACE FUNCTION \(schema).\(function)() RETURNS trigger LANGUAGE plpgsql
            SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS \(body.sqlLiteral)
            """
    }

    /// Returns the definition of the function that removes old rows.
    ///
    /// What had ended when an old row was written was committed before that.
    private static func trimming(of journal: String, in schema: String) -> String {
        let body = """
            DELETE FROM \(journal) WHERE "transaction" < (
                SELECT max("horizon"::text::bigint) FROM \(journal)
                WHERE "noted" < clock_timestamp() - interval '\(keptMinutes) minutes'
            )::text::xid8
            """
        return """
            CREATE OR REPLACE FUNCTION \(schema).\(trimming)() RETURNS void LANGUAGE sql
            SET search_path = pg_catalog, pg_temp AS \(body.sqlLiteral)
            """
    }
}

// A trigger goes with its table. Where a migration makes another one in its place, that gets it as well.
extension PostgreSQLConnection {
    func willDrop(_ table: String) throws {
        try dropLinkKeys(to: table)
        var text = SQLText(dialect)
        text.append(identifier: table)
        var function: String?
        try each(
            """
            SELECT pg_catalog.format('%I.%I', n.nspname, p.proname)
            FROM pg_catalog.pg_trigger t
            JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
            JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
            WHERE t.tgrelid = pg_catalog.to_regclass($1::text) AND t.tgname = $2::text
            """,
            [text.sql, Journal.table]
        ) { function = DBClientPostgreSQL.text($0[0]) }
        guard let function else { return }
        state.journaled[table] = function
        // No row is gone one by one, so the trigger is called for none: it notes that the entity was written.
        try execute("DELETE FROM \(text.sql) WHERE false")
    }

    func didMake(_ table: String, of entity: EntitySchema) throws {
        guard let function = state.journaled.removeValue(forKey: table) else { return }
        try Journal.addTrigger(to: entity, calling: function, on: self)
    }
}
