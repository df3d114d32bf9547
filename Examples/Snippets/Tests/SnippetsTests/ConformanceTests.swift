import DBClientCore
import DBClientTesting
import Testing

@testable import Snippets

struct ConformanceTests {
    // snippet: conformance
    @Test(arguments: ConformanceSuite.cases)
    func conforms(_ promise: ConformanceCase) async throws {
        try await ConformanceSuite.run(promise, on: .memory("mine") { MyDBClient() })
    }
    // end snippet
}
