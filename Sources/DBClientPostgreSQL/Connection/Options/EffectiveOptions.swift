import CLibPQ
import DBClientCore
import Foundation

/// What libpq will go by: what a connection string says, then its service, then the environment, then
/// libpq itself.
struct EffectiveOptions {
    private let values: [String: String]
    private let named: [String: String]

    /// Asks libpq, which connects nowhere for it.
    ///
    /// - Throws: `.invalidRequest` when the service is not there.
    init(_ named: [String: String]) throws {
        self.named = named
        var asked = named
        // A value that no version of libpq takes ends the attempt before it begins.
        let obstacle = "none of them"
        asked["ssl_max_protocol_version"] = obstacle
        let words = asked.map { (key: $0.key, value: $0.value) }
        let attempt = withKeywords(words) { PQconnectStartParams($0, $1, 0) }
        defer { PQfinish(attempt) }
        guard let options = PQconninfo(attempt) else {
            throw DBClientError(.engine, "There is no memory for a connection.")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let key = option.pointee.keyword {
            if let value = option.pointee.val, value.pointee != 0 {
                values[String(cString: key)] = String(cString: value)
            }
            option += 1
        }
        guard values["ssl_max_protocol_version"] == obstacle else {
            throw DBClientError(
                .invalidRequest,
                "The service of the connection string is not there, or not understood.",
                field: "service",
                hint: "It stands in the file of services: ~/.pg_service.conf, or PGSERVICEFILE."
            )
        }
        values["ssl_max_protocol_version"] = named["ssl_max_protocol_version"]
        self.values = values
    }

    /// The value of a keyword; nil when there is none.
    subscript(_ keyword: String) -> String? { values[keyword] }

    /// The hosts that will be asked, by their addresses where they are given.
    var hosts: [ServerHost] {
        let addresses = Self.list(values["hostaddr"])
        let names = Self.list(values["host"])
        return (0..<max(addresses.count, names.count, 1)).map { index in
            let address = index < addresses.count ? addresses[index] : ""
            let name = index < names.count ? names[index] : ""
            return ServerHost(address.isEmpty ? name : address)
        }
    }

    private static func list(_ text: String?) -> [String] {
        text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// Returns what is named of an option, or else what it is raised to.
    ///
    /// What differs from the environment and from libpq's own value was named by a service.
    func value(of option: StrictOption, atLeast least: String) -> String {
        if let value = named[option.keyword] { return value }
        let value = values[option.keyword] ?? ""
        let isNamed = value != option.unnamed && !value.isEmpty
        return isNamed ? value : option.stricter(value, least)
    }
}

/// An option of which one value is stricter than another.
struct StrictOption {
    let keyword: String
    private let variable: String
    /// libpq's own value.
    private let initial: String
    /// The values, the strictest last.
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

/// What a connection goes to: a name, an address, or the folder of a socket.
struct ServerHost {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Whether it is the folder of a socket, or a name of one that is in no folder.
    var isSocket: Bool { text.isEmpty || text.hasPrefix("/") || text.hasPrefix("@") }

    /// Whether it is a numeric address, perhaps with the interface that it is of.
    var isAddress: Bool {
        var address = in_addr()
        if inet_pton(AF_INET, text, &address) == 1 { return true }
        var long = in6_addr()
        return inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &long) == 1
    }

    /// Whether it may be a host at all: a name that has a character of a URL's or a space in it is a part of
    /// something else, perhaps of a password, and no name server is asked for it.
    var isPossible: Bool {
        isSocket || isAddress
            || text.unicodeScalars.allSatisfy { scalar in
                scalar.value >= 0x80 || scalar == "-" || scalar == "." || scalar == "_"
                    || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
                    || ("A"..."Z").contains(scalar)
            }
    }

    /// Whether nothing of what is sent leaves this machine.
    var isOnThisMachine: Bool {
        if text.isEmpty || text.hasPrefix("/") || text.hasPrefix("@") || text == "localhost" {
            return true
        }
        var address = in_addr()
        if inet_pton(AF_INET, text, &address) == 1 {
            return UInt32(bigEndian: address.s_addr) >> 24 == 127
        }
        var long = in6_addr()
        guard inet_pton(AF_INET6, text, &long) == 1 else { return false }
        let bytes = withUnsafeBytes(of: long) { Array($0) }
        return bytes == [UInt8](repeating: 0, count: 15) + [1]
            || bytes.prefix(13) == [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127]
    }
}

/// Calls a function of libpq's with keywords and their values.
func withKeywords<Value>(
    _ values: [(key: String, value: String)],
    _ body: (
        _ keys: UnsafePointer<UnsafePointer<CChar>?>, _ values: UnsafePointer<UnsafePointer<CChar>?>
    ) -> Value
) -> Value {
    var words: [UnsafeMutablePointer<CChar>?] = []
    defer { for word in words { free(word) } }
    for pair in values { words.append(strdup(pair.key)) }
    for pair in values { words.append(strdup(pair.value)) }
    var keys: [UnsafePointer<CChar>?] = words[..<values.count].map { UnsafePointer($0) }
    var texts: [UnsafePointer<CChar>?] = words[values.count...].map { UnsafePointer($0) }
    keys.append(nil)
    texts.append(nil)
    return body(keys, texts)
}
