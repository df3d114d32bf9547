import Foundation

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
