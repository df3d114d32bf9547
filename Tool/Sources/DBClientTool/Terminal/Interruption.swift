import Dispatch
import Foundation

/// Waits for the end that a command is told from outside.
package enum Interruption {
    /// Returns at the first interruption (`SIGINT`) or request to end (`SIGTERM`), or when the task is cancelled.
    package static func wait() async {
        let (signals, continuation) = AsyncStream<Void>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            // Else the process ends before the source is asked.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
        // A second interruption ends the process at once.
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
