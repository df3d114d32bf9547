import DBClientTesting
import Testing

@testable import Snippets

struct RelationshipsTests {
    @Test func fightersAreFoundByWhatTheyHold() async throws {
        #expect(try await relationships(on: InMemoryDBClient()) == 7)
    }
}
