import DBClientCore
import DBClientLive
import Observation

@testable import DBClientTesting

/// Looks at each result that a live object shows, and checks that its last change makes it of the one before.
@MainActor
final class LiveFollower {
    private(set) var told: [[Hero]] = []
    private(set) var violations = 0
    private let live: LiveResults<Hero>

    init(_ live: LiveResults<Hero>) {
        self.live = live
        look()
    }

    private func look() {
        let values = withObservationTracking {
            live.values
        } onChange: { [weak self] in
            Task { @MainActor in self?.look() }
        }
        guard let change = live.lastChange else { return }
        var copy = Array(live.previous)
        change.apply(to: &copy, from: values)
        if copy != Array(values) || change.isEmpty && !copy.isEmpty { violations += 1 }
        told.append(Array(values))
    }
}
