import CLibPQ
import DBClientCore
import Foundation

/// The parameters for libpq, from a connection string and the configuration.
enum ConnectionString {
    /// Returns the keywords with their values.
    ///
    /// - Throws: `.invalidRequest`, without the string, which may hold a password.
    static func parameters(
        _ text: String,
        _ configuration: PostgreSQLConfiguration
    ) throws -> ConnectionParameters {
        try configuration.validate()
        guard !text.utf8.contains(0) else {
            throw DBClientError(.invalidRequest, "A connection string must not contain NUL.")
        }
        let url = try ConnectionURL(text)
        var values = try parse(text)
        if url?.asksForEncryption == true { values["sslmode"] = url?.encryption }
        let effective = try EffectiveOptions(values)
        try OptionRule.check(values) { values[$0] ?? effective[$0] }
        func setDefault(_ key: String, _ value: String) {
            if values[key] == nil { values[key] = value }
        }
        // What this is decided for is what will be asked, whatever becomes of a service's file.
        for key in ["host", "hostaddr", "port"] { values[key] = effective[key] }
        let isLocal = effective.hosts.allSatisfy(\.isOnThisMachine)
        // What is not named is raised where it is too low, and never lowered.
        func require(_ option: StrictOption, atLeast least: String) {
            values[option.keyword] = effective.value(of: option, atLeast: least)
        }
        let least = url?.asksForEncryption == true ? "require" : "prefer"
        require(.encryption, atLeast: isLocal ? least : "verify-full")
        require(.protocolVersion, atLeast: "TLSv1.2")
        require(.channelBinding, atLeast: "prefer")
        try OptionRule.checkChannelBinding(
            values["channel_binding"],
            encryption: values["sslmode"],
            effective.hosts
        )
        if effective["gssencmode"] != "require" { setDefault("gssencmode", "disable") }
        if values["sslmode"]?.hasPrefix("verify") == true, effective["sslrootcert"] == nil,
            !hasOwnAuthorities, let bundle = authorities
        {
            values["sslrootcert"] = bundle
        }
        let seconds = max(2, configuration.connectTimeout.components.seconds)
        setDefault("connect_timeout", String(seconds))
        setDefault(
            "tcp_user_timeout",
            String(configuration.statementTimeout.nanoseconds / 1_000_000)
        )
        setDefault("fallback_application_name", "DBClient")
        let target = effective["target_session_attrs"] ?? "any"
        if configuration.readsFromReplica, target == "any" {
            values["target_session_attrs"] = "read-write"
        }
        values["client_encoding"] = "UTF8"
        return ConnectionParameters(
            values: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
    }

    /// Returns the keywords of a string, without those that it leaves out.
    private static func parse(_ text: String) throws -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
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

    /// Whether the user has a file of authorities where libpq looks for one.
    private static var hasOwnAuthorities: Bool {
        FileManager.default.fileExists(
            atPath: FileManager.default.homeDirectoryForCurrentUser
                .appendingPathComponent(".postgresql/root.crt").path
        )
    }

    /// The file of the authorities that the system trusts.
    private static let authorities: String? = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem",
    ].first { FileManager.default.isReadableFile(atPath: $0) }
}
