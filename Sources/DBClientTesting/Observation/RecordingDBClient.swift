import DBClientCore
import Synchronization

/// A client that writes down, within each transaction that writes, what some requests find in the end.
///
/// Where one task writes at a time, this is every state that the store has had.
final class RecordingDBClient<Model: Stored>: DBClient {
    private struct State {
        var requests: [FetchRequest<Model>] = []
        /// What each request has found, after each commit.
        var histories: [[[ObservedForm]]] = []
    }

    private let base: any DBClient
    private let state = Mutex(State())

    init(_ base: any DBClient) {
        self.base = base
    }

    /// Begins to write down what a request finds; not while there are writes.
    ///
    /// - Returns: The request's place.
    func record(_ request: FetchRequest<Model>) async throws -> Int {
        let now = try await base.fetch(request).map { try ObservedForm($0) }
        return state.withLock { state in
            state.requests.append(request)
            state.histories.append([now])
            return state.requests.count - 1
        }
    }

    /// Returns what a request has found when this began, and after each commit since.
    func history(_ place: Int) -> [[ObservedForm]] {
        state.withLock { $0.histories[place] }
    }

    private func found(in transaction: ReadTransaction) throws -> [[ObservedForm]] {
        try state.withLock(\.requests).map { request in
            try transaction.fetch(request).map { try ObservedForm($0) }
        }
    }

    private func note(_ found: [[ObservedForm]]) {
        state.withLock { state in
            for (place, rows) in found.enumerated() { state.histories[place].append(rows) }
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let (value, found) = try await base.write { transaction in
            (try body(transaction), try self.found(in: transaction))
        }
        note(found)
        return value
    }

    func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
        try base.readBlocking(body)
    }

    func writeBlocking<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        let (value, found) = try base.writeBlocking { transaction in
            (try body(transaction), try self.found(in: transaction))
        }
        note(found)
        return value
    }

    var observation: ObservationSource { base.observation }

    func close() throws {
        try base.close()
    }
}
