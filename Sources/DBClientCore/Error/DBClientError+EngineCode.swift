extension DBClientError {
    /// A code of an engine's own, as the engine writes it.
    ///
    /// ```swift
    /// if error.engineCode == "42P01" { … }    // an SQLSTATE of PostgreSQL's
    /// if error.engineCode == 2067 { … }       // an extended result code of SQLite's
    /// ```
    public enum EngineCode: Hashable, Sendable {
        /// A number: a result code of SQLite's or of LMDB's, or one of the operating system's.
        case number(Int)
        /// The five characters of an SQLSTATE.
        case sqlState(String)
    }
}

extension DBClientError.EngineCode: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Creates a numeric code from an integer literal.
    public init(integerLiteral value: Int) {
        self = .number(value)
    }

    /// Creates an SQLSTATE from a string literal.
    public init(stringLiteral value: String) {
        self = .sqlState(value)
    }
}

extension DBClientError.EngineCode: CustomStringConvertible {
    /// The code as the engine writes it.
    public var description: String {
        switch self {
        case .number(let number): String(number)
        case .sqlState(let state): state
        }
    }
}
