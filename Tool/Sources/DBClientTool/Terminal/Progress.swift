import Foundation
import Synchronization

/// A line that tells how far a transfer is, on a terminal alone.
final class Progress: Sendable {
    private struct State {
        var isShown = false
        var last = ContinuousClock.now
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())
    private let isTold = Terminal.showsProgress

    /// Tells what is being done, how many rows are done and the part of all, if that is known.
    func tell(_ what: String, rows: Int, fraction: Double?) {
        guard isTold else { return }
        let line: String? = state.withLock { state in
            let now = ContinuousClock.now
            if state.isShown, now - state.last < .milliseconds(100) { return nil }
            state.isShown = true
            state.last = now
            return self.line(what, rows, fraction, after: now - start)
        }
        if let line { FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8)) }
    }

    /// Takes the line away.
    func end() {
        if state.withLock({ $0.isShown }) {
            FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
        }
    }

    private func line(
        _ what: String,
        _ rows: Int,
        _ fraction: Double?,
        after duration: Duration
    ) -> String {
        let seconds = max(duration / .seconds(1), 0.001)
        var parts = [what, "\(rows) rows", "\(Int(Double(rows) / seconds)) rows/s"]
        if let fraction, fraction > 0 {
            let done = Int(fraction * 20)
            let bar = String(repeating: "#", count: done) + String(repeating: ".", count: 20 - done)
            parts.insert("[\(bar)] \(Int(fraction * 100)) %", at: 0)
            parts.append("\(Int(seconds / fraction - seconds)) s left")
        }
        return parts.joined(separator: "  ")
    }
}
