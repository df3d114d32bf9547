import DBClientCore
import DBClientLive
import Observation
import Testing

/// Waits until something holds, and fails where it does not in a long time.
///
/// Other tests may hold all threads of the pool for a while.
@MainActor
func eventually(
    _ description: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: @MainActor () -> Bool
) async {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(300)
    while !condition() {
        if clock.now > end {
            Issue.record(description ?? "It does not come to hold.", sourceLocation: sourceLocation)
            return
        }
        try? await Task.sleep(for: .milliseconds(1))
    }
}

/// Counts how often what a closure reads is about to change, as a view does that is drawn again.
@MainActor
final class Tracker {
    private(set) var changes = 0
    private let read: @MainActor () -> Void

    init(_ read: @escaping @MainActor () -> Void) {
        self.read = read
        track()
    }

    private func track() {
        withObservationTracking(read) { [weak self] in
            MainActor.assumeIsolated {
                self?.changes += 1
                // It has not changed yet.
                Task { @MainActor in self?.track() }
            }
        }
    }
}
