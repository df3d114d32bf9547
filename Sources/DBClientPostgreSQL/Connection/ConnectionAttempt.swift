import CLibPQ
import DBClientCore
import Foundation

/// An attempt to connect, to one address after another.
///
/// `PQconnectdb` prints the server's notices during the connect to the standard error, since no receiver can be set
/// before it returns. So the attempt is begun, gets a receiver of notices, and is polled step by step; the time-out of
/// each address, and the look-up of names, are handled here as `PQconnectdb` does it.
struct ConnectionAttempt {
    private let parameters: ConnectionParameters
    private var targets: [Target]
    private let limit: Int

    /// One address to connect to, of one of the hosts.
    private struct Target: Equatable {
        var host: String
        var address: String
        var port: String
    }

    init(_ parameters: ConnectionParameters) {
        self.parameters = parameters
        targets = []
        limit = parameters.value("connect_timeout").flatMap(Int.init) ?? 0
    }

    /// Returns a connection that is open or has failed, with libpq's message.
    ///
    /// - Throws: `.connectionLost` when no host has an address, `.timeout` when the last one did not answer.
    mutating func run() throws -> OpaquePointer {
        targets = try addresses()
        while true {
            let words = parameters.values.filter { !Self.keywords.contains($0.key) } + keywords
            // A value is never itself a connection string.
            let handle = withKeywords(words) { PQconnectStartParams($0, $1, 0) }
            guard let handle else {
                throw DBClientError(.engine, "There is no memory for a connection.")
            }
            // Notices are for people at a terminal.
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            guard let silent = lead(handle) else { return handle }
            PQfinish(handle)
            targets.removeAll { $0 == silent }
            if targets.isEmpty { throw PostgreSQLError.noAnswer }
        }
    }

    private static let keywords: Set = ["host", "hostaddr", "port"]

    /// The targets as keywords of libpq, each with a list separated by commas.
    private var keywords: [(key: String, value: String)] {
        func list(_ part: KeyPath<Target, String>) -> String {
            targets.map { $0[keyPath: part] }.joined(separator: ",")
        }
        let all = [("host", list(\.host)), ("hostaddr", list(\.address)), ("port", list(\.port))]
        return all.filter { $0.1.contains { $0 != "," } }.map { (key: $0.0, value: $0.1) }
    }

    /// Leads an attempt to its end; returns the target that did not answer in time.
    private func lead(_ handle: OpaquePointer) -> Target? {
        var step = PGRES_POLLING_WRITING
        var target = target(of: handle)
        var deadline = newDeadline
        while PQstatus(handle) != CONNECTION_BAD {
            let events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            let ready = poll(&descriptor, 1, deadline.milliseconds)
            if ready == 0, deadline.hasPassed { return target }
            if ready <= 0 { continue }
            step = PQconnectPoll(handle)
            if step == PGRES_POLLING_OK || step == PGRES_POLLING_FAILED { return nil }
            let next = self.target(of: handle)
            if next != target { deadline = newDeadline }
            target = next
        }
        return nil
    }

    private var newDeadline: Deadline {
        // libpq's own least is two seconds.
        limit > 0 ? Deadline(after: .seconds(max(2, limit))) : Deadline(afterNanoseconds: .max)
    }

    /// The target that libpq is at.
    private func target(of handle: OpaquePointer) -> Target? {
        func text(_ value: UnsafeMutablePointer<CChar>?) -> String {
            value.map { String(cString: $0) } ?? ""
        }
        let (host, address, port) = (
            text(PQhost(handle)), text(PQhostaddr(handle)), text(PQport(handle))
        )
        return targets.first { target in
            (target.port.isEmpty || target.port == port)
                && (target.address.isEmpty
                    ? target.host.isEmpty || target.host == host : target.address == address)
        }
    }

    /// Returns the addresses of all hosts, in their order.
    private func addresses() throws -> [Target] {
        func list(_ keyword: String) -> [String] {
            parameters.value(keyword)?.split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init) ?? []
        }
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        var found: [Target] = []
        var failure: Int32 = 0
        for index in 0..<max(hosts.count, addresses.count, 1) {
            let host = index < hosts.count ? hosts[index] : ""
            let address = index < addresses.count ? addresses[index] : ""
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            let server = ServerHost(host)
            if !address.isEmpty || server.isSocket {
                found.append(Target(host: host, address: address, port: port))
                continue
            }
            let status = Self.resolve(host) { address in
                found.append(Target(host: host, address: address, port: port))
            }
            if status != 0 { failure = status }
        }
        if !found.isEmpty { return found }
        throw DBClientError(
            .connectionLost,
            "The name of the server's host has no address.",
            engineMessage: gai_strerror(failure).map { String(cString: $0) }
        )
    }

    /// Visits the addresses of a name in the order in which they are to be tried, and returns the resolver's
    /// code.
    private static func resolve(_ name: String, _ visit: (String) -> Void) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = streamType
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &list)
        guard status == 0 else { return status }
        defer { freeaddrinfo(list) }
        var seen: Set<String> = []
        var next = list
        while let entry = next {
            var text = [CChar](repeating: 0, count: 128)
            let length = socklen_t(text.count)
            let size = entry.pointee.ai_addrlen
            let address = entry.pointee.ai_addr
            if getnameinfo(address, size, &text, length, nil, 0, NI_NUMERICHOST) == 0 {
                let end = text.firstIndex(of: 0) ?? text.endIndex
                let found = String(
                    decoding: text[..<end].map(UInt8.init(bitPattern:)),
                    as: UTF8.self
                )
                if seen.insert(found).inserted { visit(found) }
            }
            next = entry.pointee.ai_next
        }
        return 0
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
        #else
        SOCK_STREAM
        #endif
    }
}
