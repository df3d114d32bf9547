import DBClientTesting
import Testing

@Suite(.serialized)
struct ObservationTests {
    @Test(
        "Observers of a backend miss nothing under concurrent writers",
        arguments: Backends.chosen.filter { $0.exclusions[.observation] == nil }
    )
    func missesNothing(_ backend: ConformanceBackend) async throws {
        let updates = try await ObservationTest.fromEnvironment(sequences: 60).run(on: backend)
        #expect(updates > 0)
    }
}
