#if os(Linux)
import CLibPQ
import Dispatch
import Foundation
import Synchronization

/// Who waits for a socket.
protocol ReactorHandler: AnyObject, Sendable {
    /// Called on the reactor's thread when the socket is ready, and every now and then while it is not.
    ///
    /// Returns what is to be waited for next; nil when it is done with the socket. It never blocks.
    func advance() -> Reactor.Interest?
}

/// One thread that waits for the sockets of all connections of a pool on which a call is under way that no
/// thread waits for.
///
/// The system is told of a socket once, not for each call, and tells what arrives then (edge-triggered): also
/// while nobody waits, which is remembered for who comes next.
final class Reactor: Sendable {
    /// What a socket is waited for.
    enum Interest {
        case input
        /// Input, or room for output.
        case inputOrRoom
    }

    /// What is known of a socket.
    private struct Place {
        var handler: (any ReactorHandler)?
        /// Whether the socket became ready while nobody waited for it.
        var isReady = false
    }

    private struct State {
        /// By the descriptors of the sockets.
        var places: [Place] = []
        /// Whether the thread sleeps until there is an event.
        var sleepsLong = true
        /// Whether anybody waited since the last look at the clock.
        var wasUsed = false
        var isStopped = false

        /// Returns who waits for a socket that is ready, and waits no more.
        mutating func take(_ socket: Int) -> (any ReactorHandler)? {
            defer { places[socket].handler = nil }
            if places[socket].handler == nil { places[socket].isReady = true }
            return places[socket].handler
        }

        /// Has a handler wait for a socket, unless that is ready.
        mutating func put(_ handler: any ReactorHandler, at socket: Int) -> Bool {
            if places[socket].isReady {
                places[socket].isReady = false
                return false
            }
            places[socket].handler = handler
            wasUsed = true
            return true
        }
    }

    private let state = Mutex(State())
    private let queue: Int32
    private let bell: Int32

    /// How long a handler waits for its socket, in milliseconds, until it is called all the same: how exact
    /// its deadline is.
    private static let interval: Int32 = 100

    /// Starts the thread; nil when the process may open no more files.
    init?() {
        queue = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard queue >= 0 else { return nil }
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: bell))
        guard bell >= 0, epoll_ctl(queue, EPOLL_CTL_ADD, bell, &event) == 0 else {
            if bell >= 0 { close(bell) }
            close(queue)
            return nil
        }
        let thread = Thread { [self] in
            run()
            close(bell)
            close(queue)
        }
        thread.name = "DBClientPostgreSQL.reactor"
        thread.stackSize = 2 << 20
        thread.start()
    }

    /// How many sockets are waited for.
    var count: Int { state.withLock { $0.places.count { $0.handler != nil } } }

    /// Has a handler called when a link's socket is ready, from now on and as often as it asks for it.
    ///
    /// At most one handler waits for a socket.
    ///
    /// - Returns: Whether it waits; false when the socket has become ready meanwhile, so that the caller is
    ///   the one to advance it.
    func wait(for link: Link, _ interest: Interest, _ handler: any ReactorHandler) -> Bool {
        if link.reactor == nil { add(link) }
        if interest == .inputOrRoom { tell(link.socket, EPOLL_CTL_MOD, .inputOrRoom) }
        let (waits, isAsleep) = state.withLock { state in
            guard state.put(handler, at: Int(link.socket)) else { return (false, false) }
            defer { state.sleepsLong = false }
            return (true, state.sleepsLong)
        }
        if isAsleep { eventfd_write(bell, 1) }
        return waits
    }

    /// Has the system tell of a link's socket, until that is closed or a thread waits for it itself.
    private func add(_ link: Link) {
        let socket = Int(link.socket)
        state.withLock { state in
            let missing = socket + 1 - state.places.count
            if missing > 0 { state.places += repeatElement(Place(), count: missing) }
            // Another link had the number before.
            state.places[socket] = Place()
        }
        tell(link.socket, EPOLL_CTL_ADD, .input)
        link.reactor = self
    }

    /// Has the system tell of a socket no more.
    func forget(_ socket: Int32) {
        tell(socket, EPOLL_CTL_DEL, .input)
    }

    private func tell(_ socket: Int32, _ operation: Int32, _ interest: Interest) {
        var event = epoll_event(
            events: EPOLLET.rawValue | EPOLLIN.rawValue
                | (interest == .inputOrRoom ? EPOLLOUT.rawValue : 0),
            data: epoll_data_t(fd: socket)
        )
        epoll_ctl(queue, operation, socket, &event)
    }

    /// Ends the thread; nobody waits any more.
    func stop() {
        state.withLock { $0.isStopped = true }
        eventfd_write(bell, 1)
    }

    private func run() {
        let capacity = 64
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        defer { events.deallocate() }
        var sleepsLong = true
        var nextRound = Deadline(after: .milliseconds(Int(Self.interval)))
        while true {
            let count = epoll_wait(queue, events, Int32(capacity), sleepsLong ? -1 : Self.interval)
            for index in 0..<max(Int(count), 0) {
                let socket = events[index].data.fd
                if socket == bell {
                    var rings: eventfd_t = 0
                    eventfd_read(bell, &rings)
                    if state.withLock({ $0.isStopped }) { return }
                } else if let handler = state.withLock({ $0.take(Int(socket)) }) {
                    call(handler, socket)
                }
            }
            sleepsLong = false
            if count == 0 || nextRound.hasPassed {
                nextRound = Deadline(after: .milliseconds(Int(Self.interval)))
                sleepsLong = callAll()
            }
        }
    }

    private func call(_ handler: any ReactorHandler, _ socket: Int32) {
        while let interest = handler.advance() {
            if interest == .inputOrRoom { tell(socket, EPOLL_CTL_MOD, interest) }
            if state.withLock({ $0.put(handler, at: Int(socket)) }) { return }
        }
    }

    /// Calls the handlers that wait, and returns whether nobody has for a while.
    private func callAll() -> Bool {
        let handlers = state.withLock { state in
            let handlers = state.places.map(\.handler)
            for socket in state.places.indices { state.places[socket].handler = nil }
            state.sleepsLong = !state.wasUsed && handlers.allSatisfy { $0 == nil }
            state.wasUsed = false
            return handlers
        }
        for (socket, handler) in handlers.enumerated() {
            if let handler { call(handler, Int32(socket)) }
        }
        return state.withLock { $0.sleepsLong }
    }
}
#endif
