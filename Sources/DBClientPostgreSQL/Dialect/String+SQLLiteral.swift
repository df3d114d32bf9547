extension String {
    /// The string as a constant of SQL's, whatever the server takes a backslash for.
    ///
    /// Scalar by scalar: to Swift a quotation mark and a combining mark after it are one character, and another one.
    var sqlLiteral: String {
        var literal = "E'".unicodeScalars
        for scalar in unicodeScalars {
            if scalar == "'" || scalar == "\\" { literal.append(scalar) }
            literal.append(scalar)
        }
        literal.append("'")
        return String(literal)
    }
}
