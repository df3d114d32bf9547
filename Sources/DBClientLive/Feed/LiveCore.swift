import DBClientCore

/// What all live objects are made of: the content that is shown, its state, and the task that follows the store.
///
/// A new feed does not end the former one: that one goes on until the new one has its first content, so that what is shown
/// stays live. What comes later from a feed that was replaced is dropped.
@MainActor
final class LiveCore<Content: Sendable> {
    let contentSignal = LiveSignal()
    let stateSignal = LiveSignal()
    private let gate = LiveGate()
    private let retrying: LiveRetry
    private var feed: LiveFeed<Content>?
    /// What is shown; nil before the first content.
    private(set) var content: Content?
    /// What was shown before the last change.
    private(set) var previous: Content?
    private(set) var lastChange: LiveChange?
    /// How often content was set: zero before the first, and one more with each change that shows.
    private(set) var revision = 0
    private(set) var state = LiveState.loading
    private(set) var isPaused = false
    /// Whether a feed is on its way of which the state says nothing.
    private(set) var isWidening = false
    /// The task whose content is shown, and the newest.
    private var shown: LiveProducer?
    private var current: LiveProducer?
    private var count = 0
    /// The feed that the content is of.
    private var source = 0
    private var pausing: Task<Void, Never>?

    /// Whether the content is of the feed that was begun last.
    var isNewest: Bool { source == count }

    init(_ retry: LiveRetry) {
        retrying = retry
    }

    deinit {
        shown?.task.cancel()
        current?.task.cancel()
        pausing?.cancel()
        // The last reference may go on the main actor, which has better things to do than to release a hundred thousand
        // values.
        let kept = (content, previous)
        Task.detached { withExtendedLifetime(kept) {} }
    }

    /// Begins to follow a feed in the place of the present one.
    ///
    /// - Parameters:
    ///   - feed: The new feed.
    ///   - isWider: Whether it has what is shown and more, so that what is shown is no less right meanwhile.
    func begin(_ feed: LiveFeed<Content>, isWider: Bool = false) {
        self.feed = feed
        if current?.id != shown?.id { current?.task.cancel() }
        count += 1
        let (id, link, gate, retrying) = (count, LiveLink(self), gate, retrying)
        current = LiveProducer(
            id: id,
            task: Task.detached { await feed.run(id, link, gate, retrying) }
        )
        if isWider {
            stateSignal.change { isWidening = true }
        } else {
            show(.loading)
        }
    }

    /// Begins the same feed again, to end the state `failed`.
    func retry() {
        if let feed { begin(feed) }
    }

    // MARK: From the tasks

    /// Ends the former feed, and returns the content to compare the new one's with; nil for a feed that was replaced.
    func prepare(_ id: Int) -> LiveBase<Content>? {
        guard let current, current.id == id else { return nil }
        if shown?.id != id { shown?.task.cancel() }
        shown = current
        return LiveBase(content: content)
    }

    /// Shows a content, and returns the one that nothing needs any longer; nil for a feed that was replaced.
    func take(_ id: Int, _ new: Content, _ change: LiveChange) -> LiveBase<Content>? {
        guard shown?.id == id else { return nil }
        let released = previous
        source = id
        // Nothing has changed where the feed began anew, unless it is the first.
        if !change.isEmpty || content == nil {
            contentSignal.change {
                previous = content
                content = new
                lastChange = change
                revision += 1
            }
        }
        if current?.id == id { show(.ready) }
        return LiveBase(content: released)
    }

    /// Notes an error, and returns whether the feed may try again.
    func fail(_ id: Int, _ error: DBClientError) -> Bool {
        guard let current, current.id == id else { return false }
        if shown?.id != id {
            shown?.task.cancel()
            shown = nil
        }
        show(.failed(error))
        return true
    }

    private func show(_ state: LiveState) {
        if case .ready = state, case .ready = self.state, !isWidening { return }
        if case .loading = state, case .loading = self.state, !isWidening { return }
        stateSignal.change {
            self.state = state
            isWidening = false
        }
    }

    // MARK: Pauses

    func pause() {
        pausing?.cancel()
        pausing = nil
        if isPaused { return }
        gate.close()
        stateSignal.change { isPaused = true }
    }

    func pause(after duration: Duration) {
        pausing?.cancel()
        pausing = Task { [weak self] in
            try? await Task.sleep(for: duration)
            if !Task.isCancelled { self?.pause() }
        }
    }

    func resume() {
        pausing?.cancel()
        pausing = nil
        if !isPaused { return }
        gate.open()
        stateSignal.change { isPaused = false }
    }
}
