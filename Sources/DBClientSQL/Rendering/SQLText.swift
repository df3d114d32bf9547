public import DBClientCore

/// The text of a statement while it is put together.
public struct SQLText {
    /// What was written.
    public private(set) var sql = ""
    /// How many placeholders were written.
    public private(set) var parameterCount = 0
    /// The dialect in which it is written.
    public let dialect: any SQLDialect

    /// Creates an empty text.
    public init(_ dialect: any SQLDialect) {
        self.dialect = dialect
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

    /// Appends a field's quoted column.
    public mutating func append(column field: String) {
        append(identifier: dialect.columnName(of: field))
    }

    /// Appends a placeholder; in a condition, of the type of the field that it is compared with.
    public mutating func appendParameter(comparedWith type: FieldType? = nil) {
        parameterCount += 1
        dialect.appendPlaceholder(parameterCount, comparedWith: type, to: &self)
    }

    /// Appends rows of placeholders, compared with fields of some types.
    public mutating func appendRows(_ count: Int, of types: [FieldType]) {
        append(0..<count) { text, _ in
            text.append("(")
            text.append(types) { $0.appendParameter(comparedWith: $1) }
            text.append(")")
        }
    }

    /// Appends elements with a separator.
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
