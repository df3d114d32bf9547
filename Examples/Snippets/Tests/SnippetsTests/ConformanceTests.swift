import DBClientCore
import DBClientTesting
import Testing

@testable import Snippets

struct ConformanceTests {
    // snippet: conformance
    @Test(arguments: ConformanceSuite.cases)
    func conforms(_ promise: ConformanceCase) async throws {
        let backend = ConformanceBackend.memory(
            "mine",
            excluding: [.heldSnapshots: "Its engine keeps no snapshot across calls."]
        ) { MyDBClient() }
        try await ConformanceSuite.run(promise, on: backend)
    }
    // end snippet
}
