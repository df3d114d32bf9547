import Observation

/// Tells observers that track it with `withObservationTracking`, as views do, that something is about to change.
///
/// One for each property that changes by itself, instead of a key path of its owner: a key path into a generic type is
/// made anew each time, and a list asks for each of its elements.
final class LiveSignal: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// What is tracked; it has no value.
    private var mark: Void { () }

    /// Notes that the present tracking depends on it.
    func access() {
        registrar.access(self, keyPath: \.mark)
    }

    /// Runs what changes, and tells the observers that track it.
    func change(_ body: () -> Void) {
        registrar.withMutation(of: self, keyPath: \.mark, body)
    }
}
