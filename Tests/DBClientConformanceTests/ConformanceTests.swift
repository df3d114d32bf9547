import DBClientTesting
import Testing

/// Serialised, so that a case that measures waiting is not held up by a hundred others.
@Suite(.serialized)
struct ConformanceTests {
    @Test("A backend keeps the promise", arguments: Backends.chosen, ConformanceSuite.cases)
    func conforms(_ backend: ConformanceBackend, _ promise: ConformanceCase) async throws {
        try await ConformanceSuite.run(promise, on: backend)
    }

    @Test("Every case has a name of its own")
    func namesDiffer() {
        let names = ConformanceSuite.cases.map(\.description)
        #expect(Set(names).count == names.count)
    }
}
