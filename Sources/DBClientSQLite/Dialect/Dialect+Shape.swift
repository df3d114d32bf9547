import DBClientCore
import DBClientSQL

// What `ALTER TABLE` of SQLite can do: add, drop and rename columns, and leave their constraints as they are.
extension SQLiteDialect {
    func addColumn(
        _ field: FieldSchema,
        to table: String,
        beginningWith literal: String?
    ) -> String {
        let rule = (field.isOptional ? "" : " NOT NULL") + (literal.map { " DEFAULT \($0)" } ?? "")
        return addColumn(field.name, field, rule, to: table)
    }

    private func addColumn(
        _ name: String,
        _ field: FieldSchema,
        _ rule: String,
        to table: String
    ) -> String {
        alter(table) { text in
            text.append("ADD COLUMN ")
            text.append(identifier: name)
            Self.appendType(field, to: &text)
            text.append(rule)
            Self.appendCheck(of: field.type, on: name, to: &text)
        }
    }

    /// A new column takes the values and the name of the old one.
    func relaxColumn(_ field: FieldSchema, of table: String, indexes: [String]) -> [String] {
        var move = SQLText(self)
        move.append("UPDATE ")
        move.append(identifier: table)
        move.append(" SET ")
        move.append(identifier: Self.movedColumn)
        move.append(" = ")
        move.append(identifier: field.name)
        let rename = alter(table) { text in
            text.append("RENAME COLUMN ")
            text.append(identifier: Self.movedColumn)
            text.append(" TO ")
            text.append(identifier: field.name)
        }
        return [addColumn(Self.movedColumn, field, "", to: table), move.sql]
            + dropColumn(field.name, of: table, indexes: indexes) + [rename]
    }

    func dropColumn(_ column: String, of table: String, indexes: [String]) -> [String] {
        let drops = indexes.map { index in
            var text = SQLText(self)
            text.append("DROP INDEX ")
            text.append(identifier: index)
            return text.sql
        }
        return drops
            + [
                alter(table) { text in
                    text.append("DROP COLUMN ")
                    text.append(identifier: column)
                }
            ]
    }

    /// Longer than any field's name.
    private static let movedColumn =
        "a column on its way, which no field of a model can be called since it is too long"

    private func alter(_ table: String, _ write: (inout SQLText) -> Void) -> String {
        var text = SQLText(self)
        text.append("ALTER TABLE ")
        text.append(identifier: table)
        text.append(" ")
        write(&text)
        return text.sql
    }
}
