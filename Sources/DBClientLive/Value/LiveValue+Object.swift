import DBClientCore

extension LiveValue {
    /// Whether what is shown is what the store has.
    public var state: LiveState { core.trackedState }

    /// Whether changes are held back: from ``pause()`` or after the time of ``pause(after:)``, until ``resume()``.
    public var isPaused: Bool { core.trackedIsPaused }

    /// Keeps showing what is shown, until ``resume()``; what is committed meanwhile is not lost.
    public func pause() { core.pause() }

    /// Pauses after a time in which ``resume()`` is not called, for views that are hidden.
    public func pause(after duration: Duration) { core.pause(after: duration) }

    /// Goes on: what was missed comes as one change.
    public func resume() { core.resume() }

    /// Begins anew after an error: the state is ``LiveState/loading`` until a result is there.
    public func retry() { core.retry() }
}
