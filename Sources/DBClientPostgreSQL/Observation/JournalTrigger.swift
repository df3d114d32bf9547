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
    /// Gives a table and its partitions the triggers of the journal in a schema, unless they have them; of a view, the
    /// tables that it reads.
    ///
    /// What the journal notes is a name that its readers know the table by: without a schema only where the table is in
    /// the journal's own, since each of them may look for tables in other schemas.
    static func installTrigger(
        on entity: EntitySchema,
        ofJournalIn schema: String,
        through connection: PostgreSQLConnection
    ) throws {
        let table = connection.dialect.tableName(of: entity)
        guard let found = try connection.find(table) else { return }
        guard found.kind.isDerived else {
            return try installTriggers(on: found, of: entity.name, ofJournalIn: schema, connection)
        }
        // The server calls no trigger of a view that is read, nor of what another server keeps.
        for place in try connection.sources(of: found).tables.sorted() {
            guard let source = try connection.find(place) else { continue }
            let name = connection.dialect.parts(ofTable: place).name
            try installTriggers(
                on: source,
                of: connection.place(of: name) == place ? name : place,
                ofJournalIn: schema,
                connection
            )
        }
    }

    private static func installTriggers(
        on found: FoundTable,
        of name: String,
        ofJournalIn schema: String,
        _ connection: PostgreSQLConnection
    ) throws {
        let noted = try installTrigger(
            on: found,
            of: name,
            calling: "\(schema).\(function)",
            connection
        )
        try connection.notePartitions(
            of: found.name,
            as: noted,
            calling: "\(schema).\(partitionFunction)"
        )
    }

    /// Returns the name by which the journal notes the table.
    private static func installTrigger(
        on found: FoundTable,
        of name: String,
        calling function: String,
        _ connection: PostgreSQLConnection
    ) throws -> String {
        let table = found.name
        let place = connection.place(of: found)
        connection.note(table, at: place)
        let isNamedExactly = connection.place(of: table) == place
        let triggers = try connection.journalTriggers(of: table)
        let own = triggers.first { $0.trigger.function == function }
        if let own {
            // Creating a trigger would wait for all transactions that write to the table.
            let noted = connection.dialect.tableName(of: own.trigger.noted)
            if own.isComplete, connection.place(of: noted) == place { return own.trigger.noted }
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
        try connection.add(trigger, to: connection.quoted(table))
        return trigger.noted
    }
}

// The server calls no trigger of a table for a statement that names a partition of it, or a table that inherits from it.
extension PostgreSQLConnection {
    /// Gives each partition of a table a trigger that notes writes to it under the table's name, unless it has it, and
    /// takes it away from what is no partition any more.
    fileprivate func notePartitions(
        of table: String,
        as noted: String,
        calling function: String
    ) throws {
        let trigger = JournalTrigger(
            name: "\(Journal.table)_\(Journal.digest(of: "\(function) \(noted)"))",
            function: function,
            noted: noted
        )
        let partitions = Set(try self.partitions(of: table))
        var having: Set<String> = []
        try each(
            """
            SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)
            FROM pg_catalog.pg_trigger t
            JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE t.tgname = $1::text AND t.tgfoid = pg_catalog.to_regprocedure($2::text)
            """,
            [trigger.name, "\(function)()"]
        ) { having.insert(text($0[0])) }
        for former in having.subtracting(partitions).sorted() {
            try execute("DROP TRIGGER \(trigger.name) ON \(former)")
        }
        for partition in partitions.subtracting(having).sorted() {
            try add(trigger, to: partition)
        }
    }

    /// Returns the partitions of a table, at any depth, and the tables that inherit from it, as statements have them;
    /// not those that another server keeps.
    func partitions(of table: String) throws -> [String] {
        var found: [String] = []
        try each(
            """
            WITH RECURSIVE parts(part) AS (
                SELECT inhrelid FROM pg_catalog.pg_inherits
                WHERE inhparent = pg_catalog.to_regclass($1::text)
                UNION
                SELECT i.inhrelid FROM parts JOIN pg_catalog.pg_inherits i ON i.inhparent = parts.part
            )
            SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)
            FROM parts
            JOIN pg_catalog.pg_class c ON c.oid = parts.part
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p')
            """,
            [quoted(table)]
        ) { found.append(text($0[0])) }
        return found
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
            try add(trigger, to: quoted(table))
        }
    }

    /// Gives a table, named as statements have it, a trigger.
    fileprivate func add(_ trigger: JournalTrigger, to table: String) throws {
        var text = SQLText(dialect)
        text.append("CREATE TRIGGER ")
        text.append(identifier: trigger.name)
        text.append(" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(table)")
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
