public import DBClientCore

/// One store of a backend, which a case opens, closes and opens again.
public struct ConformanceStore: Sendable {
    /// Opens the store, again if it was opened and closed before.
    public let open: @Sendable () async throws -> any DBClient
    /// Removes what the store left behind, after its last client was closed.
    public let remove: @Sendable () -> Void

    /// Creates a store from what opens it and what removes it.
    public init(
        open: @escaping @Sendable () async throws -> any DBClient,
        remove: @escaping @Sendable () -> Void
    ) {
        self.open = open
        self.remove = remove
    }
}
