import DBClientCore
import DBClientSQL

extension PostgreSQLDialect {
    /// The server keeps the value with the column and writes no row.
    func addColumn(
        _ field: FieldSchema,
        to table: String,
        beginningWith literal: String?
    ) -> String {
        alter(table) { text in
            text.append("ADD COLUMN ")
            Self.appendColumn(field, to: &text)
            if !field.isOptional { text.append(" NOT NULL") }
            if let literal { text.append(" DEFAULT \(literal)") }
        }
    }

    func relaxColumn(_ field: FieldSchema, of table: String, indexes: [String]) -> [String] {
        [
            alter(table) { text in
                text.append("ALTER COLUMN ")
                text.append(column: field.name)
                text.append(" DROP NOT NULL")
            }
        ]
    }

    /// The indexes go with the column.
    func dropColumn(_ column: String, of table: String, indexes: [String]) -> [String] {
        [
            alter(table) { text in
                text.append("DROP COLUMN ")
                text.append(identifier: column)
            }
        ]
    }

    private func alter(_ table: String, _ write: (inout SQLText) -> Void) -> String {
        var text = SQLText(self)
        text.append("ALTER TABLE ")
        text.append(identifier: table)
        text.append(" ")
        write(&text)
        return text.sql
    }
}
