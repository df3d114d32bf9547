import Foundation

/// A row of the scoreboard, as the tests that belong to it see it: how large they are, by which seed, and what they
/// have reached.
///
/// `script/trust` reads what `report` prints, from the log of a test run. `script/trust.rows` is the table of rows.
package struct TrustRow: Sendable {
    private let name: String

    /// Creates the row of a name, such as `R7`.
    package init(_ name: String) {
        self.name = name
    }

    /// Returns how much of a row's unit to do: what the environment says in a variable, or the short form's.
    package func size(_ variable: String, short: Int) -> Int {
        Self.environment[variable].flatMap { Int($0) } ?? short
    }

    /// The seed to begin with, by `DBCLIENT_SEED`.
    ///
    /// A test that needs several counts up from it, by no more than its size.
    package var seed: UInt64 { Self.environment["DBCLIENT_SEED"].flatMap { UInt64($0) } ?? 1 }

    /// Tells that a part of the row has reached so much, in a line that `script/trust` adds up.
    ///
    /// What is told counts only where the test run passes.
    ///
    /// - Parameters:
    ///   - figure: How much was done, in the row's unit.
    ///   - part: What it was done to, such as a store; a part of the row in `script/trust.rows`.
    ///   - start: When it was begun.
    package func report(_ figure: Int, of part: String, since start: ContinuousClock.Instant) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let line = Self.line(name, part, figure, seed, seconds)
        // Past the buffer of `print`, so that no other test's line has a part of it.
        FileHandle.standardOutput.write(Data(line.utf8))
    }

    private static func line(
        _ row: String,
        _ part: String,
        _ figure: Int,
        _ seed: UInt64,
        _ seconds: Double
    ) -> String {
        let part = part.map { $0 == " " || $0 == "," ? "-" : $0 }
        let time = String(format: "%.2f", seconds)
        return "\nTRUST \(row) part=\(String(part)) figure=\(figure) seed=\(seed) seconds=\(time)\n"
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
