import DBClientCore

/// A store that was just made.
struct NewStore {
    let client: any DBClient

    /// The store's place on a server.
    var schema: ServerSchema?

    /// Closes the client, and leaves nothing on a server.
    func close() async throws {
        try client.close()
        try await schema?.drop()
    }
}
