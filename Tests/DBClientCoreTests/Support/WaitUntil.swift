import Testing

/// Waits for something that happens soon.
func waitUntil(_ condition: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(300)
    while !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("What was waited for did not happen.")
            return
        }
        try? await Task.sleep(for: .milliseconds(1))
    }
}
