public import DBClientCore

/// A raw SQL statement, in which a value is never part of the text.
///
/// Interpolated values become bound parameters:
///
/// ```swift
/// try await client.execute("UPDATE \(identifier: table) SET power = power + 1 WHERE name = \(name)")
/// ```
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    fileprivate enum Part {
        case text(String)
        case identifier(String)
        case parameter(StorageValue)
    }

    private var parts: [Part]
    private var failure: DBClientError?

    /// Creates a statement from a literal.
    public init(stringLiteral: String) {
        parts = [.text(stringLiteral)]
    }

    /// Creates a statement from its interpolation.
    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
        failure = stringInterpolation.failure
    }

    /// Collects SQL text, names and values.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []
        fileprivate var failure: DBClientError?

        /// Creates an empty interpolation, as the compiler requires.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal part of the statement as SQL text.
        public mutating func appendLiteral(_ literal: String) {
            parts.append(.text(literal))
        }

        /// Binds a value as a parameter.
        public mutating func appendInterpolation(_ value: some StorableValue) {
            do {
                parts.append(.parameter(try StorageValue(storing: value)))
            } catch {
                failure = failure ?? .wrapping(error)
            }
        }

        /// Appends a quoted name of a table or a column.
        ///
        /// The statement throws `.invalidRequest` for a name that is empty, holds NUL or is longer than the
        /// database keeps: PostgreSQL has 63 bytes, and would take a longer one for another that begins alike.
        public mutating func appendInterpolation(identifier: String) {
            parts.append(.identifier(identifier))
        }

        /// Appends text as it is.
        ///
        /// Unsafe: never pass what came from outside the program.
        public mutating func appendInterpolation(raw: String) {
            parts.append(.text(raw))
        }

        /// Appends another statement's words and parameters.
        public mutating func appendInterpolation(_ sql: SQL) {
            parts += sql.parts
            failure = failure ?? sql.failure
        }
    }

    /// The words, `?` for each value.
    var shape: String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let words): text += words
            case .identifier(let name): text += "\"" + name + "\""
            case .parameter: text += "?"
            }
        }
    }

    /// Returns the text in a dialect and the parameters of its placeholders.
    func render(_ dialect: any SQLDialect) throws -> (sql: String, parameters: [StorageValue]) {
        if let failure { throw failure }
        var text = SQLText(dialect)
        var parameters: [StorageValue] = []
        for part in parts {
            switch part {
            case .text(let words): text.append(words)
            case .identifier(let name):
                try dialect.check(name: name, as: "A name in a statement")
                text.append(identifier: name)
            case .parameter(let value):
                text.appendParameter()
                parameters.append(value)
            }
        }
        guard !text.sql.utf8.contains(0) else {
            throw DBClientError(.invalidRequest, "A statement must not contain NUL.")
        }
        return (text.sql, parameters)
    }
}
