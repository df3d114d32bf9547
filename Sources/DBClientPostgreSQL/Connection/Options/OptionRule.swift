import DBClientCore
import Foundation

/// What an option of a connection may be.
///
/// libpq checks most of them only when it connects, and reports a wrong one like a server that is unreachable; an
/// empty one it takes for its own default, which is laxer than the driver's.
enum OptionRule {
    /// One word of a fixed set.
    case words([String], ignoresCase: Bool = false)
    /// Words with commas between them, each perhaps negated.
    case list([String])
    case integer
    /// A switch, given as 0 or 1.
    case flag
    case ports
    case hosts
    case addresses
    /// A name that the server would cut.
    case name

    /// Throws `.invalidRequest` that names the option, never its value, where one is not what it must be.
    ///
    /// - Parameters:
    ///   - named: What the connection string says.
    ///   - used: What libpq will go by.
    /// - Throws: The error.
    static func check(_ named: [String: String], _ used: (String) -> String?) throws {
        for (keyword, value) in named.sorted(by: { $0.key < $1.key })
        where value.isEmpty && !mayBeEmpty.contains(keyword) {
            throw DBClientError(
                .invalidRequest,
                "The option \(keyword) of the connection must not be empty.",
                field: keyword,
                hint: "Leave it out to have its default."
            )
        }
        // What is named comes first: others have its value where they are not named.
        let order = rules.sorted {
            (named[$0.key] == nil ? 1 : 0, $0.key) < (named[$1.key] == nil ? 1 : 0, $1.key)
        }
        for (keyword, rule) in order {
            guard let value = used(keyword), !value.isEmpty, let problem = rule.problem(value)
            else {
                continue
            }
            throw DBClientError(
                .invalidRequest,
                "The option \(keyword) of the connection must be \(problem).",
                field: keyword,
                hint: "It stands in the connection string, its service or the environment."
            )
        }
        let hostCount = count(used("host"))
        let addressCount = count(used("hostaddr"))
        guard hostCount == 0 || addressCount == 0 || hostCount == addressCount else {
            throw mismatch("hostaddr", "an address for each host")
        }
        let portCount = count(used("port"))
        guard portCount <= 1 || portCount == max(hostCount, addressCount) else {
            throw mismatch("port", "one port, or one for each host")
        }
    }

    /// Throws where channel binding is required of a connection that cannot have it.
    static func checkChannelBinding(
        _ binding: String?,
        encryption: String?,
        _ hosts: [ServerHost]
    ) throws {
        guard binding == "require", encryption == "disable" || hosts.allSatisfy(\.isSocket) else {
            return
        }
        throw DBClientError(
            .invalidRequest,
            "The option channel_binding must not be require where the connection is not encrypted.",
            field: "channel_binding"
        )
    }

    /// Whether a text is the number of a port.
    static func isPort(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } && (1...65_535).contains(Int(text) ?? 0)
    }

    private static func count(_ text: String?) -> Int {
        guard let text, !text.isEmpty else { return 0 }
        return text.split(separator: ",", omittingEmptySubsequences: false).count
    }

    private static func mismatch(_ keyword: String, _ rule: String) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The option \(keyword) of the connection must have \(rule).",
            field: keyword
        )
    }

    /// The options that count as absent when they are empty.
    private static let mayBeEmpty: Set = [
        "password", "sslpassword", "options", "application_name", "fallback_application_name",
    ]

    private static let versions = OptionRule.words(
        ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"],
        ignoresCase: true
    )

    private static let rules: [String: OptionRule] = [
        "sslmode": .words(["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]),
        "channel_binding": .words(["disable", "prefer", "require"]),
        "gssencmode": .words(["disable", "prefer", "require"]),
        "sslcertmode": .words(["disable", "allow", "require"]),
        "sslnegotiation": .words(["postgres", "direct"]),
        "ssl_min_protocol_version": versions,
        "ssl_max_protocol_version": versions,
        "target_session_attrs": .words([
            "any", "read-write", "read-only", "primary", "standby", "prefer-standby",
        ]),
        "load_balance_hosts": .words(["disable", "random"]),
        "require_auth": .list([
            "password", "md5", "gss", "sspi", "scram-sha-256", "creds", "none", "oauth",
        ]),
        "replication": .words(["false", "off", "no", "0"], ignoresCase: true),
        "sslcompression": .flag, "sslsni": .flag, "keepalives": .integer,
        "connect_timeout": .integer, "tcp_user_timeout": .integer, "keepalives_idle": .integer,
        "keepalives_interval": .integer, "keepalives_count": .integer,
        "port": .ports, "host": .hosts, "hostaddr": .addresses,
        "user": .name, "dbname": .name, "application_name": .name,
        "fallback_application_name": .name,
    ]

    /// Returns what a value would have to be, if it is not.
    private func problem(_ value: String) -> String? {
        func each(_ isValid: (String) -> Bool) -> Bool {
            value.split(separator: ",", omittingEmptySubsequences: false)
                .allSatisfy { $0.isEmpty || isValid(String($0)) }
        }
        switch self {
        case .words(let words, let ignoresCase):
            let found = ignoresCase ? value.lowercased() : value
            let isOne = words.contains { (ignoresCase ? $0.lowercased() : $0) == found }
            return isOne ? nil : "one of \(words.joined(separator: ", "))"
        case .list(let words):
            let isValid = each { words.contains($0.hasPrefix("!") ? String($0.dropFirst()) : $0) }
            return isValid ? nil : "a list of some of \(words.joined(separator: ", "))"
        case .integer:
            return Int32(value.trimmingCharacters(in: .whitespaces)) == nil ? "an integer" : nil
        case .flag: return ["0", "1"].contains(value) ? nil : "0 or 1"
        case .ports: return each(Self.isPort) ? nil : "ports from 1 to 65535"
        case .hosts:
            let isValid = each { ServerHost($0).isPossible }
            return isValid ? nil : "names of hosts, addresses or folders of sockets"
        case .addresses:
            return each { ServerHost($0).isAddress } ? nil : "numeric addresses"
        case .name:
            let limit = PostgreSQLDialect.traits.maximumNameLength
            return value.utf8.count <= limit ? nil : "of at most \(limit) bytes, or it would be cut"
        }
    }
}
