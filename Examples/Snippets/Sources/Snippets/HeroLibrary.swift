// snippet: swap
public import DBClientCore

/// What the app does with heroes. It does not know which engine keeps them.
public struct HeroLibrary: Sendable {
    private let client: any DBClient

    /// Creates a library over a store.
    public init(client: any DBClient) {
        self.client = client
    }

    /// Writes the real name of a character and nothing else.
    public func reveal(_ identifier: Int, as realName: String) async throws {
        try await client.update(Character.self, key: identifier) {
            $0.set(\.realName, to: realName)
        }
    }
}
// end snippet
