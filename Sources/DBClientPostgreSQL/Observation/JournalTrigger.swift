import DBClientCore
import DBClientSQL

/// A trigger by which a journal notes that a table was written.
///
/// A table has one for each journal that notes it: clients of two schemas may use one table, and each reads the journal of
/// its own schema.
struct JournalTrigger {
    /// Its name.
    let name: String
    /// The function that it calls, as statements have it: that of its journal.
    let function: String
    /// The name that the journal has for the table.
    let noted: String

    /// Returns the name of the trigger of a journal where the plain one is another journal's.
    fileprivate static func name(ofJournalIn schema: String) -> String {
        EntitySchema.shortened("\(Journal.table)_\(schema)")
    }
}

extension Journal {
    /// Gives a table the trigger of a journal, unless it has it; of a view, the tables that it reads.
    ///
    /// What the journal notes is a name that its readers know the table by: without a schema only where the table is in
    /// the journal's own, since each of them may look for tables in other schemas.
    static func installTrigger(
        on entity: EntitySchema,
        calling function: String,
        through connection: PostgreSQLConnection
    ) throws {
        let table = connection.dialect.tableName(of: entity)
        guard let found = try connection.find(table) else { return }
        guard found.kind.isDerived else {
            return try installTrigger(on: found, of: entity.name, calling: function, connection)
        }
        // The server calls no trigger of a view that is read, nor of what another server keeps.
        for place in try connection.sources(of: found).tables.sorted() {
            guard let source = try connection.find(place) else { continue }
            let name = connection.dialect.parts(ofTable: place).name
            try installTrigger(
                on: source,
                of: connection.place(of: name) == place ? name : place,
                calling: function,
                connection
            )
        }
    }

    private static func installTrigger(
        on found: FoundTable,
        of name: String,
        calling function: String,
        _ connection: PostgreSQLConnection
    ) throws {
        let table = found.name
        let place = connection.place(of: found)
        connection.note(table, at: place)
        let isNamedExactly = connection.place(of: table) == place
        let triggers = try connection.journalTriggers(of: table)
        let own = triggers.first { $0.trigger.function == function }
        if let own {
            // Creating a trigger would wait for all transactions that write to the table.
            let noted = connection.dialect.tableName(of: own.trigger.noted)
            if own.isComplete, connection.place(of: noted) == place { return }
            try connection.drop(own.trigger, of: table)
        }
        let isPlainTaken = triggers.contains {
            $0.trigger.name == Journal.table && $0.trigger.function != function
        }
        let trigger = JournalTrigger(
            name: own?.trigger.name
                ?? (isPlainTaken
                    ? JournalTrigger.name(ofJournalIn: connection.store.schema) : Journal.table),
            function: function,
            noted: isNamedExactly
                ? name : "\(found.schema).\(connection.dialect.parts(ofTable: name).name)"
        )
        if own == nil { try connection.drop(trigger, of: table) }
        try connection.add(trigger, to: table)
    }
}

extension PostgreSQLConnection {
    /// Whether there is something of an entity's name that has no key, such as a view, and is read alone.
    func isWithoutKey(_ entity: EntitySchema) throws -> Bool {
        guard let found = try describe(dialect.tableName(of: entity)) else { return false }
        if foundTable?.kind.isDerived == true { return true }
        return found.primaryKey.isEmpty && !found.indexes.contains(where: \.isUnique)
    }
}

// A trigger is dropped with its table. Where a migration creates another table in its place, that gets it as well.
extension PostgreSQLConnection {
    /// Takes the foreign keys of links away from a table, and keeps what its journals are called by.
    func willDrop(_ table: String) throws {
        try dropLinkKeys(to: table)
        let triggers = try journalTriggers(of: table)
        if triggers.isEmpty { return }
        state.journaled[table] = triggers.filter(\.mayBeMade).map(\.trigger)
        // No row is gone one by one, so the trigger is called for none: it notes that the entity was written.
        try execute("DELETE FROM \(quoted(table)) WHERE false")
    }

    /// Gives a table the triggers of the dropped one of its name.
    func didCreate(_ table: String, of entity: EntitySchema) throws {
        for trigger in state.journaled.removeValue(forKey: table) ?? [] {
            try add(trigger, to: table)
        }
    }

    fileprivate func add(_ trigger: JournalTrigger, to table: String) throws {
        var text = SQLText(dialect)
        text.append("CREATE TRIGGER ")
        text.append(identifier: trigger.name)
        text.append(" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ")
        text.append(table: table)
        text.append(
            " FOR EACH STATEMENT EXECUTE FUNCTION \(trigger.function)(\(trigger.noted.sqlLiteral))"
        )
        try requiring(.statementTriggers, to: Journal.purpose) { try execute(text.sql) }
    }

    fileprivate func drop(_ trigger: JournalTrigger, of table: String) throws {
        var text = SQLText(dialect)
        text.append("DROP TRIGGER IF EXISTS ")
        text.append(identifier: trigger.name)
        text.append(" ON ")
        text.append(table: table)
        try execute(text.sql)
    }

    /// Returns the triggers of journals that a table has; of each whether it notes every kind of write, and whether the
    /// role may make it.
    fileprivate func journalTriggers(
        of table: String
    ) throws -> [(trigger: JournalTrigger, isComplete: Bool, mayBeMade: Bool)] {
        var found: [(trigger: JournalTrigger, isComplete: Bool, mayBeMade: Bool)] = []
        try each(
            """
            SELECT t.tgname::text, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(p.proname),
                pg_catalog.convert_from(
                    pg_catalog.substring(t.tgargs, 1, pg_catalog.length(t.tgargs) - 1), 'UTF8'),
                t.tgtype = 60 AND t.tgnargs = 1,
                pg_catalog.has_schema_privilege(n.oid, 'USAGE')
                    AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
            FROM pg_catalog.pg_trigger t
            JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
            JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
            WHERE t.tgrelid = pg_catalog.to_regclass($1::text) AND p.proname = $2::text
                AND t.tgname ~ '^\(Journal.table)(_|$)' AND t.tgnargs > 0
            """,
            [quoted(table), Journal.function]
        ) { row in
            let trigger = JournalTrigger(
                name: text(row[0]),
                function: text(row[1]),
                noted: text(row[2])
            )
            found.append((trigger, row[3].integer != 0, row[4].integer != 0))
        }
        return found
    }
}
