import Foundation

/// Keywords and values for libpq, of which a description shows the keywords alone.
struct ConnectionParameters: Sendable, CustomStringConvertible, CustomReflectable {
    let values: [(key: String, value: String)]
    /// What is known of the server by now, which the client's connections share.
    var features = ServerFeatures()
    /// The name that identifies this process among all clients that write.
    var process = ConnectionParameters.thisProcess

    /// Whether the client's first connection was to a server that only follows another one, which is a store of
    /// its own for good; nil before there was one.
    var beganOnStandby: Bool?

    private static let thisProcess = UUID().uuidString

    /// The value of a keyword; nil where it is left to libpq.
    func value(_ keyword: String) -> String? { values.last { $0.key == keyword }?.value }

    /// The same, for connections that write nothing.
    var preferringStandby: ConnectionParameters {
        let others = values.filter { $0.key != "target_session_attrs" }
        return ConnectionParameters(
            values: others + [("target_session_attrs", "prefer-standby")],
            features: features,
            process: process
        )
    }

    /// Returns a text of libpq's without what the connection string says of the server and the user: each part
    /// of it is replaced by its keyword.
    func redacting(_ text: String) -> String {
        var text = text
        for (value, keyword) in secrets { text = text.replacing(value, with: keyword) }
        return text
    }

    /// What a message must not repeat, the longest first; what a keyword may be by itself is none of it.
    private var secrets: [(value: String, keyword: String)] {
        let known: Set = [
            "sslmode", "channel_binding", "gssencmode", "client_encoding", "port",
            "target_session_attrs", "connect_timeout", "tcp_user_timeout", "keepalives",
            "ssl_min_protocol_version", "ssl_max_protocol_version", "fallback_application_name",
        ]
        return values.filter { !known.contains($0.key) }.flatMap { pair in
            let isList = pair.key == "host" || pair.key == "hostaddr"
            let parts = isList ? pair.value.split(separator: ",").map(String.init) : [pair.value]
            // libpq quotes what it shows; a short name would be found within words.
            return parts.filter { !$0.isEmpty }.map { part in
                part.utf8.count < 4
                    ? ("\"\(part)\"", "\"<\(pair.key)>\"") : (part, "<\(pair.key)>")
            }
        }
        .sorted { $0.0.utf8.count > $1.0.utf8.count }
        .map { (value: $0.0, keyword: $0.1) }
    }

    var description: String { values.map(\.key).joined(separator: " ") }

    var customMirror: Mirror { Mirror(self, children: ["keywords": description]) }
}
