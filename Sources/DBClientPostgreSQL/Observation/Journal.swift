import DBClientCore
import DBClientSQL

/// The table in which triggers note what entities a transaction wrote.
///
/// There is a row for each table that a transaction wrote, and for each statement of its first moment, whatever the
/// number of rows. No position from a sequence would do to read on from: a transaction that takes a low one may
/// commit after one that took a higher one. So the rows hold their transaction's number, and what was
/// read already is what a snapshot saw.
enum Journal {
    static let table = "dbclient_journal"
    static let channel = "dbclient_journal"
    static let function = "dbclient_note_change"
    /// What the triggers of partitions call.
    static let partitionFunction = "dbclient_note_partition"
    private static let trimming = "dbclient_trim_journal"
    /// The setting by which the sessions of one client know each other's rows.
    static let writerSetting = "dbclient.writer"

    /// How long the server keeps a row at least after its transaction was committed.
    private static let keptMinutes = 10
    /// What was read longer ago may have been followed by rows that are gone, in microseconds.
    static let trustedAge: Int64 = 300_000_000

    /// Makes the journal and the triggers of some entities, whose tables are made where they are missing; of
    /// what an earlier version made, what is needed.
    static func install(
        for entities: [EntitySchema],
        in transaction: SQLTransaction,
        on connection: PostgreSQLConnection
    ) throws {
        try lock(connection)
        for entity in entities where try !connection.isWithoutKey(entity) {
            try transaction.makeTable(of: entity)
        }
        let schema = try currentSchema(connection)
        let journal = "\(schema).\(table)"
        try connection.requiring(.snapshots, to: purpose) {
            try connection.each("SELECT pg_catalog.pg_current_snapshot()::text", []) { _ in }
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS \(journal) (
                    "transaction" xid8 NOT NULL, "horizon" xid8,
                    "noted" timestamp with time zone, "entity" text NOT NULL, "writer" text)
                """
            )
        }
        try connection.execute(
            """
            CREATE INDEX IF NOT EXISTS \(table)_transaction ON \(journal) ("transaction")
            """
        )
        try connection.execute("GRANT SELECT ON \(journal) TO PUBLIC")
        try connection.requiring(.functions, to: purpose) {
            try connection.execute(trimming(of: journal, in: schema))
            for function in [function, partitionFunction] {
                try connection.execute(noting(in: journal, schema, by: function))
            }
        }
        for entity in entities {
            try installTrigger(on: entity, ofJournalIn: schema, through: connection)
        }
        // At the end: programs that write wait for it.
        try renew(journal, on: connection)
        try notify(through: connection)
    }

    /// Makes the columns of a journal that an earlier version made what they are now, and has publications tell
    /// its rows by all of them: where they publish each table of the database, the server would refuse to
    /// remove one.
    private static func renew(_ journal: String, on connection: PostgreSQLConnection) throws {
        var isNew = false
        try connection.each(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = $1::text::regclass
                AND c.relreplident = 'f' AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attname IN ('horizon', 'noted') AND a.attnotnull))
            """,
            [journal]
        ) { isNew = $0[0].integer != 0 }
        if isNew { return }
        try connection.execute(
            """
            ALTER TABLE \(journal) ALTER "horizon" DROP NOT NULL, ALTER "noted" DROP NOT NULL,
                REPLICA IDENTITY FULL
            """
        )
    }

    /// Whether there is a journal, found without a transaction where the session is the client's own.
    static func isInstalled(on connection: PostgreSQLConnection) throws -> Bool {
        var isInstalled = false
        try connection.each(
            "SELECT pg_catalog.to_regclass($1::text) IS NOT NULL",
            [table]
        ) { isInstalled = $0[0].integer != 0 }
        return isInstalled
    }

    /// Learns whether a store has a journal, so that others are called after commits to it.
    static func look(for reader: JournalReader, through connection: PostgreSQLConnection) throws {
        // Behind a pooler only a transaction knows where the table is. It also tells whether the server has the
        // isolation of snapshots, which are not taken twice.
        try connection.begin(.read)
        defer { connection.rollback() }
        reader.noteSearch()
        if try isInstalled(on: connection) { reader.noteInstallation() }
    }

    /// Notifies every listener of the journal's channel, where the server can.
    static func notify(through connection: PostgreSQLConnection) throws {
        if connection.lacks(.notifications) { return }
        try connection.using(.notifications) { try connection.execute("NOTIFY \(channel)") }
    }

    /// Removes old rows, as far as the role may and the server can.
    static func trim(through connection: PostgreSQLConnection) {
        let sql = "SELECT \(trimming)()"
        do {
            // Behind a pooler only a transaction knows where the function is.
            if !connection.keepsStatements { try connection.begin(.write) }
            try connection.execute(sql)
            if !connection.keepsStatements { try connection.commit() }
        } catch {
            // They are removed another time.
            if !connection.keepsStatements { connection.rollback() }
        }
    }

    /// What the server is asked for by which it cannot do without.
    static let purpose = "keep a journal"

    /// Takes away the journal with all of its triggers.
    static func remove(on connection: PostgreSQLConnection) throws {
        try lock(connection)
        let schema = try currentSchema(connection)
        for function in [function, partitionFunction] {
            try connection.execute("DROP FUNCTION IF EXISTS \(schema).\(function)() CASCADE")
        }
        try connection.execute("DROP FUNCTION IF EXISTS \(schema).\(trimming)()")
        try connection.execute("DROP TABLE IF EXISTS \(schema).\(table)")
    }

    /// Keeps two sessions from defining the same at the same time.
    private static func lock(_ connection: PostgreSQLConnection) throws {
        try connection.requiring(.advisoryLocks, to: purpose) {
            try connection.execute("SELECT pg_advisory_xact_lock(hashtext('\(table)'))")
        }
    }

    private static func currentSchema(_ connection: PostgreSQLConnection) throws -> String {
        var schema = ""
        try connection.each("SELECT quote_ident(current_schema())", []) { row in
            schema = text(row[0])
        }
        return schema
    }

    /// Returns the definition of a trigger's function.
    ///
    /// It does no more than add a row: what else could be done waits for other transactions, or takes as long again.
    /// Every name says where it is, since the function has the rights of the journal's owner and the search path
    /// of the caller.
    ///
    /// A setting of the transaction says which tables are noted in which journal; it is undone with a savepoint, as the row is. To
    /// make it takes half as long as to add the row, so a transaction that has just begun, as most do that have one
    /// statement, goes without it, and a few statements may add a row each. Each further expression would take the
    /// server a microsecond or two; so `NEW`, which is null, is returned rather than a constant. A partition is noted
    /// under the name of each table that it is part of, so its function has a setting for each.
    private static func noting(
        in journal: String,
        _ schema: String,
        by function: String
    ) -> String {
        let noted =
            function == partitionFunction
            ? ", '_', pg_catalog.to_hex(pg_catalog.hashtext(TG_ARGV[0]))" : ""
        let mark = "pg_catalog.concat('dbclient.noted_\(digest(of: schema))_', TG_RELID\(noted))"
        let number = "pg_catalog.pg_current_xact_id()"
        func adding(_ number: String) -> String {
            """
            INSERT INTO \(journal) ("transaction", "entity", "writer") VALUES (
                \(number), TG_ARGV[0], pg_catalog.current_setting('\(writerSetting)', true));
            """
        }
        let body = """
            BEGIN
                IF pg_catalog.statement_timestamp() OPERATOR(pg_catalog.<)
                    (pg_catalog.now() OPERATOR(pg_catalog.+) '2 ms'::pg_catalog.interval)
                THEN
                    \(adding(number))
                ELSIF pg_catalog.current_setting(\(mark), true) OPERATOR(pg_catalog.=)
                    \(number)::pg_catalog.text
                THEN
                    RETURN NEW;
                ELSE
                    \(adding("pg_catalog.set_config(\(mark), \(number)::pg_catalog.text, true)::pg_catalog.xid8"))
                END IF;
                RETURN NEW;
            END
            """
        return """
            CREATE OR REPLACE FUNCTION \(schema).\(function)() RETURNS trigger LANGUAGE plpgsql
            SECURITY DEFINER AS \(body.sqlLiteral)
            """
    }

    /// Returns a number of a name, for the name of a setting, which takes no other characters, or of a trigger.
    static func digest(of name: String) -> String {
        // FNV-1a in 64 bits: it only has to tell the journals of one table apart.
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return String(hash, radix: 16)
    }

    /// Returns the definition of the function that removes old rows.
    ///
    /// A row does not tell when its transaction was committed. So each time a row of no entity is written, which
    /// tells the moment and the oldest transaction that ran: what is older than that had ended then. One session
    /// at a time does it, so none waits; what is much is removed in several times.
    private static func trimming(of journal: String, in schema: String) -> String {
        let body = """
            DECLARE
                "old" xid8;
            BEGIN
                IF NOT pg_try_advisory_xact_lock(hashtext('\(trimming)')) THEN RETURN; END IF;
                PERFORM set_config('synchronous_commit', 'off', true);
                INSERT INTO \(journal) ("transaction", "horizon", "noted", "entity", "writer") VALUES (
                    pg_current_xact_id(), pg_snapshot_xmin(pg_current_snapshot()), clock_timestamp(),
                    '', '');
                SELECT max("horizon"::text::bigint)::text::xid8 INTO "old" FROM \(journal)
                WHERE "noted" < clock_timestamp() - interval '\(keptMinutes) minutes';
                DELETE FROM \(journal) WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM \(journal) WHERE "transaction" < "old"
                    ORDER BY "transaction" LIMIT \(trimmedRows)));
            END
            """
        return """
            CREATE OR REPLACE FUNCTION \(schema).\(trimming)() RETURNS void LANGUAGE plpgsql
            SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS \(body.sqlLiteral)
            """
    }

    /// So many rows are removed at most at a time.
    private static let trimmedRows = 200_000
}
