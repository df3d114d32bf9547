import Foundation
import Testing
import TrustRow

/// A store whose process sees the time of the day jump by years, forward and back, at any moment.
@Suite(
    .serialized,
    .enabled(if: isPossible, "Only on Linux can a process have a clock of its own.")
)
struct ClockTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func nothingIsLostAndNoCallerWaitsForever(engine: ProcessTests.Engine) throws {
        let row = TrustRow("R21")
        let start = ContinuousClock.now
        let writes = row.size("DBCLIENT_CLOCK_WRITES", short: 200)
        let folder = try TemporaryFolder()
        let child = try Child(
            "jumping-clock",
            engine.rawValue,
            folder.store.path,
            "\(row.seed)",
            "\(writes)"
        )
        let names = ["jumped", "worked", "waited", "observed", "kept"]
        #expect(child.waitForLines() == names.map { $0 + " true" })
        row.report(writes, of: engine.rawValue, since: start)
    }

    @Test(
        "A clock that is set by an hour neither ends a wait nor lengthens it",
        .counts(for: "R21", part: "files"),
        arguments: ProcessTests.Engine.allCases
    )
    func waitsUnderSetClock(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let child = try Child("wait-under-set-clock", engine.rawValue, folder.store.path)
        let waits = (engine == .sqlite ? ["reader"] : []) + ["process", "callers"]
        let lines = ["back", "forward"].flatMap { way in waits.map { "\($0) \(way) true" } }
        #expect(child.waitForLines() == lines)
    }

    /// Otherwise the jumps would prove nothing.
    @Test func aWaitByTheClockOfTheDayIsFound() throws {
        #expect(try Child("wait-by-clock-of-day").waitForLines() == ["waited false"])
    }
}

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif
