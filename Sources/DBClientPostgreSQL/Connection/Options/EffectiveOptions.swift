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
    /// - Throws: `.invalidRequest` when the service does not exist.
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
