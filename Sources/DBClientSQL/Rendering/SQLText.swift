public import DBClientCore

/// The text of a statement while it is written.
public struct SQLText {
    /// The SQL that was written so far.
    public private(set) var sql = ""
    /// The number of placeholders so far, which numbers the next one.
    public private(set) var parameterCount = 0
    /// The dialect in which it is written.
    public let dialect: any SQLDialect
    /// Where columns are that are being joined, by their names among the joined rows: what their table goes by, and their
    /// own names.
    var places: [[UInt8]: (alias: String, name: String)] = [:]
    /// The prefix of a placeholder's number; nil where a placeholder has none.
    private var numberPrefix: String?

    /// Creates an empty text in a dialect.
    public init(_ dialect: any SQLDialect) {
        self.dialect = dialect
        numberPrefix = dialect.traits.placeholderPrefix
    }

    /// Numbers the placeholders that follow, since their order is not that of the text.
    mutating func numberPlaceholders(after prefix: String) {
        numberPrefix = prefix
    }

    /// Puts aside what was written and returns it; what follows is another part of the statement.
    mutating func beginPart() -> String {
        defer { sql = "" }
        return sql
    }

    /// Goes on with what was put aside and returns the part that was written since.
    mutating func endPart(_ outer: String) -> String {
        defer { sql = outer }
        return sql
    }

    /// Appends words of SQL.
    ///
    /// Never given a name or a value.
    public mutating func append(_ sql: String) {
        self.sql += sql
    }

    /// Appends a quoted name; any text without NUL is one.
    public mutating func append(identifier: String) {
        sql.append("\"")
        for scalar in identifier.unicodeScalars {
            if scalar == "\"" { sql.append("\"") }
            sql.unicodeScalars.append(scalar)
        }
        sql.append("\"")
    }

    /// Appends a table's quoted name, after that of its schema where it begins with one.
    public mutating func append(table name: String) {
        append(identifier: dialect.parts(ofTable: name).name, besideTable: name)
    }

    /// Appends a quoted name, after that of the schema which the name of a table begins with.
    public mutating func append(identifier: String, besideTable table: String) {
        if let schema = dialect.parts(ofTable: table).schema {
            append(identifier: schema)
            append(".")
        }
        append(identifier: identifier)
    }

    /// Appends the quoted name of the column that keeps a field.
    public mutating func append(column field: String) {
        append(column: dialect.columnName(of: field), of: nil)
    }

    /// Appends a quoted column, given its name, with what its table goes by where that is given.
    mutating func append(column name: String, of alias: String?) {
        if !places.isEmpty, let place = places[Array(name.utf8)] {
            append(identifier: place.alias)
            append(".")
            return append(identifier: place.name)
        }
        if let alias {
            append(table: alias)
            append(".")
        }
        append(identifier: name)
    }

    /// Appends a placeholder; in a condition, of the type of the field that it is compared with.
    public mutating func appendParameter(comparedWith type: FieldType? = nil) {
        if let type { append(.parameter(type)) } else { appendPlaceholder() }
    }

    private mutating func appendPlaceholder() {
        parameterCount += 1
        sql += numberPrefix.map { "\($0)\(parameterCount)" } ?? "?"
    }

    /// Appends each element by a closure, with a separator between them.
    public mutating func append<Elements: Sequence>(
        _ elements: Elements,
        separator: String = ", ",
        _ each: (inout SQLText, Elements.Element) -> Void
    ) {
        var isFirst = true
        for element in elements {
            if !isFirst { append(separator) }
            isFirst = false
            each(&self, element)
        }
    }
}
