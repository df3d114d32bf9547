import DBClientCore
import DBClientTesting
import Testing

@testable import Snippets

struct HeroLibraryTests {
    // snippet: swap-test
    @Test func revealWritesTheRealName() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Character.ironMan)
        try await HeroLibrary(client: client).reveal(1455, as: "Tony Stark")
        let ironMan = try await client.find(Character.self, key: 1455)
        #expect(ironMan?.realName == "Tony Stark")
    }
    // end snippet
}
