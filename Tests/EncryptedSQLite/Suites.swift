import DBClientCore
import DBClientSQLite
import DBClientTesting

/// SQLite with a key, without any exclusion.
let encrypted = ConformanceBackend.file("SQLite, encrypted") {
    try SQLDBClient.sqlite(at: $0, key: Keys.first)
}

/// Runs the conformance suite, or some concerns of it, and tells how it went.
func runConformance(_ concerns: String?) async -> Bool {
    let chosen = concerns.map { Set($0.split(separator: ",").map(String.init)) }
    let cases = ConformanceSuite.cases.filter { chosen?.contains($0.concern.rawValue) ?? true }
    var failures = 0
    for promise in cases {
        do {
            let outcome = try await ConformanceSuite.run(promise, on: encrypted)
            guard outcome == .kept else { throw ConformanceFailure("It was left out.") }
        } catch {
            failures += 1
            tell("✘ \(promise): \(error)")
        }
    }
    tell("\(cases.count - failures) passed, \(failures) failed")
    return failures == 0 && !cases.isEmpty
}

/// Compares an encrypted store with the oracle.
func runDifferential(_ sequences: String?) async -> Bool {
    do {
        let count = sequences.flatMap(Int.init) ?? 100
        try await DifferentialTest.fromEnvironment(sequences: count).run(on: encrypted)
        tell("1 passed, 0 failed")
        return true
    } catch {
        tell("✘ differential test: \(error)\n0 passed, 1 failed")
        return false
    }
}
