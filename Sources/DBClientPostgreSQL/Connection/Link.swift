import CLibPQ
import DBClientCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The line to the server: libpq's connection, sent to and read from without ever blocking longer
/// than a deadline.
///
/// libpq alone waits for ever on a server that is frozen or on packets that are dropped. So it is put
/// into non-blocking mode, and all waiting is done here. A deadline that passes breaks the link: what
/// the server does with the statement is not known then.
final class Link {
    let handle: OpaquePointer
    /// Whether nothing can be sent any more.
    @exclusivity(unchecked) private(set) var isBroken = false
    /// Whether what is received passes through a library that decrypts it.
    ///
    /// It reads a record whole, and keeps what libpq has no room for. The socket says nothing of that, so it is
    /// asked for before the socket is waited for.
    private let isEncrypted: Bool

    /// Connects; each address has `connect_timeout` for itself.
    init(_ parameters: ConnectionParameters) throws {
        var attempt = ConnectionAttempt(parameters)
        let handle = try attempt.run()
        if PQstatus(handle) != CONNECTION_OK, PostgreSQLError.isUntold(handle) {
            // The server gave a reason in a language of its own. Asked again, it gives the code of it.
            PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
            PQreset(handle)
            PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        }
        guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else {
            defer { PQfinish(handle) }
            throw PostgreSQLError.connecting(handle, parameters)
        }
        self.handle = handle
        isEncrypted = PQsslInUse(handle) != 0 || PQgssEncInUse(handle) != 0
    }

    deinit {
        PQfinish(handle)
    }

    /// Whether the server has hung up or said something while nothing was asked.
    var hasBeenClosed: Bool {
        if isBroken || PQstatus(handle) != CONNECTION_OK { return true }
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        // A farewell may come before the end itself.
        while poll(&descriptor, 1, 0) != 0 {
            if PQconsumeInput(handle) == 0 || PQstatus(handle) != CONNECTION_OK { return true }
        }
        return false
    }

    /// Whether the server is a standby; nil when it does not report that, as before version 14.
    var tellsStandby: Bool? {
        PQparameterStatus(handle, "in_hot_standby").map { String(cString: $0) == "on" }
    }

    /// Returns what the server reports of itself under a name.
    func reported(_ name: String) -> String? {
        PQparameterStatus(handle, name).map { String(cString: $0) }
    }

    /// The server's command line for the session, from the option `options` of the connection.
    var options: String { PQoptions(handle).map { String(cString: $0) } ?? "" }

    /// A hash of the server's address, which identifies it where it reports no identifier.
    var addressHash: Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in [PQhost(handle), PQhostaddr(handle), PQport(handle)] {
            for byte in (part.map { String(cString: $0) } ?? "").utf8 + [0] {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
        }
        return Int64(bitPattern: hash)
    }

    /// Sends what libpq was given, reading what comes meanwhile.
    func flush(_ deadline: Deadline) throws {
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1: try wait(for: writable, deadline)
            default: throw broken()
            }
        }
    }

    /// Reads what has arrived without waiting.
    func consume() throws {
        repeat { try take() } while isEncrypted && isBusy && isReadable
        // A socket with nothing left leaves room for the rest of one record.
        if isEncrypted, !isReadable { try take() }
    }

    private func take() throws {
        guard PQconsumeInput(handle) != 0 else { throw broken() }
    }

    private var isReadable: Bool {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// Sends what libpq was given as far as there is room, and returns whether that was all.
    func flushAtOnce() throws -> Bool {
        let rest = PQflush(handle)
        guard rest >= 0 else { throw broken() }
        return rest == 0
    }

    /// Breaks the link when a deadline has passed.
    func check(_ deadline: Deadline) throws {
        guard deadline.hasPassed else { return }
        isBroken = true
        throw PostgreSQLError.timedOut
    }

    /// The descriptor of the socket, to wait for; -1 when the connection is lost.
    var socket: Int32 { PQsocket(handle) }

    /// Returns the next result of what was sent; nil at the end of a statement's results.
    @inline(__always)
    func nextResult(_ deadline: @autoclosure () -> Deadline) throws -> OpaquePointer? {
        if isBusy {
            let deadline = deadline()
            repeat { try wait(for: Int16(POLLIN), deadline) } while isBusy
        }
        return PQgetResult(handle)
    }

    /// Whether the next result has not arrived yet.
    @inline(__always)
    var isBusy: Bool { PQisBusy(handle) != 0 }

    /// Waits until the socket can be read, or, if asked for, written.
    func wait(for events: Int16, _ deadline: Deadline) throws {
        var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
        var limit = isEncrypted ? 0 : Int32.max
        while true {
            let rest = deadline.milliseconds
            let ready = rest > 0 ? poll(&descriptor, 1, min(rest, limit)) : 0
            if ready > 0 { break }
            if ready < 0 {
                if errno != EINTR { throw broken() }
            } else if rest <= limit {
                isBroken = true
                throw PostgreSQLError.timedOut
            } else {
                try take()
                if events == Int16(POLLIN), !isBusy { return }
                limit = Self.interval
            }
        }
        if Int32(descriptor.revents) & ~POLLOUT != 0, PQconsumeInput(handle) == 0 {
            throw broken()
        }
    }

    /// How long an encrypted socket is waited for at a time, in milliseconds: a record may have come between
    /// the look at the socket and the reading that was to find the rest of the one before.
    private static let interval: Int32 = 100

    /// Hangs up in the middle of what was under way.
    func breakOff() {
        isBroken = true
    }

    /// Returns the error of a call that says the connection is gone.
    func broken() -> DBClientError {
        isBroken = true
        return PostgreSQLError.lost(handle)
    }
}

/// The events that wake a thread that wants to write: input as well, so that it does not wait in vain for
/// a server that first wants its answer read.
let writable = Int16(POLLIN | POLLOUT)
