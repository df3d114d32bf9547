import DBClientCore
import Synchronization

/// An observer that listens all the time, on a task of its own.
final class Follower<Model: StoredConvertible>: Sendable {
    private struct State {
        var copy = ObservedCopy<Model>()
        var failure: (any Error)?
        var isEnded = false
        /// What was told since it was asked last.
        var told: [[ObservedForm]] = []
        /// Where in the history the last state that was checked is, at the earliest.
        var place = 0
    }

    private let state: Shared
    private let task: Task<Void, Never>
    /// How long a change may take to come; what was lost is not waited for.
    private let patience: Duration

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Begins to listen, and loses an update of a number where it is to, as an observer may not.
    init(_ stream: ChangeStream<Model>, losing lost: Int? = nil) {
        let shared = Shared()
        state = shared
        patience = lost == nil ? .seconds(60) : .seconds(1)
        task = Task {
            do {
                var number = 0
                for try await change in stream {
                    defer { number += 1 }
                    if number == lost { continue }
                    try shared.state.withLock { state in
                        try state.copy.apply(change)
                        if let rows = state.copy.rows { state.told.append(rows) }
                    }
                }
            } catch {
                shared.state.withLock { $0.failure = error }
            }
            shared.state.withLock { $0.isEnded = true }
        }
    }

    deinit {
        task.cancel()
    }

    /// The number of change sets that have come so far.
    var updates: Int { state.state.withLock { $0.copy.updates } }

    /// Waits until the copy is what a request finds.
    func settle(_ fetch: () async throws -> [Model]) async throws {
        let expected = try await fetch().map { try ObservedForm($0) }
        let deadline = ContinuousClock.now + patience
        while true {
            let (rows, failure) = state.state.withLock { ($0.copy.rows, $0.failure) }
            if let failure { throw failure }
            if rows == expected { return }
            guard ContinuousClock.now < deadline else {
                return try expectEqual(rows, expected, "the observer missed something:")
            }
            try await Task.sleep(for: .microseconds(100))
        }
    }

    /// Checks that everything told since the last check is a state that the store has had, in the order
    /// of the states.
    ///
    /// `history` has every state since before the observation. Where the store has come back to a state,
    /// the copy may be what it should be while states in between are still on their way: those told
    /// since may be older than the last check.
    func check(against history: [[ObservedForm]]) throws {
        try state.state.withLock { state in
            defer { state.told = [] }
            for rows in state.told {
                let states = history[state.place...]
                guard let place = states.firstIndex(of: rows) else {
                    throw ConformanceFailure(
                        """
                        the observer was told of a state that the store did not have then: \(rows)
                        of \(states)
                        """
                    )
                }
                state.place = place
            }
        }
    }

    /// Waits until the observation has ended and returns the error that ended it.
    func end() async throws -> (any Error)? {
        let deadline = ContinuousClock.now + .seconds(60)
        while !state.state.withLock({ $0.isEnded }) {
            try expect(ContinuousClock.now < deadline, "the observation did not end")
            try await Task.sleep(for: .microseconds(100))
        }
        return state.state.withLock { $0.failure }
    }

    func cancel() {
        task.cancel()
    }
}
