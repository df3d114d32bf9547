import DBClientCore
import DBClientSQL
import Foundation
import Synchronization
import Testing

@testable import DBClientPostgreSQL

extension Server {
    /// Returns a client that shares nothing with the others in this process, as if it were in another.
    static func clientElsewhere(_ url: String, schema: String? = nil) async throws -> SQLDBClient {
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        var parameters = try ConnectionString.parameters(url, configuration)
        parameters.process = UUID().uuidString
        return try await onThread { [parameters, configuration] in
            try SQLDBClient.postgreSQLBlocking(parameters, configuration)
        }
    }
}

/// Runs a body that blocks.
func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// What an observer has made of the changes that it was told.
final class ObservedTable: Sendable {
    private let state = Mutex<(rows: [Counter]?, failure: (any Error)?)>((nil, nil))
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ changes: ChangeStream<Counter>) {
        task.withLock {
            $0 = Task { [weak self] in
                do {
                    for try await change in changes { self?.take(change) }
                } catch {
                    self?.state.withLock { $0.failure = error }
                }
            }
        }
    }

    deinit {
        task.withLock { $0?.cancel() }
    }

    private func take(_ change: Change<Counter>) {
        state.withLock { state in
            switch change {
            case .initial(let rows): state.rows = Array(rows)
            case .update(let changes): state.rows = Array(changes.objects)
            }
        }
    }

    /// Waits until the rows are these, blocking the thread.
    func waits(for expected: [Counter]) -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while state.withLock({ $0.rows }) != expected {
            guard ContinuousClock.now < end else { return false }
            usleep(1_000)
        }
        return true
    }

    /// Waits until the rows are these.
    func settle(_ expected: [Counter]) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let (rows, failure) = state.withLock { $0 }
            if let failure { throw failure }
            if rows == expected { return }
            guard ContinuousClock.now < end else {
                Issue.record("The observer has \(rows ?? []) and not \(expected).")
                return
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// What an observer of a value was told last.
final class ObservedValue<Value: Equatable & Sendable>: Sendable {
    private let state = Mutex<(value: Value?, failure: (any Error)?)>((nil, nil))
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ values: ValueStream<Value>) {
        task.withLock {
            $0 = Task { [weak self] in
                do {
                    for try await value in values { self?.state.withLock { $0.value = value } }
                } catch {
                    self?.state.withLock { $0.failure = error }
                }
            }
        }
    }

    deinit {
        task.withLock { $0?.cancel() }
    }

    /// Waits until the value is this.
    func settle(_ expected: Value) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let (value, failure) = state.withLock { $0 }
            if let failure { throw failure }
            if value == expected { return }
            guard ContinuousClock.now < end else {
                Issue.record("The observer has \(String(describing: value)), not \(expected).")
                return
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// The commits that a listener was told of.
final class ObservedFeed: Sendable {
    private let state = Mutex<(commits: [CommitChanges<Counter>], failure: (any Error)?)>(([], nil))
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ feed: CommitFeed<Counter>) {
        let commits = Iterator(feed.makeAsyncIterator())
        task.withLock {
            $0 = Task { [weak self] in
                do {
                    while let commit = try await commits.next() {
                        self?.state.withLock { $0.commits.append(commit) }
                    }
                } catch {
                    self?.state.withLock { $0.failure = error }
                }
            }
        }
    }

    deinit {
        task.withLock { $0?.cancel() }
    }

    /// Waits until it was told of such a commit.
    func settle(_ isExpected: (CommitChanges<Counter>) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let (commits, failure) = state.withLock { $0 }
            if let failure { throw failure }
            if commits.contains(where: isExpected) { return }
            guard ContinuousClock.now < end else {
                Issue.record("The listener was told of \(commits.count) commits, not of this one.")
                return
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// An iterator that listens from its making on, used by one task.
    private final class Iterator: @unchecked Sendable {
        private var base: CommitFeed<Counter>.AsyncIterator

        init(_ base: CommitFeed<Counter>.AsyncIterator) {
            self.base = base
        }

        func next() async throws -> CommitChanges<Counter>? {
            try await base.next()
        }
    }
}
