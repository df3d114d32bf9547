#if os(Linux)
import DBClientSQL
import Foundation
import Testing
import TrustRow

/// A program whose clock of the day is set while callers wait for a connection.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct PoolClockTests {
    @Test(
        "A clock that is set by an hour neither ends a wait nor lengthens it",
        .counts(for: "R21", part: "PostgreSQL")
    )
    func waitsUnderSetClock() async throws {
        try await Server.withClient { _, schema in
            let output = try await Program.run(
                try Program.child(),
                ["wait-under-set-clock", "postgresql", "/" + schema]
            )
            #expect(
                output.split(separator: "\n") == [
                    "thread back true", "task back true", "thread forward true",
                    "task forward true",
                ]
            )
        }
    }
}
#endif
