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
        // What waits for another process that has an object store waits by the clock of the day, and is not tested.
        let names = ["jumped", "worked", engine == .sqlite ? "waited" : nil, "observed", "kept"]
        #expect(child.waitForLines() == names.compactMap(\.self).map { $0 + " true" })
        row.report(writes, of: engine.rawValue, since: start)
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
