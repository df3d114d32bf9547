import CLibPQ
import DBClientCore

// Statements of more parameters than libpq lets a server describe: it takes a longer description for a sign of lost
// synchronisation, and closes the connection.
extension PostgreSQLStatement {
    /// So many parameters are described: libpq takes 7,498.
    static let describedCount = 7_000
    /// The protocol counts parameters with 16 bits.
    static let maximumCount = 65_535
}

extension PostgreSQLConnection {
    /// Prepares a statement of many parameters, whose types are asked for by a query, and whose columns are known
    /// when it has run.
    func longStatement(_ sql: String, isKept: Bool) throws -> PostgreSQLStatement {
        guard sql.parameterCount <= PostgreSQLStatement.maximumCount else {
            throw DBClientError(
                .invalidRequest,
                "A statement must have at most \(PostgreSQLStatement.maximumCount) constants; got "
                    + "\(sql.parameterCount).",
                hint: "The values of isIn, however many, and keys count as a few."
            )
        }
        let name = newName()
        let isNamed = isKept && keepsStatements
        // A pooler gives names of its own to what the protocol prepares, but none to what SQL does, which prepares
        // no statement that explains another one.
        let explaining = dialect.traits.explainPrefix
        let explained = sql.hasPrefix(explaining) ? sql.dropFirst(explaining.count) : sql[...]
        let preparing = "PREPARE \(name) AS \(explained)"
        let asking = """
            SELECT pg_catalog.array_to_string(parameter_types::pg_catalog.oid[], ',')
            FROM pg_catalog.pg_prepared_statements WHERE name = '\(name)'
            """
        var sends: [(OpaquePointer) -> Int32] = [
            keepsStatements ? { PQsendPrepare($0, name, sql, 0, nil) } : Self.send(text: preparing),
            Self.send(text: asking),
        ]
        if !isNamed { sends.append(Self.send(text: "DEALLOCATE \(name)")) }
        var results: [Result] = []
        try collect(sends, into: &results)
        defer { withExtendedLifetime(results) {} }
        let handle = results[1].handle
        let list = String(cString: PQgetvalue(handle, 0, 0))
        return PostgreSQLStatement(
            self,
            sql,
            isNamed ? name : "",
            isKept: isKept,
            list.split(separator: ",").compactMap { Oid($0) }
        )
    }
}

extension String {
    /// The greatest number of a placeholder in a statement, or at least no less, as far as it may be greater than
    /// what libpq lets a server describe; else zero.
    fileprivate var placeholderCount: Int {
        var greatest = 0
        var number: Int?
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "$"): number = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard let begun = number else { continue }
                number = min(begun * 10 + Int(byte - UInt8(ascii: "0")), Int(Int32.max))
            default:
                if let ended = number { greatest = max(greatest, ended) }
                number = nil
            }
        }
        return max(greatest, number ?? 0)
    }

    /// How many parameters a statement has, where they may be more than are described; zero for a short text, which
    /// is not looked at.
    var parameterCount: Int {
        utf8.count < 3 * PostgreSQLStatement.describedCount ? 0 : placeholderCount
    }
}
