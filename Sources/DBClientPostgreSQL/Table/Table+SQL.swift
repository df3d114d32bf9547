import DBClientCore
import DBClientSQL

// The statements of a table that PostgreSQL has a way of its own for.
extension PostgreSQLTable {
    private func write(_ body: (inout SQLText) -> Void) -> String {
        var text = SQLText(connection.dialect)
        body(&text)
        return text.sql
    }

    /// Selects the rows of lists of keys, each with its place in the lists.
    var selectMany: String {
        write { text in
            text.append("SELECT ")
            sql.appendValues(of: entity.fields.indices, as: "t", to: &text)
            text.append(", \"k\".")
            text.append(identifier: ordinal)
            text.append(" FROM ")
            appendLists(of: entity.primaryKey, to: &text)
            text.append(" JOIN ")
            text.append(table: sql.name)
            text.append(" AS \"t\" ON ")
            appendKeyMatch("t", "k", to: &text)
            appendShardCondition(byListsOf: entity.primaryKey, to: &text)
            sql.appendIdentity(after: " WHERE ", to: &text)
            text.append(" ORDER BY \"k\".")
            text.append(identifier: ordinal)
        }
    }

    /// Inserts the rows of lists, one of each field; a partial one leaves out those at the places of one list more.
    func insertMany(isPartial: Bool) -> String {
        write { text in
            text.append("INSERT INTO ")
            text.append(table: sql.name)
            text.append(" (")
            sql.appendColumns(sql.written, to: &text)
            text.append(") ")
            sql.appendOverriding(to: &text)
            text.append("SELECT ")
            text.append(sql.written) { text, field in
                sql.append(stored: field, to: &text) { text in
                    text.append("\"k\".")
                    text.append(column: entity.fields[field].name)
                }
            }
            text.append(" FROM ")
            appendLists(of: sql.written, to: &text)
            if isPartial {
                text.append(" WHERE NOT (\"k\".")
                text.append(identifier: ordinal)
                text.append(" = ANY (")
                text.appendParameter()
                text.append("::text::bigint[]))")
            }
            sql.appendIdentity(after: isPartial ? " AND " : " WHERE ", to: &text)
        }
    }

    /// Inserts the rows of lists that conflict with none, in their order, and returns the keys of those.
    var insertAbsentMany: String {
        write { text in
            text.append(insertMany(isPartial: false))
            text.append(" ORDER BY \"k\".")
            text.append(identifier: ordinal)
            text.append(" ON CONFLICT DO NOTHING RETURNING ")
            text.append(entity.primaryKey) { text, column in appendKey(column, to: &text) }
        }
    }

    /// Inserts a row whose key the server makes, unless it conflicts with one, and returns the key.
    var insertAbsentGenerated: String {
        write { text in
            appendInsertGenerated(to: &text)
            text.append(" ON CONFLICT DO NOTHING")
            appendReturnedKey(to: &text)
        }
    }

    /// Deletes the rows of lists of keys.
    var deleteMany: String {
        write { text in
            text.append("DELETE FROM ")
            text.append(table: sql.name)
            text.append(" AS \"t\" USING ")
            appendLists(of: entity.primaryKey, to: &text)
            text.append(" WHERE ")
            appendKeyMatch("t", "k", to: &text)
            appendShardCondition(byListsOf: entity.primaryKey, to: &text)
            sql.appendIdentity(to: &text)
        }
    }

    /// Inserts a row whose key the server makes.
    var insertGenerated: String {
        write { text in
            appendInsertGenerated(to: &text)
            appendReturnedKey(to: &text)
        }
    }

    /// Inserts a row, or replaces the one with the same values in some fields, and returns which, with the key.
    func upsert(by columns: [Int], makingKey: Bool) -> String {
        write { text in
            if makingKey { appendInsertGenerated(to: &text) } else { text.append(sql.insert) }
            text.append(" ON CONFLICT (")
            sql.appendColumns(columns, to: &text)
            text.append(") DO UPDATE SET ")
            let replaced = sql.values.filter { !columns.contains($0) }
            // A row that has nothing else is set to what it is, so that `RETURNING` includes it.
            text.append(replaced.isEmpty ? columns : replaced) { text, column in
                text.append(column: entity.fields[column].name)
                text.append(" = EXCLUDED.")
                text.append(column: entity.fields[column].name)
            }
            text.append(" RETURNING (")
            text.append(table: sql.name)
            text.append(".xmax = 0)")
            text.append(entity.primaryKey, separator: "") { text, column in
                text.append(", ")
                appendKey(column, as: sql.name, to: &text)
            }
        }
    }

    private func appendInsertGenerated(to text: inout SQLText) {
        text.append("INSERT INTO ")
        text.append(table: sql.name)
        if sql.values.isEmpty {
            text.append(" DEFAULT VALUES")
        } else {
            text.append(" (")
            sql.appendColumns(sql.values, to: &text)
            text.append(") ")
            sql.appendValues(sql.values, to: &text)
        }
    }

    private func appendReturnedKey(to text: inout SQLText) {
        text.append(" RETURNING ")
        text.append(entity.primaryKey) { text, column in appendKey(column, to: &text) }
    }

    /// Inserts or replaces a row and returns which: a row that was replaced is locked by the transaction
    /// that replaced it, a new one by none.
    var upsert: String {
        write { text in
            text.append(sql.insert)
            appendReplacement(to: &text)
        }
    }

    /// Inserts or replaces the rows of the temporary table, and returns which it did, with the keys.
    ///
    /// Without an order: to sort the rows takes the server longer than to write some of them.
    var merge: String {
        write { text in
            text.append(insertFromTemporaryTable)
            appendReplacement(to: &text)
            text.append(entity.primaryKey, separator: "") { text, column in
                text.append(", ")
                appendKey(column, as: sql.name, to: &text)
            }
        }
    }

    /// Appends a field of the key as statements return it: an integer in a `numeric` column as a `bigint`.
    private func appendKey(_ column: Int, as alias: String? = nil, to text: inout SQLText) {
        sql.append(of: column, as: alias, to: &text)
        if keyTypes[column] == .bigint, types[column] == .numeric { text.append("::bigint") }
    }

    /// The types of the keys that `merge` returns, by their fields.
    var keyTypes: [Int: ServerType] {
        Dictionary(
            uniqueKeysWithValues: entity.primaryKey.map { column in
                let isNumeric = types[column] == .numeric
                let isInteger = entity.fields[column].type.slotKind == .integer
                return (column, isNumeric && isInteger ? .bigint : types[column])
            }
        )
    }

    /// Inserts the rows of the temporary table.
    var insertFromTemporaryTable: String {
        write { text in
            text.append("INSERT INTO ")
            text.append(table: sql.name)
            text.append(" (")
            sql.appendColumns(sql.written, to: &text)
            text.append(") ")
            sql.appendOverriding(to: &text)
            text.append("SELECT ")
            text.append(sql.written) { text, field in
                sql.append(stored: field, to: &text) {
                    $0.append(column: entity.fields[field].name)
                }
            }
            text.append(" FROM \(Self.temporaryTable)")
        }
    }

    /// Writes some columns of the rows that the temporary table has and returns their numbers.
    func replace(_ columns: [Int]) -> String {
        write { text in
            appendAssignments(of: columns, to: &text)
            text.append(" FROM \(Self.temporaryTable) AS \"k\" WHERE ")
            appendKeyMatch("t", "k", to: &text)
            text.append(" RETURNING \"k\".\(Self.number)")
        }
    }

    /// Writes some columns of the rows of lists of keys and returns their places in the lists.
    func replace(_ columns: [Int], byListsOf lists: [Int], telling tellsRows: Bool) -> String {
        write { text in
            appendAssignments(of: columns, to: &text)
            text.append(" FROM ")
            appendLists(of: lists, to: &text)
            text.append(" WHERE ")
            appendKeyMatch("t", "k", to: &text)
            appendShardCondition(byListsOf: lists, to: &text)
            sql.appendIdentity(to: &text)
            guard tellsRows else { return }
            text.append(" RETURNING \"k\".")
            text.append(identifier: ordinal)
        }
    }

    private func appendAssignments(of columns: [Int], to text: inout SQLText) {
        text.append("UPDATE ")
        text.append(table: sql.name)
        text.append(" AS \"t\" SET ")
        text.append(columns) { text, column in
            text.append(column: entity.fields[column].name)
            text.append(" = ")
            sql.append(stored: column, to: &text) { text in
                text.append("\"k\".")
                text.append(column: entity.fields[column].name)
            }
        }
    }

    /// Makes the temporary table of some fields of the rows on their way.
    func createTemporaryTable(_ columns: [Int]) -> String {
        write { text in
            text.append("CREATE TEMPORARY TABLE \(Self.temporaryTable) ON COMMIT DROP AS SELECT ")
            sql.appendNamedValues(of: columns, to: &text)
            text.append(", 0 AS \(Self.number) FROM ")
            text.append(table: sql.name)
            text.append(" WITH NO DATA")
        }
    }

    /// Copies the fields of rows that are written into the table.
    var copyAll: String {
        write { text in
            text.append("COPY ")
            text.append(table: sql.name)
            text.append(" (")
            sql.appendColumns(sql.written, to: &text)
            text.append(") FROM STDIN (FORMAT binary)")
        }
    }

    /// Copies some fields of rows, each with its number, into the temporary table.
    func copyNumbered(_ columns: [Int]) -> String {
        write { text in
            text.append("COPY \(Self.temporaryTable) (")
            sql.appendColumns(columns, to: &text)
            text.append(", \(Self.number)) FROM STDIN (FORMAT binary)")
        }
    }

    /// Longer than any entity's name can be made, so that it hides no table.
    static let temporaryTable = "\"pg_temp\".\"pg_dbclient_rows\""
    /// No field has such a name: it would have got one underscore more.
    static let number = "\"ctid_of_row\""

    private func appendReplacement(to text: inout SQLText) {
        text.append(" ON CONFLICT (")
        sql.appendColumns(entity.primaryKey, to: &text)
        text.append(") DO UPDATE SET ")
        // A row that is only a key is set to what it is, so that `RETURNING` includes it.
        text.append(sql.values.isEmpty ? entity.primaryKey : sql.values) { text, column in
            text.append(column: entity.fields[column].name)
            text.append(" = EXCLUDED.")
            text.append(column: entity.fields[column].name)
        }
        text.append(" RETURNING ")
        if isPartitioned {
            // The server returns no system column of such a row; the rows from before the statement show it.
            text.append("NOT EXISTS (SELECT 1 FROM ")
            text.append(table: sql.name)
            text.append(" AS ")
            text.append(identifier: Self.stored)
            text.append(" WHERE ")
            appendKeyMatch(Self.stored, sql.name, to: &text)
            text.append(")")
        } else {
            text.append("(")
            text.append(table: sql.name)
            text.append(".xmax = 0)")
        }
    }

    /// No table has such a name.
    private static let stored = "pg_dbclient_stored"

    /// Appends lists of the values of fields as a table that goes by `k`, with the place of each row in the lists.
    func appendLists(of columns: [Int], to text: inout SQLText) {
        text.append("unnest(")
        text.append(columns) { text, column in
            text.appendParameter()
            text.append("::\(listType(of: column))")
        }
        text.append(") WITH ORDINALITY AS \"k\"(")
        text.append(columns) { $0.append(column: entity.fields[$1].name) }
        text.append(", ")
        text.append(identifier: ordinal)
        text.append(")")
    }

    /// The type of the list of a field.
    private func listType(of column: Int) -> String {
        if !entity.primaryKey.contains(column), let name = types[column].arrayName { return name }
        // A key that is no value of its column's type is looked for in vain.
        if entity.fields[column].type.slotKind == .integer, types[column].isInteger {
            return "bigint[]"
        }
        return "\(ServerType.name(of: entity.fields[column].type))[]"
    }

    /// Appends to the condition of rows that are found by lists what the servers of a sharded table can look for: they
    /// would send all of their rows to be joined with the lists.
    ///
    /// - Parameters:
    ///   - lists: The fields of the lists, in the order of their parameters.
    ///   - text: The statement.
    private func appendShardCondition(byListsOf lists: [Int], to text: inout SQLText) {
        guard isSharded else { return }
        for key in entity.primaryKey where sql.form(of: key) == .own {
            guard let place = lists.firstIndex(of: key) else { continue }
            text.append(" AND \"t\".")
            text.append(column: entity.fields[key].name)
            text.append(" = ANY ($\(place + 1)::\(listType(of: key)))")
        }
    }

    /// What a place in lists goes by, as no column does.
    var ordinal: String {
        let names = entity.fields.indices.map { sql.columnName($0) }
        var name = "n"
        while names.contains(name) { name += "_" }
        return name
    }

    private func appendKeyMatch(_ left: String, _ right: String, to text: inout SQLText) {
        text.append(entity.primaryKey, separator: " AND ") { text, column in
            func appendRight(_ text: inout SQLText) {
                text.append(table: right)
                text.append(".")
                text.append(column: entity.fields[column].name)
            }
            if right == "k" {
                sql.appendEquality(of: column, as: left, to: &text, appendRight)
            } else {
                text.append(table: left)
                text.append(".")
                text.append(column: entity.fields[column].name)
                text.append(" = ")
                appendRight(&text)
            }
        }
    }
}

extension ServerType {
    /// Whether the type's values are whole numbers, of whatever width.
    var isInteger: Bool { self == .smallint || self == .integer || self == .bigint }
}
