import DBClientCore

/// Where the content of a live object comes from, and how two contents differ.
struct LiveFeed<Content: Sendable>: Sendable {
    /// Begins to follow the store; called again after a failure.
    let open: @Sendable () -> LivePuller<Content>
    /// Returns how a content differs from the one that is shown, nil where none is.
    let difference: @Sendable (Content?, Content) -> LiveChange
}

/// One observation of the store, used by one task.
struct LivePuller<Content: Sendable> {
    /// Returns the next content, waiting for it; nil when the task was cancelled.
    let next: () async throws -> LiveStep<Content>?
}

/// One result of an observation: the first, or one after a change.
enum LiveStep<Content: Sendable>: Sendable {
    /// The content when the observation began.
    case initial(Content)
    /// The content after a change, and how it differs from what was told before.
    case update(Content, LiveChange)
}

/// A task that follows the store for a live object.
struct LiveProducer: Sendable {
    let id: Int
    let task: Task<Void, Never>
}

/// The way from such a task to its object, which it does not keep alive.
@MainActor
final class LiveLink<Content: Sendable> {
    weak var core: LiveCore<Content>?

    init(_ core: LiveCore<Content>) {
        self.core = core
    }

    func prepare(_ id: Int) -> LiveBase<Content>? { core?.prepare(id) }

    func take(_ id: Int, _ content: Content, _ change: LiveChange) -> LiveBase<Content>? {
        core?.take(id, content, change)
    }

    func fail(_ id: Int, _ error: DBClientError) -> Bool { core?.fail(id, error) ?? false }
}

/// A content that is shown, or was; nil where none was.
struct LiveBase<Content: Sendable>: Sendable {
    let content: Content?
}

extension LiveFeed {
    /// Returns a feed whose every observation throws an error at once.
    static func failing(_ error: DBClientError) -> LiveFeed {
        LiveFeed(open: { LivePuller { throw error } }, difference: { _, _ in LiveChange() })
    }

    /// Follows the store until the task is cancelled or an error is not to be retried.
    ///
    /// All that costs time is done here and not on the main actor: reading, comparing, and letting go of what is no longer
    /// shown.
    func run(_ id: Int, _ link: LiveLink<Content>, _ gate: LiveGate, _ retry: LiveRetry) async {
        var pause = retry.first
        while !Task.isCancelled {
            do {
                await gate.pass()
                let puller = open()
                while let step = try await puller.next() {
                    await gate.pass()
                    guard await tell(step, id, link) else { return }
                    pause = retry.first
                    await gate.pass()
                }
                return
            } catch {
                let error = DBClientError.wrapping(error)
                guard await link.fail(id, error), retry.covers(error) else { return }
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, retry.longest)
        }
    }

    /// Returns whether the object still wants to be told.
    private func tell(_ step: LiveStep<Content>, _ id: Int, _ link: LiveLink<Content>) async -> Bool
    {
        let content: Content
        let change: LiveChange
        switch step {
        case .initial(let first):
            guard let base = await link.prepare(id) else { return false }
            content = first
            change = difference(base.content, first)
        case .update(let next, let difference):
            content = next
            change = difference
        }
        // What it returns is released here.
        return await link.take(id, content, change) != nil
    }
}
