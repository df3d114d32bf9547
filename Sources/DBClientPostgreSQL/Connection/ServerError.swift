import Foundation

/// What a PostgreSQL server said about an error, found in `DBClientError.underlying`.
///
/// Its description is the SQLSTATE alone. The other properties may hold values.
public struct PostgreSQLServerError: Error, Sendable, CustomStringConvertible {
    /// The SQLSTATE, five characters that classify the error.
    public let sqlState: String
    /// The server's primary message, in the server's language.
    public let message: String
    /// The server's detail message, which may show values.
    public let detail: String?
    /// What the server suggests, if anything.
    public let hint: String?
    /// The name of the table, where the error is about one.
    public let table: String?
    /// The name of the column, where the error is about one.
    public let column: String?
    /// The name of the constraint or index, where the error is about one.
    public let constraint: String?
    /// The function in the server's source that reported it, which has no translations.
    let function: String?

    /// The SQLSTATE alone, without any value.
    public var description: String { "SQLSTATE \(sqlState)" }
}

extension PostgreSQLServerError {
    /// The values that are taken, of a violation whose details are `Key (id)=(40) already exists.` in whatever
    /// language.
    var takenValues: String? {
        guard let detail, let start = detail.range(of: ")=("),
            let end = detail.lastIndex(of: ")"), start.upperBound <= end
        else { return nil }
        return String(detail[start.upperBound..<end])
    }
}

extension PostgreSQLServerError: CustomDebugStringConvertible, CustomReflectable {
    /// The SQLSTATE, message, detail and hint in full, which may hold values: not for logs.
    public var debugDescription: String {
        [description, message, detail, hint].compactMap { $0 }.joined(separator: "; ")
    }

    /// Shows the SQLSTATE, so that a mirror in a log keeps values back.
    public var customMirror: Mirror {
        Mirror(self, children: ["sqlState": sqlState])
    }
}
