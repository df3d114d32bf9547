import DBClientTesting
import Testing
import TrustRow

@Suite(.serialized)
struct ObservationTests {
    @Test(
        "Observers of a backend miss nothing under concurrent writers",
        arguments: Backends.chosen.filter { $0.exclusions[.observation] == nil }
    )
    func missesNothing(_ backend: ConformanceBackend) async throws {
        let start = ContinuousClock.now
        let updates = try await ObservationTest.fromEnvironment(sequences: 60).run(on: backend)
        #expect(updates > 0)
        TrustRow("R15").report(updates, of: backend.name, since: start)
    }

    /// Otherwise the test would prove nothing.
    @Test("An observer that loses a change set is found", arguments: [1, 2, 3])
    func findsALoss(_ update: Int) async throws {
        var test = ObservationTest(sequences: 40)
        test.lostUpdate = update
        await #expect(throws: ConformanceFailure.self) { try await test.run(on: Backends.inMemory) }
    }
}
