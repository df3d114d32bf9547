#if os(Linux)
import CLibPQ
import DBClientCore
import Dispatch
import Foundation

/// A call that waits for a socket.
protocol ReactorHandler: AnyObject, Sendable {
    /// Called on the reactor's thread when the socket is ready, and every now and then while it is not.
    ///
    /// Returns what is to be waited for next; nil when it is done with the socket. It never blocks.
    func advance() -> Reactor.Interest?
}

/// One thread that waits for the sockets of all connections of a pool on which a call is under way that no
/// thread waits for.
final class Reactor: Sendable {
    /// What a socket is waited for.
    enum Interest {
        case input
        /// Either input or room for output, while there is something left to send.
        case inputOrRoom
    }

    private struct State {
        /// By the descriptors of their sockets.
        var handlers: [(any ReactorHandler)?] = []
        /// Whether the thread sleeps until there is an event.
        var sleepsLong = true
        /// Whether any handler waited since the last look at the clock.
        var wasUsed = false
        var isStopped = false

        mutating func take(_ socket: Int) -> (any ReactorHandler)? {
            guard handlers.indices.contains(socket) else { return nil }
            defer { handlers[socket] = nil }
            return handlers[socket]
        }
    }

    private let state = UnfairMutex(State())
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
    var count: Int { state.withLock { $0.handlers.count { $0 != nil } } }

    /// Has a handler called when a socket is ready, from now on and as often as it asks for it.
    ///
    /// At most one handler waits for a socket.
    func wait(for socket: Int32, _ interest: Interest, _ handler: any ReactorHandler) {
        let isAsleep = state.withLock { state in
            let missing = Int(socket) + 1 - state.handlers.count
            if missing > 0 { state.handlers += repeatElement(nil, count: missing) }
            state.handlers[Int(socket)] = handler
            state.wasUsed = true
            defer { state.sleepsLong = false }
            return state.sleepsLong
        }
        var event = epoll_event(
            events: EPOLLONESHOT.rawValue | EPOLLIN.rawValue
                | (interest == .inputOrRoom ? EPOLLOUT.rawValue : 0),
            data: epoll_data_t(fd: socket)
        )
        // The system forgets a socket that is closed.
        if epoll_ctl(queue, EPOLL_CTL_MOD, socket, &event) != 0, errno == ENOENT {
            epoll_ctl(queue, EPOLL_CTL_ADD, socket, &event)
        }
        if isAsleep { eventfd_write(bell, 1) }
    }

    /// Ends the thread, once no handler waits any more.
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
        if let interest = handler.advance() { wait(for: socket, interest, handler) }
    }

    /// Calls the handlers that wait, and returns whether none has waited for a while.
    private func callAll() -> Bool {
        let handlers = state.withLock { state in
            defer { state.handlers = [] }
            state.sleepsLong = !state.wasUsed && state.handlers.allSatisfy { $0 == nil }
            state.wasUsed = false
            return state.handlers
        }
        for (socket, handler) in handlers.enumerated() {
            if let handler { call(handler, Int32(socket)) }
        }
        return state.withLock { $0.sleepsLong }
    }
}
#endif
