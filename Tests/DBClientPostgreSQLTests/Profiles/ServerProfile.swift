import Foundation

/// What a product that speaks PostgreSQL's protocol refuses of what the client asks, by its documentation.
struct ServerProfile: Sendable, CustomStringConvertible {
    /// A statement that the product refuses.
    struct Refusal: Sendable {
        /// What a statement contains that is refused.
        let text: String
        /// The state with which it is refused.
        let state: State
        /// Where that is said.
        let source: String
    }

    /// How a statement is refused, by a SQLSTATE that the server finds when it reads the statement.
    enum State: Sendable {
        /// 42883
        case undefinedFunction(String)
        /// 42P01
        case undefinedTable(String)
        /// 42703
        case undefinedColumn(String)
        /// 42704
        case undefinedObject(String)
        /// 42601
        case syntaxError
        /// 0A000
        case notSupported

        /// A statement that PostgreSQL refuses with the state.
        var statement: String {
            switch self {
            case .undefinedFunction(let name): "SELECT \(name)(NULL::text, NULL::bytea, 1, 2, 3)"
            case .undefinedTable(let name): "SELECT 1 FROM dbclient_missing.\(name)"
            case .undefinedColumn(let name): "SELECT \(name)"
            case .undefinedObject(let name): "SELECT NULL::\(name)_missing"
            case .syntaxError: "REFUSED"
            case .notSupported: "VALUES (1) FOR UPDATE"
            }
        }
    }

    let name: String
    /// What the server reports of itself when a session begins, in place of what PostgreSQL reports.
    var reports: [String: String] = [:]
    var refusals: [Refusal] = []
    /// Statements that the product takes for others, without a word.
    var rewrites: [(text: String, other: String, source: String)] = []

    var description: String { name }

    /// Returns a statement as the server gets it.
    func filtered(_ statement: String) -> String {
        for refusal in refusals where statement.contains(refusal.text) {
            return refusal.state.statement
        }
        var statement = statement
        for rewrite in rewrites { statement.replace(rewrite.text, with: rewrite.other) }
        return statement
    }

    /// Returns several statements in one text as the server gets them; one that cannot be read spoils all.
    func filtered(text: String) -> String {
        let statements = text.components(separatedBy: "; ")
        if statements.count == 1 { return filtered(text) }
        let spoilt = refusals.contains { refusal in
            guard case .syntaxError = refusal.state else { return false }
            return text.contains(refusal.text)
        }
        if spoilt { return State.syntaxError.statement }
        return statements.map { filtered($0) }.joined(separator: "; ")
    }
}
