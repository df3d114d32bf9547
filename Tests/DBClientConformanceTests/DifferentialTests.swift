import DBClientTesting
import Testing

@Suite(.serialized)
struct DifferentialTests {
    @Test(
        "A backend gives the results, order and errors of the oracle",
        arguments: Backends.chosenWithAdopted
    )
    func agrees(_ backend: ConformanceBackend) async throws {
        try await DifferentialTest.fromEnvironment(sequences: 300).run(on: backend)
    }
}
