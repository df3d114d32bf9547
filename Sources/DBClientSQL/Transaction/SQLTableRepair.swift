import DBClientCore

/// The statements by which a table that does not fit its model can be made to fit.
///
/// They are for an error to show, and to be looked at before they are run: values are cast as the database casts them.
struct SQLTableRepair {
    private let sql: TableSQL
    /// What fields begin with in the model, as constants of the database.
    private let literals: [Int: String]

    init(_ sql: TableSQL, _ literals: [Int: String]) {
        self.sql = sql
        self.literals = literals
    }

    /// Returns the statement that adds the column of a field.
    ///
    /// Where the model has no initial value, the column may be null, since the rows that exist have nothing in it yet.
    func addition(of field: Int) -> String {
        let schema = sql.entity.fields[field]
        return alter { text in
            text.append("ADD COLUMN ")
            text.append(identifier: sql.columnName(field))
            text.append(" " + declaration(of: schema))
            guard let literal = literals[field] else { return }
            if !schema.isOptional { text.append(" NOT NULL") }
            text.append(" DEFAULT \(literal)")
        }
    }

    /// Returns the statement that gives the column of a field its type and collation.
    func redeclaration(of field: Int) -> String {
        let schema = sql.entity.fields[field]
        return redeclaration(of: sql.columnName(field), as: schema, wanted: declaration(of: schema))
    }

    /// Returns how a property says in which form the column of its field keeps it, where one may; nil where none may.
    func format(of field: Int) -> String? {
        let format: String? =
            switch sql.entity.fields[field].type {
            case .date: ".iso8601"
            case .uuid: ".uppercaseText"
            case .decimal: ".integer(fractionDigits: 2)"
            case .boolean: ".text"
            case .json: ".data"
            default: nil
            }
        return format.map {
            "Where the column keeps another form of it, say which at the property, as in @StoredAs(\($0))."
        }
    }

    /// Returns the statement that lets the column of a field be null.
    func relaxation(of field: Int) -> String {
        let schema = sql.entity.fields[field]
        return redeclaration(
            of: sql.columnName(field),
            as: nil,
            wanted: declaration(of: schema) + " and may be null"
        )
    }

    /// Returns the statement that lets rows leave a column out.
    func relaxation(of column: String) -> String {
        redeclaration(of: column, as: nil, wanted: "not required")
    }

    /// The statement that keeps the values of the primary key apart.
    var key: String {
        let columns = sql.entity.primaryKey.map { sql.columnName($0) }
        var text = SQLText(sql.dialect)
        text.append("CREATE UNIQUE INDEX ")
        let table = sql.dialect.parts(ofTable: sql.name).name
        text.append(identifier: ([table] + columns + ["key"]).joined(separator: "_"))
        text.append(" ON ")
        text.append(table: sql.name)
        text.append(" (")
        text.append(columns) { $0.append(identifier: $1) }
        text.append(");")
        return text.sql
    }

    private func redeclaration(
        of column: String,
        as field: FieldSchema?,
        wanted: String
    ) -> String {
        let statements = sql.dialect.statements(
            for: .redeclareColumn(column, as: field),
            of: sql.name
        )
        if !statements.isEmpty { return statements.map { $0 + ";" }.joined(separator: " ") }
        return
            "The database cannot change the column \(column) in place: copy the rows to a new table in which"
            + " it is \(wanted)."
    }

    private func declaration(of field: FieldSchema) -> String {
        let type = sql.dialect.declaration(of: field.type, as: field.form.format)
        let comparesText = field.type.slotKind == .text && field.type != .json
        return comparesText ? "\(type) COLLATE \(sql.dialect.traits.byteCollation)" : type
    }

    private func alter(_ write: (inout SQLText) -> Void) -> String {
        var text = SQLText(sql.dialect)
        text.append("ALTER TABLE ")
        text.append(table: sql.name)
        text.append(" ")
        write(&text)
        text.append(";")
        return text.sql
    }
}
