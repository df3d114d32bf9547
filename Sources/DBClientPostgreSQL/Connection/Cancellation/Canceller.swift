import CLibPQ
import DBClientCore
import Foundation

/// A means to end, from another thread, the statement that a connection runs.
///
/// It is used only while the connection is.
final class Canceller: @unchecked Sendable {
    // Written once; libpq allows for its use by any thread.
    private let handle: OpaquePointer?
    private let socket: Int32
    /// How long the server has to hear a request and to end the statement.
    let limit: Duration

    init(_ link: Link, limit: Duration) {
        handle = PQgetCancel(link.handle)
        socket = PQsocket(link.handle)
        self.limit = limit
    }

    deinit {
        PQfreeCancel(handle)
    }

    /// Asks the server to end the statement, on a thread of its own: libpq waits without a limit until the
    /// server has heard.
    func request() -> CancelRequest {
        let request = CancelRequest(limit)
        let thread = Thread { [self] in
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &message, Int32(message.count))
            request.end()
        }
        thread.name = "DBClientPostgreSQL.cancel"
        thread.stackSize = 1 << 19
        thread.start()
        return request
    }

    /// Shuts the socket down, so that a thread that waits for the server finds the connection lost.
    func hangUp() {
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
