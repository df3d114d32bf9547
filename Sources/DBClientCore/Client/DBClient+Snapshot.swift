extension DBClient {
    /// Opens a snapshot of the store behind this client, if its engine holds any, with what the decorators put
    /// between it and what reads it.
    func openSnapshot() throws -> (
        snapshot: any EngineSnapshot, interceptors: [any TransactionInterceptor & Sendable]
    )? {
        if let client = self as? any EngineBackedClient {
            return try client.engine.openSnapshot().map { ($0, []) }
        }
        guard let decorator = self as? any DBClientDecorator,
            let (snapshot, interceptors) = try decorator.base.openSnapshot()
        else { return nil }
        return (snapshot, [decorator.interceptor(isWrite: false)].compactMap(\.self) + interceptors)
    }

    /// The type of the client behind all decorators that has an engine; it knows how the engine keeps models.
    var engineClientType: any EngineBackedClient.Type {
        if let client = self as? any EngineBackedClient { return type(of: client) }
        return (self as? any DBClientDecorator)?.base.engineClientType ?? NoEngineClient.self
    }
}

/// Stands for the type of a client where there is none of an engine; it keeps each model as its `Storage`.
private struct NoEngineClient: EngineBackedClient {
    let engine: any Engine
}
