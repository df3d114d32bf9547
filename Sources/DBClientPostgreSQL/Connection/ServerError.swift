import Foundation

/// What a PostgreSQL server said about an error, found in `DBClientError.underlying`.
///
/// Its description is the SQLSTATE alone. The other properties may hold values.
public struct PostgreSQLServerError: Error, Sendable, CustomStringConvertible {
    /// The five characters of the standard that tell what went wrong.
    public let sqlState: String
    /// The message.
    public let message: String
    /// More about it, which shows values.
    public let detail: String?
    /// What the server suggests.
    public let hint: String?
    /// The table concerned.
    public let table: String?
    /// The column concerned.
    public let column: String?
    /// The constraint or index concerned.
    public let constraint: String?
    /// The function in the server's source that reported it, which has no translations.
    let function: String?

    /// The SQLSTATE.
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
    /// Everything that the server said.
    public var debugDescription: String {
        [description, message, detail, hint].compactMap { $0 }.joined(separator: "; ")
    }

    /// Shows the SQLSTATE, so that a mirror in a log keeps values back.
    public var customMirror: Mirror {
        Mirror(self, children: ["sqlState": sqlState])
    }
}
