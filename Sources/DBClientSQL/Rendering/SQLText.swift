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

    /// Appends a placeholder.
    public mutating func appendParameter() {
        parameterCount += 1
        dialect.appendPlaceholder(parameterCount, to: &self)
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
