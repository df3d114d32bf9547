import DBClientCore
import DBClientSQL

// What `ALTER TABLE` of SQLite can do: add, drop and rename columns, and leave their constraints as they are.
extension SQLiteDialect {
    func statements(for change: SQLTableChange, of table: String) -> [String] {
        switch change {
        case .create(let entity, let literals): [create(entity, literals, as: table)]
        case .addColumn(let field, let literal):
            [addColumn(field.name, field, Self.rule(of: field, literal), to: table)]
        case .relaxColumn(let field, let indexes): relaxColumn(field, of: table, indexes)
        case .dropColumn(let column, let indexes): dropColumn(column, of: table, indexes)
        // A column keeps the declaration that it was made with.
        case .redeclareColumn: []
        // Each column's declaration has its note.
        case .note: []
        }
    }

    private func create(
        _ entity: EntitySchema,
        _ literals: [Int: String],
        as table: String
    ) -> String {
        var text = SQLText(self)
        let key = entity.fields[entity.primaryKey[0]]
        let isRowID =
            entity.primaryKey.count == 1 && key.type.slotKind == .integer
            && (format(of: key)?.columnKind ?? .integer) == .integer
        text.append("CREATE TABLE IF NOT EXISTS ")
        text.append(identifier: table)
        text.append(" (")
        text.append(entity.fields.enumerated()) { text, field in
            let (position, field) = field
            text.append(identifier: field.name)
            appendType(field, to: &text)
            if isRowID && position == entity.primaryKey[0] {
                text.append(" PRIMARY KEY")
                if entity.keyGeneration == .generated { text.append(" AUTOINCREMENT") }
            }
            text.append(Self.rule(of: field, literals[position]))
            appendCheck(of: field, on: field.name, to: &text)
        }
        if !isRowID {
            text.append(", PRIMARY KEY (")
            text.append(entity.primaryKey) { $0.append(identifier: entity.fields[$1].name) }
            text.append(")")
        }
        text.append(isRowID ? ") STRICT" : ") STRICT, WITHOUT ROWID")
        return text.sql
    }

    private static func rule(of field: FieldSchema, _ literal: String?) -> String {
        (field.isOptional ? "" : " NOT NULL") + (literal.map { " DEFAULT \($0)" } ?? "")
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
            appendType(field, to: &text)
            text.append(rule)
            appendCheck(of: field, on: name, to: &text)
        }
    }

    /// A new column takes the values and the name of the old one.
    private func relaxColumn(
        _ field: FieldSchema,
        of table: String,
        _ indexes: [String]
    ) -> [String] {
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
            + dropColumn(field.name, of: table, indexes) + [rename]
    }

    private func dropColumn(
        _ column: String,
        of table: String,
        _ indexes: [String]
    ) -> [String] {
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

    /// A name that is longer than a field's may be, so that no field has it.
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
