public import DBClientCore
public import Observation

/// What every live object can do: tell its state, pause, and begin anew.
///
/// A live object is made by a client, is read and changed on the main actor, and tells the views that track it with
/// `withObservationTracking`, as SwiftUI's views do, before it changes. It follows the store until its last reference is
/// gone; nothing of the library keeps it alive.
@MainActor
public protocol LiveObject: AnyObject, Observable, Sendable {
    /// Whether it has what its request finds.
    var state: LiveState { get }

    /// Whether changes are held back: from ``pause()`` or after the time of ``pause(after:)``, until ``resume()``.
    var isPaused: Bool { get }

    /// Stops changing, until ``resume()``.
    ///
    /// What is committed meanwhile is not lost, and costs the main actor nothing.
    func pause()

    /// Pauses after a time in which ``resume()`` is not called, for views that are hidden.
    func pause(after duration: Duration)

    /// Goes on: what was missed comes as one change. If a change was on its way when the pause began, it comes first.
    func resume()

    /// Begins anew after an error: the state is ``LiveState/loading`` until a result is there.
    func retry()
}

extension LiveObject {
    /// The error that has ended it; nil while there is none.
    public var error: DBClientError? { state.error }
}
