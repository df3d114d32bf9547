import DBClientCore
import Foundation

/// A connection string that is a URL, read strictly before libpq reads it.
///
/// libpq takes what stands before the first `@`, `/` or `?` for what the URL's grammar has there. So a password
/// that is not percent-encoded would become a host, which is asked of a name server, or a port, which an error
/// shows.
struct ConnectionURL {
    /// The text that libpq is given.
    let text: String
    /// Whether the query says `ssl=true`, which libpq takes for `sslmode=require`.
    private(set) var asksForEncryption = false
    /// The last value that the query names for `sslmode` itself.
    private(set) var encryption: String?

    /// Nil for a string that is no URL.
    ///
    /// - Throws: `.invalidRequest` that says which part is wrong, without any of the string.
    init?(_ text: String) throws {
        guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix) else {
            return nil
        }
        self.text = text
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        for byte in text.utf8 where byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "#") {
            throw Self.malformed("must not contain a space, a control character or #")
        }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let tail = rest[authority.endIndex...]
        let path = tail.prefix { $0 != UInt8(ascii: "?") }
        let query = tail[path.endIndex...].dropFirst()
        let parts = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2 else { throw Self.malformed("must have one @ at most") }
        try Self.checkHosts(parts[parts.count - 1])
        guard !path.contains(UInt8(ascii: "@")), !path.dropFirst().contains(UInt8(ascii: "/"))
        else {
            throw Self.malformed("must have no @ and no second / after the hosts")
        }
        try readQuery(query)
    }

    private static func checkHosts(_ hosts: Substring.UTF8View) throws {
        for host in hosts.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            var port = host.drop { $0 != UInt8(ascii: ":") }
            if host.first == UInt8(ascii: "[") {
                guard let end = host.firstIndex(of: UInt8(ascii: "]")) else {
                    throw malformed("must close a [ of an address")
                }
                port = host[end...].dropFirst()
                guard port.isEmpty || port.first == UInt8(ascii: ":") else {
                    throw malformed("must have a port or nothing after an address")
                }
            }
            let digits = Substring(port.dropFirst())
            guard digits.isEmpty || OptionRule.isPort(String(digits)) else {
                throw malformed("must have ports from 1 to 65535 after its hosts")
            }
        }
    }

    private mutating func readQuery(_ query: Substring.UTF8View) throws {
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = String(Substring(pair[name.endIndex...].dropFirst()))
                .removingPercentEncoding
            switch String(Substring(name)).removingPercentEncoding {
            case "sslmode": encryption = value
            case "ssl" where value == "true": asksForEncryption = true
            default: break
            }
        }
    }

    private static func malformed(_ rule: String) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The URL of the connection \(rule).",
            hint: "Percent-encode what a user name, a password or a database name has of"
                + " these characters: @ is %40, / is %2F, ? is %3F, # is %23, : is %3A."
        )
    }
}
