import Foundation
import Synchronization

/// Wakes a thread that waits for a socket.
final class WakeupPipe: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let closed = Atomic(false)

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        closeDescriptor(reading)
        closeDescriptor(writing)
    }

    /// Ends this wait and all later ones.
    func close() {
        closed.store(true, ordering: .releasing)
        signal()
    }

    /// Ends one wait, or the next one.
    func signal() {
        _ = write(writing, [1], 1)
    }

    /// Forgets the signals given until now.
    func drain() {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 256)
        if poll(&descriptor, 1, 0) == 1 { _ = read(reading, &bytes, bytes.count) }
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Waits for a signal, at most some milliseconds, and returns whether the pipe is closed.
    func wait(_ milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
        return isClosed
    }

    /// Waits until a socket can be read, a signal comes or the time is over.
    func wait(_ milliseconds: Int32, orFor socket: Int32) {
        var descriptors = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, milliseconds)
    }
}

/// The C function, which the method of the same name hides.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
