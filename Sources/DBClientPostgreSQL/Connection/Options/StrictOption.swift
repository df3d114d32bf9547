import Foundation

/// An option of which one value is stricter than another.
struct StrictOption {
    let keyword: String
    private let variable: String
    /// The value that libpq uses by default.
    private let initial: String
    /// The values of the option, from the least strict to the strictest.
    private let order: [String]

    static let encryption = StrictOption(
        keyword: "sslmode",
        variable: "PGSSLMODE",
        initial: "prefer",
        order: ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
    )

    static let protocolVersion = StrictOption(
        keyword: "ssl_min_protocol_version",
        variable: "PGSSLMINPROTOCOLVERSION",
        initial: "TLSv1.2",
        order: ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]
    )

    static let channelBinding = StrictOption(
        keyword: "channel_binding",
        variable: "PGCHANNELBINDING",
        initial: "prefer",
        order: ["disable", "prefer", "require"]
    )

    /// The value where neither a string nor a service names one.
    var unnamed: String {
        let environment = ProcessInfo.processInfo.environment
        if let value = environment[variable], !value.isEmpty { return value }
        if keyword == "sslmode", environment["PGREQUIRESSL"]?.hasPrefix("1") == true {
            return "require"
        }
        return initial
    }

    func stricter(_ one: String, _ other: String) -> String {
        func rank(_ value: String) -> Int {
            order.firstIndex { $0.lowercased() == value.lowercased() } ?? -1
        }
        return rank(one) > rank(other) ? one : other
    }
}
