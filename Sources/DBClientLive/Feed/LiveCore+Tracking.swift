extension LiveCore {
    /// The state, noted as what the present tracking depends on.
    var trackedState: LiveState {
        stateSignal.access()
        return state
    }

    /// Whether it is paused, noted likewise.
    var trackedIsPaused: Bool {
        stateSignal.access()
        return isPaused
    }
}
