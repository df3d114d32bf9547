import DBClientCore
import DBClientSQL

// A statement that was prepared for a table goes on with another one that takes its name, and would read and write its
// values as what they are not. So each statement says for which table it was made. The server knows a table by its
// name when it reads a statement, and works out there and then whether it is that one: it costs a run nothing.
extension PostgreSQLConnection {
    /// Returns what statements say of a table.
    func identity(
        of sql: TableSQL,
        _ identifier: Int64,
        _ types: [ServerType]
    ) -> SQLTableIdentity {
        let kept = sql.entity.fields.indices.filter {
            types[$0].isOfNewColumn(of: sql.entity.fields[$0])
        }
        return SQLTableIdentity(
            condition: """
                CASE WHEN \(quoted(sql.name).sqlLiteral)::regclass = \(identifier)::oid THEN true \
                ELSE '\"\(Self.replaced)\"'::text::regclass IS NULL END
                """,
            types: Dictionary(
                uniqueKeysWithValues: kept.map {
                    ($0, ServerType.name(of: sql.entity.fields[$0].type))
                }
            )
        )
    }

    /// What the server finds no table of, once another one has taken the place of a table.
    fileprivate static let replaced = "dbclient: a table that another one has replaced"

    /// Returns the statement that fails unless columns have the digits or the length that they had.
    static func checkOfLimits(
        of columns: [(name: String, modifier: Int64)],
        _ identifier: Int64
    ) -> String {
        let changes = columns.map {
            "attname = \($0.name.sqlLiteral) AND atttypmod <> \($0.modifier)"
        }
        return """
            SELECT CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_attribute \
            WHERE attrelid = \(identifier) AND (\(changes.joined(separator: " OR ")))) \
            THEN '\"\(replaced)\"'::text::regclass END
            """
    }

    /// Has the next statement fail unless a table is the one that it was.
    func checkIdentity(of sql: TableSQL) {
        if let identity = sql.identity {
            pending.append("SELECT 1 WHERE NOT (\(identity.condition))")
        }
    }
}

extension ServerType {
    /// Whether a column that is made for a field has the type.
    fileprivate func isOfNewColumn(of field: FieldSchema) -> Bool {
        arrayName == "\(Self.name(of: field.type))[]" || self == .timestamptz && field.type == .date
    }
}

extension DBClientError {
    /// Whether a statement was made for a table that another one has replaced.
    var isAboutReplacedTable: Bool {
        sqlState == "42P01" && engineMessage?.contains(PostgreSQLConnection.replaced) == true
    }
}
