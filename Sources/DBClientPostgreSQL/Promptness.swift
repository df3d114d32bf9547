#if os(Linux)
import CLibPQ
import Foundation

/// Whether a connection's server answers in less time than it takes to change threads.
///
/// A task that is suspended costs two changes of threads' worth of processor time, and of the time until it has its
/// answer; a server on the same machine has answered by then. So whoever is the only caller waits for it, no longer
/// than that. After an answer that did not come in time, twice as many calls as before do not wait.
struct Promptness {
    private var pause = 0
    private var left = 0

    private static let longestPause = 1_023

    /// Whether it is worth while to wait, asked once for each call.
    var isExpected: Bool {
        mutating get {
            if left == 0 { return true }
            left -= 1
            return false
        }
    }

    /// Notes whether the answer came in time.
    mutating func note(_ isPrompt: Bool) {
        pause = isPrompt ? 0 : min(2 * pause + 1, Self.longestPause)
        left = pause
    }
}

extension Link {
    /// Waits a tenth of a millisecond at most, and returns whether something has arrived.
    func waitBriefly() -> Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        var limit = timespec(tv_sec: 0, tv_nsec: 100_000)
        return ppoll(&descriptor, 1, &limit, nil) > 0
    }
}
#endif
