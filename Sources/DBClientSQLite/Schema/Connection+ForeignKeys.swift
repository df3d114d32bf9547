import DBClientCore
import DBClientSQL

// Foreign keys of the tables' maker, and the library's own links.
extension SQLiteConnection {
    /// Whether links keep the keys of owners in the form in which the owners' table has them.
    private func keepsKeysAlike(_ links: TableSQL, _ owner: LinkOwner) throws -> Bool {
        guard links.entity.hasFormats || !links.forms.isEmpty,
            let found = try describe(dialect.tableName(of: owner.entity))
        else { return true }
        return owner.key.enumerated().allSatisfy { index, name in
            let column = found.columns.first { $0.name == dialect.columnName(of: name) }
            let form = column.flatMap {
                dialect.collatedForm(of: $0, for: links.entity.fields[index])
            }
            return form?.value == links.form(of: index).value
        }
    }

    /// Has a trigger take the links of a deleted row along.
    ///
    /// A foreign key would hold in those connections alone that switch them on, which most programs do not, and
    /// would look for the owner of each link that is inserted.
    func tieLinks(_ links: TableSQL, to owner: LinkOwner, isNew: Bool) throws -> SQLLinkTie {
        let table = dialect.tableName(of: owner.entity)
        let trigger = SQLiteEffects.linkTrigger + links.name
        var isThere = false
        var isTable = false
        var triggers: [String] = []
        try each(
            """
            SELECT type, tbl_name, rootpage FROM sqlite_schema
            WHERE (type IN ('table', 'view') AND name = ?1 COLLATE NOCASE)
                OR (type = 'trigger' AND name = ?2 COLLATE NOCASE)
            """,
            [table, trigger]
        ) { row in
            if row[0].text == "trigger" { return triggers.append(row[1].text) }
            isThere = true
            // A virtual table has no page, and no triggers.
            isTable = row[0].text == "table" && row[2].integer > 0
        }
        guard isThere else { return .ownerMissing }
        // The trigger compares the columns as they are.
        guard try keepsKeysAlike(links, owner) else { return .none }
        guard isTable else { return .none }
        if triggers.contains(where: { SQLiteHandle.areSameName($0, table) }) {
            return .tied(isNew: false)
        }
        for _ in triggers { try run("DROP TRIGGER ", trigger) }
        func condition(_ owner: LinkOwner, _ prefix: String, to text: inout SQLText) {
            for (index, field) in owner.key.enumerated() {
                if index > 0 { text.append(" AND ") }
                text.append(identifier: links.name)
                text.append(".")
                text.append(identifier: links.columnName(index))
                text.append(" = \(prefix).")
                text.append(identifier: field)
            }
        }
        var text = SQLText(dialect)
        text.append("CREATE TRIGGER ")
        text.append(identifier: trigger)
        text.append(" AFTER DELETE ON ")
        text.append(identifier: table)
        text.append(" BEGIN DELETE FROM ")
        text.append(identifier: links.name)
        text.append(" WHERE ")
        condition(owner, "OLD", to: &text)
        text.append("; END")
        try run(text.sql)
        if !isNew {
            text = SQLText(dialect)
            text.append("DELETE FROM ")
            text.append(identifier: links.name)
            text.append(" WHERE NOT EXISTS (SELECT 1 FROM ")
            text.append(identifier: table)
            text.append(" AS owners WHERE ")
            condition(owner, "owners", to: &text)
            text.append(")")
            try run(text.sql)
        }
        return .tied(isNew: true)
    }

    /// Runs a verb on what has a name.
    func run(_ verb: String, _ name: String) throws {
        var text = SQLText(dialect)
        text.append(verb)
        text.append(identifier: name)
        try run(text.sql)
    }

    func hasForeignKeys(to table: String, fromOthersAlone: Bool) throws -> Bool {
        if !areForeignKeysOn { return false }
        var isFound = false
        try each(
            """
            SELECT 1 FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS k
            WHERE t.type = 'table' AND t.sql LIKE '%REFERENCES%'
                AND k."table" = ?1 COLLATE NOCASE
                AND (?2 = '' OR t.name <> ?1 COLLATE NOCASE) LIMIT 1
            """,
            [table, fromOthersAlone ? "others" : ""]
        ) { _ in isFound = true }
        return isFound
    }

    private var areForeignKeysOn: Bool {
        var isOn = false
        try? each("PRAGMA foreign_keys", []) { isOn = $0[0].integer != 0 }
        return isOn
    }

    func deferringForeignKeys(to tables: [String], _ body: () throws -> Void) throws {
        let wasBroken = handle.hasBrokenForeignKeys
        try run("PRAGMA defer_foreign_keys = ON")
        defer { try? run("PRAGMA defer_foreign_keys = OFF") }
        try body()
        if !wasBroken { try checkForeignKeys() }
    }

    func checkForeignKeys() throws {
        guard handle.hasBrokenForeignKeys else { return }
        throw SQLiteError.brokenForeignKey
    }
}
