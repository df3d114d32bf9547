import DBClientCore
import Synchronization

/// An observer of a number that listens all the time, on a task of its own.
final class CountFollower: Sendable {
    private struct State {
        var count: Int?
        var failure: (any Error)?
    }

    private let state: Shared
    private let task: Task<Void, Never>

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    init(_ stream: ValueStream<Int>) {
        let shared = Shared()
        state = shared
        task = Task {
            do {
                for try await count in stream { shared.state.withLock { $0.count = count } }
            } catch {
                shared.state.withLock { $0.failure = error }
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits until the number is what a request counts.
    func settle(_ fetch: () async throws -> Int) async throws {
        let expected = try await fetch()
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let (count, failure) = state.state.withLock { ($0.count, $0.failure) }
            if let failure { throw failure }
            if count == expected { return }
            guard ContinuousClock.now < deadline else {
                return try expectEqual(count, expected, "the observed number went wrong:")
            }
            try await Task.sleep(for: .microseconds(100))
        }
    }
}
