import DBClientCore
import Synchronization

/// An observer of something that is compared as text: what it was told, in order, on a task of its own.
final class TextFollower: Sendable {
    private struct State {
        var last: String?
        /// What was told since it was checked last.
        var told: [String] = []
        var failure: (any Error)?
        /// Where in the history the last state that was checked is, at the earliest.
        var place = 0
    }

    private final class Shared: Sendable {
        let state = Mutex(State())

        func follow(_ body: (_ told: (String) -> Void) async throws -> Void) async {
            do {
                try await body { text in
                    state.withLock { state in
                        state.last = text
                        state.told.append(text)
                    }
                }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    private let name: String
    private let shared: Shared
    private let task: Task<Void, Never>

    /// Listens to values, each told by its text.
    init<Value: Sendable>(
        _ name: String,
        _ stream: ValueStream<Value>,
        text: @escaping @Sendable (Value) -> String
    ) {
        self.name = name
        let shared = Shared()
        self.shared = shared
        task = Task {
            await shared.follow { told in for try await value in stream { told(text(value)) } }
        }
    }

    /// Listens to rows, and checks that each change leads from the rows before to those after it.
    init<Row: Sendable>(_ name: String, _ stream: SelectStream<Row>) {
        self.name = name
        let shared = Shared()
        self.shared = shared
        task = Task {
            await shared.follow { told in
                var copy: [String] = []
                for try await change in stream {
                    let rows = change.rows.map { "\($0)" }
                    if let previous = change.previous {
                        try expectEqual(previous.map { "\($0)" }, copy, "\(name): the rows before:")
                        // Texts that look alike may be of other scalars, and keys of groups then differ.
                        let isSame = copy.elementsEqual(rows) { $0.utf8.elementsEqual($1.utf8) }
                        // A row may make way for another one that looks alike.
                        try expect(
                            !isSame || !change.insertions.isEmpty,
                            "\(name): a change changes nothing"
                        )
                    }
                    for position in change.deletions.reversed() { copy.remove(at: position) }
                    for position in change.insertions { copy.insert(rows[position], at: position) }
                    for modification in change.modifications {
                        copy[modification.to] = rows[modification.to]
                    }
                    try expectEqual(copy, rows, "\(name): the change leads elsewhere:")
                    told("\(Array(change.rows))")
                }
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits until what was told last is what a text says.
    func settle(_ expected: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let (last, failure) = shared.state.withLock { ($0.last, $0.failure) }
            if let failure { throw failure }
            if last == expected { return }
            guard ContinuousClock.now < deadline else {
                return try expectEqual(last, expected, "\(name) went wrong:")
            }
            try await Task.sleep(for: .microseconds(100))
        }
    }

    /// Checks that what was told since the last check are states of a history, in its order.
    func check(against history: [String]) throws {
        try shared.state.withLock { state in
            defer { state.told = [] }
            for text in state.told {
                guard let place = history[state.place...].firstIndex(of: text) else {
                    throw ConformanceFailure(
                        "\(name) was told what the store did not have then: \(text)\nof \(history[state.place...])"
                    )
                }
                state.place = place
            }
        }
    }
}
