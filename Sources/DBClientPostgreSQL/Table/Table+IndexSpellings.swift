import DBClientCore
import DBClientSQL

// Unique indexes with UUIDs that are kept as text, beside the key: the server takes two spellings of one UUID for two
// values, and no expression of one column could say how a row that has all values of an index spells it.
extension PostgreSQLTable {
    func mayAssign(_ columns: [Int]) -> Bool {
        spelledIndexes.allSatisfy { Set($0).isDisjoint(with: columns) }
    }

    /// Throws where another row has the values that rows are given in a unique index, whatever case its UUIDs are
    /// written in.
    ///
    /// One of the same spelling is refused by the server as well.
    ///
    /// - Parameters:
    ///   - rows: The rows, with their keys, as far as they have any.
    ///   - columns: The fields that are set of stored rows; nil where all are, of rows that may be new.
    /// - Throws: `.uniqueViolation`.
    func checkIndexSpellings(of rows: RowBatch, setting columns: [Int]? = nil) throws {
        for index in spelledIndexes {
            let set = columns.map { columns in index.filter(columns.contains) }
            if set?.isEmpty == true { continue }
            let lists =
                entity.primaryKey + (set ?? index).filter { !entity.primaryKey.contains($0) }
            try inParts(rows) { _, part in
                let statement = try assigning(
                    .otherSpelling(index: index, setting: set),
                    otherSpelling(of: index, setting: set, byListsOf: lists)
                )
                try bindLists(of: part, lists, lists, to: statement)
                defer { statement.parameters.releaseCopies() }
                if try statement.run(on: entity).rowCount > 0 { throw takenElsewhere(index) }
            }
        }
    }

    /// Writes fields of a unique index, one row after another: a value that one row gives up, a later one may take.
    func updateSpelled(
        _ rows: RowBatch,
        setting columns: [Int],
        _ missing: (Int) throws -> Void
    ) throws {
        for row in 0..<rows.count {
            try checkIndexSpellings(of: part(of: rows, row, 1), setting: columns)
            let isThere =
                try columns.count == sql.values.count
                ? update(row, of: rows) : update(row, of: rows, setting: columns)
            if !isThere { try missing(row) }
        }
    }

    /// Finds a row that has the values of a unique index which rows of lists are given, and is none of them.
    ///
    /// What is not set is as it is stored.
    private func otherSpelling(
        of index: [Int],
        setting set: [Int]?,
        byListsOf lists: [Int]
    ) -> String {
        func appendListed(_ field: Int, to text: inout SQLText) {
            text.append("\"k\".")
            text.append(column: entity.fields[field].name)
        }
        func appendKeyMatch(of alias: String, to text: inout SQLText) {
            text.append(entity.primaryKey, separator: " AND ") { text, column in
                sql.appendEquality(of: column, as: alias, to: &text) {
                    appendListed(column, to: &$0)
                }
            }
        }
        var text = SQLText(connection.dialect)
        text.append("SELECT 1 FROM ")
        appendLists(of: lists, to: &text)
        if set != nil {
            text.append(" JOIN ")
            text.append(table: sql.name)
            text.append(" AS \"s\" ON ")
            appendKeyMatch(of: "s", to: &text)
        }
        text.append(" JOIN ")
        text.append(table: sql.name)
        text.append(" AS \"t\" ON ")
        text.append(index, separator: " AND ") { text, field in
            sql.appendEquality(of: field, as: "t", to: &text) { text in
                if set?.contains(field) ?? true {
                    appendListed(field, to: &text)
                } else {
                    sql.append(of: field, as: "s", to: &text)
                }
            }
        }
        text.append(" WHERE (")
        appendKeyMatch(of: "t", to: &text)
        text.append(") IS NOT TRUE")
        sql.appendIdentity(to: &text)
        text.append(" LIMIT 1")
        return text.sql
    }

    private func takenElsewhere(_ index: [Int]) -> DBClientError {
        DBClientError(
            .uniqueViolation,
            "Another row has these values already.",
            entity: entity.name,
            field: index.map { entity.fields[$0].name }.joined(separator: ", ")
        )
    }
}
