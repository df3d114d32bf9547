// snippet: swap
import DBClientCore

/// What the app does with heroes, whichever engine keeps them.
struct HeroLibrary: Sendable {
    let client: any DBClient

    /// Writes the real name of a character and nothing else.
    func reveal(_ identifier: Int, as realName: String) async throws {
        try await client.update(Character.self, key: identifier) {
            $0.set(\.realName, to: realName)
        }
    }
}
// end snippet
