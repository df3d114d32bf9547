import DBClientCore
import DBClientSQL
import Synchronization
import Testing

@testable import DBClientPostgreSQL

/// What writers know of their writes, each to a row of its own.
final class Tally: Sendable, CustomStringConvertible {
    private struct State {
        var acknowledged = [Int](repeating: 0, count: 64)
        var unknown: [(writer: Int, error: DBClientError)] = []
        var failed = 0
    }

    private let state = Mutex(State())

    var failed: Int { state.withLock { $0.failed + $0.unknown.count } }

    var description: String {
        state.withLock {
            "\($0.acknowledged.reduce(0, +)) acknowledged, \($0.failed) refused, "
                + "\($0.unknown.count) unknown"
        }
    }

    /// Has writers add one to their rows as long as a condition holds and the task is not cancelled, as it is where
    /// the test that has them write fails.
    func run(
        writers: Int,
        on client: SQLDBClient,
        while isWanted: @escaping @Sendable () -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask { [self] in
                    while isWanted(), !Task.isCancelled { await write(writer, client) }
                }
            }
        }
    }

    private func write(_ writer: Int, _ client: SQLDBClient) async {
        do {
            try await client.write { transaction in
                let value = try transaction.find(Counter.self, key: writer)?.value ?? 0
                try transaction.update(Counter(writer, value + 1))
            }
            state.withLock { $0.acknowledged[writer] += 1 }
        } catch {
            guard let error = error as? DBClientError else { return }
            if error.code == .commitOutcomeUnknown {
                state.withLock { $0.unknown.append((writer, error)) }
            } else {
                state.withLock { $0.failed += 1 }
                // A server that is away is not asked more often than that.
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Compares what is stored with what was acknowledged, and asks about what is unknown.
    ///
    /// A server that was killed cannot tell for sure what it committed before.
    func check(on client: SQLDBClient, wasKilled: Bool = false) async throws {
        let (acknowledged, unknown) = state.withLock { ($0.acknowledged, $0.unknown) }
        var expected = acknowledged
        var doubtful = acknowledged.map { _ in 0 }
        for (writer, error) in unknown {
            switch try await client.commitOutcome(of: error) {
            case .committed: expected[writer] += 1
            case .rolledBack: break
            case .unknown where wasKilled: doubtful[writer] += 1
            case let outcome: Issue.record("The outcome of a commit is \(outcome).")
            }
        }
        for counter in try await client.findAll(Counter.self) {
            let (least, more) = (expected[counter.id], doubtful[counter.id])
            #expect(least...least + more ~= counter.value, "writer \(counter.id)")
        }
    }
}
