import Foundation
import Fuzzing
import Testing
import TrustRow

/// What decodes bytes from outside, on inputs of all kinds.
///
/// One after another, as one of them may end the process.
@Suite(.serialized)
struct FuzzTests {
    private static let row = TrustRow("R7")

    @Test("Any bytes are decoded or refused", arguments: FuzzTarget.all)
    func decodes(_ target: FuzzTarget) throws {
        let start = ContinuousClock.now
        let count = Self.row.size("DBCLIENT_FUZZ_INPUTS", short: 20_000)
        let done = try FuzzRun(target).run(count, seed: Self.row.seed)
        Self.row.report(done, of: target.name, since: start)
    }

    @Test("Every target has samples that it decodes", arguments: FuzzTarget.all)
    func samplesAreSound(_ target: FuzzTarget) throws {
        #expect(try FuzzRun(target).accepted() > 0)
    }

    @Test("A decoder that believes a length is found, with the input")
    func aBelievedLength() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = try FuzzRun(.believingLengths).run(100_000, seed: 1)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("FUZZ input "))
    }

    @Test("A decoder that gives another value is found, with the input")
    func anotherValue() throws {
        #expect(throws: FuzzFinding.self) { try FuzzRun(.losingABit).run(100_000, seed: 1) }
    }
}
