import Foundation
import Synchronization

/// A TCP proxy in front of the server that does to the stream what a bad network does.
final class Proxy: Sendable {
    /// What happens to the bytes of a connection.
    enum Mode: Sendable {
        case pass
        /// Nothing passes any more, and neither side hangs up.
        case stall
        /// The same, from when the client sends this text on.
        case stallAt(String)
        /// Everything is hung up on when the client has sent this text, before it is passed on.
        case cutBefore(String)
        /// The same, after it was passed on and before the answer is.
        case cutAfter(String)
        /// Everything is hung up on when so many bytes more came from the client.
        case cutAfterBytes(Int)
        /// Everything is hung up on when so many bytes more came from the server.
        case cutAnswerAfterBytes(Int)
        /// The server's bytes come one by one, each after so many microseconds.
        case trickle(UInt32)
        /// A text of the server's comes as another one of the same length.
        case change(String, to: String)
        /// The server's bytes are gathered for so many microseconds; some come then, and the rest together so
        /// many later.
        case gather(UInt32)
    }

    let port: Int
    private let listener: Int32
    private let target: sockaddr_in
    private let mode = Mutex(Mode.pass)
    private let sockets = Mutex<[Int32]>([])
    private let trickled = Atomic(0)
    private let stalled = Atomic(0)

    /// How many bytes of the server's were passed on one by one.
    var trickledCount: Int { trickled.load(ordering: .relaxed) }

    init(to target: Int, of host: String = "127.0.0.1") throws {
        self.target = try Self.address(host, target)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Self.address(port: 0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var length = size
                guard bind(listener, address, size) == 0, listen(listener, 64) == 0 else {
                    return false
                }
                return getsockname(listener, address, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    func set(_ mode: Mode) {
        self.mode.withLock { $0 = mode }
    }

    /// Closes all connections.
    func cutAll() {
        sockets.withLock { sockets in
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        cutAll()
    }

    private static func address(_ host: String, _ port: Int) throws -> sockaddr_in {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
            throw POSIXError(.EHOSTUNREACH)
        }
        defer { freeaddrinfo(found) }
        return found.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            $0.pointee
        }
    }

    private static func address(port: Int) -> sockaddr_in {
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
            var address = target
            let connected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard connected else {
                Glibc.close(client)
                Glibc.close(server)
                continue
            }
            sockets.withLock { $0 += [client, server] }
            Thread.detachNewThread { [self] in pump(client, server, isFromClient: true) }
            Thread.detachNewThread { [self] in pump(server, client, isFromClient: false) }
        }
    }

    private func pump(_ source: Int32, _ target: Int32, isFromClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            if count <= 0 { break }
            let bytes = buffer[..<count]
            switch (mode.withLock { $0 }, isFromClient) {
            case (.pass, _): send(bytes, to: target)
            case (.stall, _):
                if !isFromClient { stalled.add(count, ordering: .relaxed) }
            case (.stallAt(let text), true) where Self.contains(text, bytes):
                set(.stall)
            case (.cutBefore(let text), true) where Self.contains(text, bytes):
                cutAll()
            case (.cutAfter(let text), true) where Self.contains(text, bytes):
                set(.stall)
                let answered = stalled.load(ordering: .relaxed)
                send(bytes, to: target)
                // Until the server has done it, unless that takes long; its answer goes nowhere.
                let end = ContinuousClock.now + .milliseconds(200)
                while stalled.load(ordering: .relaxed) == answered, ContinuousClock.now < end {
                    usleep(1_000)
                }
                cutAll()
            case (.cutAfterBytes(let left), true):
                if count >= left {
                    send(bytes.prefix(left), to: target)
                    cutAll()
                } else {
                    set(.cutAfterBytes(left - count))
                    send(bytes, to: target)
                }
            case (.change(let text, let other), false):
                var data = Data(bytes)
                while let range = data.range(of: Data(text.utf8)) {
                    data.replaceSubrange(range, with: Data(other.utf8))
                }
                send(data, to: target)
            case (.gather(let pause), false):
                usleep(pause)
                var gathered = Array(bytes)
                while gathered.count < 1 << 20 {
                    let more = recv(source, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                    if more <= 0 { break }
                    gathered += buffer[..<more]
                }
                send(gathered.prefix(1_000), to: target)
                usleep(pause)
                send(gathered.dropFirst(1_000), to: target)
            case (.cutAnswerAfterBytes(let left), false):
                if count >= left {
                    send(bytes.prefix(left), to: target)
                    cutAll()
                } else {
                    set(.cutAnswerAfterBytes(left - count))
                    send(bytes, to: target)
                }
            case (.trickle(let pause), false):
                for byte in bytes {
                    usleep(pause)
                    send([byte], to: target)
                    trickled.add(1, ordering: .relaxed)
                }
            default: send(bytes, to: target)
            }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }

    private func send(_ bytes: some Collection<UInt8>, to target: Int32) {
        var rest = Array(bytes)
        while !rest.isEmpty {
            let count = Glibc.send(target, rest, rest.count, Int32(MSG_NOSIGNAL))
            if count <= 0 { return }
            rest.removeFirst(count)
        }
    }

    private static func contains(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }
}
