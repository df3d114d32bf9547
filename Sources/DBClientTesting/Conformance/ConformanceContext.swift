public import DBClientCore
import Synchronization

/// The context of a case: a client of an empty store, and the means to open the store again.
public final class ConformanceContext: Sendable {
    /// A client of a store that was empty when the case began.
    public let client: any DBClient
    private let store: ConformanceStore
    private let opened: Mutex<[any DBClient]>

    init(_ store: ConformanceStore) async throws {
        self.store = store
        let client = try await store.open()
        self.client = client
        opened = Mutex([client])
    }

    /// Closes every client of the store and returns a new one.
    public func reopen() async throws -> any DBClient {
        try closeAll()
        return try await another()
    }

    /// Returns another client of the store, which the others may have open.
    public func another() async throws -> any DBClient {
        let client = try await store.open()
        opened.withLock { $0.append(client) }
        return client
    }

    /// Closes every client and removes the store.
    func end() throws {
        defer { store.remove() }
        try closeAll()
    }

    private func closeAll() throws {
        let clients = opened.withLock { clients in
            defer { clients = [] }
            return clients
        }
        for client in clients { try client.close() }
    }
}
