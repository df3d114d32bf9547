import Foundation
import Synchronization

/// A server between a client and PostgreSQL that refuses what a profile refuses.
///
/// A statement that is refused is replaced by one that PostgreSQL refuses with the same state, so that a transaction
/// is left as the real server would leave it.
final class FilterProxy: Sendable {
    let port: Int
    private let profile: ServerProfile
    private let target: Int
    private let listener: Int32
    private let trips = Atomic(0)
    private let seen = Mutex<[String]>([])

    /// How often clients have waited for an answer, those to begin a session left out.
    var roundTrips: Int { trips.load(ordering: .relaxed) }

    /// The statements that clients have sent, as they have sent them.
    var statements: [String] { seen.withLock { $0 } }

    /// Starts the proxy on a port of its own.
    ///
    /// - Parameters:
    ///   - profile: What it refuses.
    ///   - target: The server's port.
    /// - Throws: That there is no port for it.
    init(_ profile: ServerProfile, to target: Int) throws {
        self.profile = profile
        self.target = target
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// Accepts no further connection.
    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 { return }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.loopback(target)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else {
                Glibc.close(client)
                Glibc.close(server)
                continue
            }
            var yes: Int32 = 1
            for socket in [client, server] {
                setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(4))
            }
            Thread.detachNewThread { [self] in
                pump(client, server, MessageFilter(isFromClient: true)) { change($0) }
            }
            Thread.detachNewThread { [self] in
                pump(server, client, MessageFilter(isFromClient: false)) { report($0) }
            }
        }
    }

    private func pump(
        _ source: Int32,
        _ target: Int32,
        _ filter: MessageFilter,
        _ change: (MessageFilter.Message) -> [UInt8]
    ) {
        var filter = filter
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            if count <= 0 { break }
            var rest = filter.pass(buffer[..<count], change)[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if sent <= 0 { break }
                rest = rest.dropFirst(sent)
            }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }

    /// Returns a message of the client's as the server gets it.
    private func change(_ message: MessageFilter.Message) -> [UInt8] {
        switch message.type {
        case UInt8(ascii: "Q"):
            trips.add(1, ordering: .relaxed)
            let text = String(decoding: message.body.dropLast(), as: UTF8.self)
            seen.withLock { $0.append(text) }
            return MessageFilter.Message(
                type: message.type,
                body: Array(profile.filtered(text: text).utf8) + [0]
            ).bytes
        case UInt8(ascii: "P"):
            let parts = message.body.split(
                separator: 0,
                maxSplits: 2,
                omittingEmptySubsequences: false
            )
            guard parts.count == 3 else { return message.bytes }
            let text = String(decoding: parts[1], as: UTF8.self)
            seen.withLock { $0.append(text) }
            let filtered = profile.filtered(text)
            return MessageFilter.Message(
                type: message.type,
                body: Array(parts[0]) + [0] + Array(filtered.utf8) + [0] + Array(parts[2])
            ).bytes
        case UInt8(ascii: "S"):
            trips.add(1, ordering: .relaxed)
            return message.bytes
        default: return message.bytes
        }
    }

    /// Returns a message of the server's as the client gets it: what the product reports in place of PostgreSQL.
    private func report(_ message: MessageFilter.Message) -> [UInt8] {
        guard message.type == UInt8(ascii: "S"), !profile.reports.isEmpty else {
            return message.bytes
        }
        let parts = message.body.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count >= 2, String(decoding: parts[0], as: UTF8.self) == "server_version" else {
            return message.bytes
        }
        return profile.reports.flatMap { name, value in
            MessageFilter.Message(
                type: message.type,
                body: Array(name.utf8) + [0] + Array(value.utf8) + [0]
            ).bytes
        }
    }
}
