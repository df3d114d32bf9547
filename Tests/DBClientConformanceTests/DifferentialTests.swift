import DBClientTesting
import Testing
import TrustRow

@Suite(.serialized)
struct DifferentialTests {
    @Test(
        "A backend gives the results, order and errors of the oracle",
        arguments: Backends.chosenWithAdopted
    )
    func agrees(_ backend: ConformanceBackend) async throws {
        let start = ContinuousClock.now
        let test = DifferentialTest.fromEnvironment(sequences: 300)
        try await test.run(on: backend)
        TrustRow("R8").report(test.sequences * test.steps, of: backend.name, since: start)
    }
}
