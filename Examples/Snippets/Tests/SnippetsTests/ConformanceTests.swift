import DBClientCore
import DBClientTesting
import Testing

@testable import Snippets

struct ConformanceTests {
    // snippet: conformance
    @Test(arguments: ConformanceSuite.cases)
    func conforms(_ promise: ConformanceCase) async throws {
        let backend = ConformanceBackend.memory(
            "dictionaries",
            excluding: [
                .heldSnapshots: "Its engine keeps no snapshot across calls.",
                .migrations: "Its engine does not change the shape of what it stores.",
                .catalogs: "Its engine knows its entities by their models alone.",
            ]
        ) { DictionaryDBClient() }
        try await ConformanceSuite.run(promise, on: backend)
    }
    // end snippet
}
