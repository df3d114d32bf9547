import CLibPQ
import DBClientCore
import DBClientSQL

/// Turns what libpq and the server say into the library's errors.
enum PostgreSQLError {
    /// Returns the error of a result that has failed.
    static func make(_ result: OpaquePointer?) -> DBClientError {
        func field(_ code: Character) -> String? {
            guard let value = code.asciiValue,
                let text = PQresultErrorField(result, Int32(value))
            else { return nil }
            return String(cString: text)
        }
        let server = PostgreSQLServerError(
            sqlState: field("C") ?? "XX000",
            message: field("M") ?? "",
            detail: field("D"),
            hint: field("H"),
            table: field("t"),
            column: field("c"),
            constraint: field("n"),
            function: field("R")
        )
        var error = describe(server)
        error.engineCode = .sqlState(server.sqlState)
        error.engineMessage = server.debugDescription
        error.underlying = server
        if error.field == nil, error.code == .constraintViolation { error.field = server.column }
        return error
    }

    /// Returns the error of a connection that is gone.
    static func lost(_ handle: OpaquePointer?) -> DBClientError {
        DBClientError(
            .connectionLost,
            "The connection to the server was lost.",
            engineMessage: message(of: handle)
        )
    }

    /// Returns the error of an attempt to connect.
    static func connecting(
        _ handle: OpaquePointer?,
        _ parameters: ConnectionParameters
    ) -> DBClientError {
        var error = connecting(
            message(of: handle) ?? "",
            needsPassword: PQconnectionNeedsPassword(handle) != 0
        )
        // What libpq says repeats hosts, the user and the database.
        error.engineMessage = error.engineMessage.map(parameters.redacting)
        return error
    }

    /// Whether an attempt to connect failed for a reason of the server that its message does not state.
    static func isUntold(_ handle: OpaquePointer?) -> Bool {
        guard let text = message(of: handle) else { return false }
        // The server's own errors have two spaces after their severity, in whatever language it is.
        return PQconnectionNeedsPassword(handle) == 0 && text.contains(":  ")
            && told(by: text) == nil
    }

    /// Returns the error of an attempt to connect by what libpq says of it.
    static func connecting(_ text: String, needsPassword: Bool = false) -> DBClientError {
        var error =
            needsPassword
            ? refusedLogin
            : told(by: text)
                ?? DBClientError(.connectionLost, "The server could not be reached.")
        error.engineMessage = text
        if let state = sqlState(in: text) { error.engineCode = .sqlState(state) }
        return error
    }

    /// The error of an attempt to connect to a server that says nothing.
    static let noAnswer = DBClientError(.timeout, "The server did not answer in time.")

    private static let noConnection = DBClientError(
        .busy,
        "The server has no connection left.",
        hint: "Lower maximumConnections, or raise the limit of the server, the role or the pooler."
    )

    private static let refusedLogin = DBClientError(
        .permission,
        "The server refused the login.",
        hint: "Check user, password and the server's pg_hba.conf."
    )

    /// Returns the error that a text reports, by the code in it or by English words; nil when there is none.
    private static func told(by text: String) -> DBClientError? {
        // Poolers have a code of the protocol's for it.
        let words = text.lowercased()
        let isFull = [
            "no more connections allowed", "max client connections", "too many tcp connections",
            "too many clients", "remaining connection slots", "too many connections",
        ].contains(where: words.contains)
        if isFull { return noConnection }
        switch sqlState(in: text) {
        case "3D000": return DBClientError(.notFound, "The server has no such database or role.")
        case let state? where state.hasPrefix("28") || state == "42501": return refusedLogin
        case "53300": return noConnection
        case let state?: return exact(state) ?? ofClass(state.prefix(2))
        case nil: break
        }
        func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        if says("password authentication failed", "no password supplied", "no pg_hba.conf entry")
            || says("authentication failed", "permission denied for database")
        {
            return refusedLogin
        }
        if says("channel binding") {
            return DBClientError(
                .invalidRequest,
                "The option channel_binding must not be require where the server offers no login that is"
                    + " bound to an encrypted connection.",
                field: "channel_binding"
            )
        }
        if text.hasPrefix("invalid ") || text.hasPrefix("could not match ") {
            // libpq's own look at the options, before it goes anywhere.
            return DBClientError(
                .invalidRequest,
                "libpq does not take an option of the connection."
            )
        }
        if says("certificate", "does not support SSL", "unknown ca", "unsupported protocol")
            || says("alert protocol version", "alert handshake failure")
        {
            // Not whatever names TLS: a server that goes away does so over TLS as well.
            return DBClientError(
                .permission,
                "No trusted connection to the server could be made.",
                hint: "Name the authority's certificate with sslrootcert, or lower sslmode by name."
            )
        }
        if says("timeout expired") {
            return noAnswer
        }
        if says("does not exist") {
            return DBClientError(.notFound, "The server has no such database or role.")
        }
        if says("the database system is", "terminating connection due to") {
            return DBClientError(.connectionLost, "The server could not be reached.")
        }
        return nil
    }

    /// Returns the last code between the severity and the message of a server error.
    private static func sqlState(in text: String) -> String? {
        text.matches(of: #/:  ([0-9A-Z]{5}): /#).last.map { String($0.1) }
    }

    private static func message(of handle: OpaquePointer?) -> String? {
        PQerrorMessage(handle).map { String(cString: $0) }
    }

    static let timedOut = DBClientError(
        .timeout,
        "The server did not answer in time; the connection was closed."
    )

    private static func describe(_ server: PostgreSQLServerError) -> DBClientError {
        let state = server.sqlState
        if state.hasPrefix("42"), state != "42501" {
            let words = EngineWords.withoutConstants(server.message)
            return DBClientError(.invalidRequest, "The statement is not valid: \(words).")
        }
        return exact(state) ?? ofClass(state.prefix(2))
    }

    private static func exact(_ state: String) -> DBClientError? {
        switch state {
        case "23505":
            DBClientError(.uniqueViolation, "A unique field holds this value already.")
        case "23503", "23001": .brokenForeignKey
        case "23502": DBClientError(.constraintViolation, "A required value is missing.")
        case "40001", "40P01":
            DBClientError(
                .transactionConflict,
                "Concurrent transactions could not all succeed; this one was rolled back.",
                hint: "Try again, or write less at once to the same rows."
            )
        case PostgreSQLViewGuard.refusal: EntitySchema.keptOtherwise(nil)
        case "57014": DBClientError(.timeout, "The statement took too long and was ended.")
        case "57P01", "57P02", "57P03", "57P05", "25P03":
            DBClientError(.connectionLost, "The server ended the connection.")
        case "25006": DBClientError(.readOnly, "The transaction or the server only reads.")
        case "42501": DBClientError(.permission, "The role may not do this.")
        case "428C9":
            DBClientError(
                .invalidRequest,
                "A column must not be set whose values the server makes."
            )
        case "42601": DBClientError(.invalidRequest, "The statement is not valid SQL.")
        case "42P01", "42703", "42883", "42P02", "42704":
            DBClientError(.invalidRequest, "The statement names what is not there.")
        case "53100": DBClientError(.full, "No space is left on the server.")
        case "2200H": DBClientError(.full, "No key is left for the store to make.")
        case "55P03": DBClientError(.busy, "Another transaction holds what is needed.")
        case "58030": DBClientError(.io, "The server failed to read or write a file.")
        case "XX001", "XX002": DBClientError(.corrupt, "The server found damaged data.")
        default: nil
        }
    }

    private static func ofClass(_ prefix: Substring) -> DBClientError {
        switch prefix {
        case "08": DBClientError(.connectionLost, "The connection to the server was lost.")
        case "22": DBClientError(.invalidValue, "A value does not fit.")
        case "23": DBClientError(.constraintViolation, "A rule of the table was broken.")
        case "28": DBClientError(.permission, "The server refused the login.")
        case "53": DBClientError(.busy, "The server is out of resources.")
        case "54":
            DBClientError(.invalidValue, "A value or a statement is too large for the server.")
        case "0A":
            DBClientError(.engine, "The server does not support what the statement asks for.")
        case "25": DBClientError(.engine, "The transaction is not in a state for the statement.")
        case "3D", "3F":
            DBClientError(
                .notFound,
                "The database or schema that the statement needs is not there."
            )
        case "44": DBClientError(.constraintViolation, "A rule of the view was broken.")
        case "55":
            DBClientError(.engine, "What the statement is about is not in a state for it.")
        case "P0": DBClientError(.engine, "A function or trigger of the database raised an error.")
        case "XX": DBClientError(.engine, "The server failed in itself.")
        default:
            DBClientError(
                .engine,
                "The server refused the statement for a reason with its code alone."
            )
        }
    }
}

extension DBClientError {
    /// The SQLSTATE, when a server reported the error.
    var sqlState: String? {
        if case .sqlState(let state)? = engineCode { state } else { nil }
    }

    /// What the error of a server that follows another one means: it cannot number transactions, nor
    /// isolate them from those that it does not know.
    var onStandby: DBClientError {
        guard sqlState == "0A000" || sqlState == "55000" else { return self }
        return DBClientError(
            .readOnly,
            "The server follows another one and only reads.",
            hint: "Name all hosts, and target_session_attrs=read-write.",
            engineCode: engineCode,
            engineMessage: engineMessage,
            underlying: underlying
        )
    }
}

extension DBClientError {
    /// Whether a statement names a missing table or column.
    var isAboutNames: Bool { sqlState == "42P01" || sqlState == "42703" }

    /// Whether a statement takes a column for one of another type.
    var isAboutTypes: Bool { ["42804", "42846", "42883"].contains(sqlState) }

    /// Whether a statement cannot be prepared for what the server has by now.
    var isStale: Bool { isAboutNames || isAboutTypes || sqlState == "42P05" }
}
