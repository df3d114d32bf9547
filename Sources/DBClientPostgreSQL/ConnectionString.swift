import CLibPQ
import DBClientCore
import Foundation

/// What libpq is told, from a connection string and the configuration.
enum ConnectionString {
    /// Returns the keywords with their values.
    ///
    /// - Throws: `.invalidRequest`, without the string, which may hold a password.
    static func parameters(
        _ text: String,
        _ configuration: PostgreSQLConfiguration
    ) throws -> ConnectionParameters {
        var values = try parse(text)
        func setDefault(_ key: String, _ value: String) {
            if values[key] == nil { values[key] = value }
        }
        if values["sslmode"] == nil, values["service"] == nil {
            let isLocal = hosts(values).allSatisfy(isOnThisMachine)
            values["sslmode"] = isLocal ? "prefer" : "verify-full"
        }
        if values["sslmode"]?.hasPrefix("verify") == true, let bundle = authorities {
            setDefault("sslrootcert", bundle)
        }
        // Set here so that no variable of the environment lowers them.
        setDefault("ssl_min_protocol_version", "TLSv1.2")
        setDefault("gssencmode", "disable")
        setDefault("channel_binding", "prefer")
        let seconds = max(2, configuration.connectTimeout.components.seconds)
        setDefault("connect_timeout", String(seconds))
        setDefault(
            "tcp_user_timeout",
            String(configuration.statementTimeout.nanoseconds / 1_000_000)
        )
        setDefault("application_name", "DBClient")
        if configuration.readsFromReplica { setDefault("target_session_attrs", "read-write") }
        values["client_encoding"] = "UTF8"
        return ConnectionParameters(
            values: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
    }

    /// Returns the keywords of a string, without those that it leaves out.
    private static func parse(_ text: String) throws -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard !text.utf8.contains(0), let options = PQconninfoParse(text, &message) else {
            PQfreemem(message)
            throw DBClientError(
                .invalidRequest,
                "The connection string is not understood.",
                hint: "It is a URL, postgres://user@host/database, or keywords with values."
            )
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let key = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: key)] = String(cString: value)
            }
            option += 1
        }
        return values
    }

    /// Returns the hosts that will be asked, those of the environment where the string names none.
    private static func hosts(_ values: [String: String]) -> [String] {
        let environment = ProcessInfo.processInfo.environment
        let named =
            values["hostaddr"] ?? values["host"] ?? environment["PGHOSTADDR"]
            ?? environment["PGHOST"] ?? ""
        return named.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func isOnThisMachine(_ host: String) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
            || host == "::1" || host.hasPrefix("127.")
    }

    /// The file of the authorities that the system trusts.
    private static let authorities: String? = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem",
    ].first { FileManager.default.isReadableFile(atPath: $0) }
}

/// Keywords and values for libpq, of which a description shows the keywords alone.
struct ConnectionParameters: Sendable, CustomStringConvertible, CustomReflectable {
    let values: [(key: String, value: String)]
    /// What this process is known by among all who write.
    var process = ConnectionParameters.thisProcess

    private static let thisProcess = UUID().uuidString

    /// The same, for connections that write nothing.
    var preferringStandby: ConnectionParameters {
        let others = values.filter { $0.key != "target_session_attrs" }
        return ConnectionParameters(
            values: others + [("target_session_attrs", "prefer-standby")],
            process: process
        )
    }

    var description: String { values.map(\.key).joined(separator: " ") }

    var customMirror: Mirror { Mirror(self, children: ["keywords": description]) }
}
