import Foundation
import Synchronization

/// Looks every millisecond how much memory of no file the process has, of which the system keeps no peak.
final class MemorySampler: Sendable {
    private let state = Mutex((isRunning: true, peak: 0.0))
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to look.
    init() {
        Thread.detachNewThread { [self] in
            while state.withLock(\.isRunning) {
                let now = (try? ProcessMemory.anonymous()) ?? 0
                state.withLock { $0.peak = max($0.peak, now) }
                usleep(1_000)
            }
            ended.signal()
        }
    }

    /// Stops, and returns the most that there was.
    func end() throws -> Double {
        let now = try ProcessMemory.anonymous()
        let peak = state.withLock { state in
            state.isRunning = false
            return max(state.peak, now)
        }
        ended.wait()
        return peak
    }
}
