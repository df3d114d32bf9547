import DBClientCore
import DBClientSQL

extension PostgreSQLDialect {
    func addColumn(_ field: FieldSchema, to table: String) -> String {
        alter(table) { text in
            text.append("ADD COLUMN ")
            Self.appendColumn(field, to: &text)
        }
    }

    func requireColumn(_ field: FieldSchema, of table: String) -> String? {
        alter(table) { text in
            text.append("ALTER COLUMN ")
            text.append(column: field.name)
            text.append(" SET NOT NULL")
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
