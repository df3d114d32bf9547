import Foundation
import Testing
import TrustRow

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writing to a file fails, or syncing it, at every call of the operating system in turn.
///
/// A child process has functions of its own in the place of the C library's.
@Suite(.serialized, .enabled(if: isPossible, "Only on Linux do calls fail when they shall."))
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let call: String
        let error: Int32
        let code: String

        var testDescription: String { "\(call) fails with \(String(cString: strerror(error)))" }
    }

    static let faults = [
        Fault(call: "write", error: ENOSPC, code: "full"),
        Fault(call: "write", error: EDQUOT, code: "full"),
        Fault(call: "write", error: EIO, code: "io"),
        Fault(call: "write", error: EFBIG, code: "full"),
        Fault(call: "write", error: EROFS, code: "readOnly"),
        Fault(call: "sync", error: EIO, code: "io"),
        Fault(call: "sync", error: ENOSPC, code: "full"),
    ]

    @Test(arguments: faults) func sqliteLosesNothing(fault: Fault) throws {
        let lines = try run(fault, .sqlite)
        #expect(
            lines == [
                "called true", "codes \(fault.code)", "later none", "kept true", "whole true",
            ]
        )
    }

    /// LMDB does nothing more once it could not write the page that says which commit is the last,
    /// until the store is opened again.
    @Test(arguments: faults, ProcessTests.Engine.allCases.filter { $0 != .sqlite })
    func theObjectStoreLosesNothing(fault: Fault, engine: ProcessTests.Engine) throws {
        let lines = try run(fault, engine)
        let codes = fault.call == "write" ? Set([fault.code, "io"]).sorted() : [fault.code]
        #expect(
            lines == [
                "called true", "codes \(codes.joined(separator: " "))",
                fault.call == "write" ? "later io none" : "later none", "kept true", "whole true",
            ]
        )
    }

    /// Otherwise the calls would fail for nothing.
    @Test(arguments: ProcessTests.Engine.allCases)
    func aWriteThatFailedAndIsTakenForAcknowledgedIsFound(engine: ProcessTests.Engine) throws {
        for fault in Self.faults where fault.error == EIO {
            let lines = try lines(fault, engine, "forgive")
            #expect(lines.contains("kept false"), "\(lines)")
        }
    }

    /// Returns what a child process prints, but for how many calls it had fail, which the scoreboard is told.
    private func run(_ fault: Fault, _ engine: ProcessTests.Engine) throws -> [String] {
        let start = ContinuousClock.now
        var lines = try lines(fault, engine, "fail")
        let place = try #require(lines.firstIndex { $0.hasPrefix("calls ") })
        let calls = try #require(Int(lines.remove(at: place).dropFirst(6)))
        TrustRow("R4").report(calls, of: engine.rawValue, since: start)
        return lines
    }

    private func lines(
        _ fault: Fault,
        _ engine: ProcessTests.Engine,
        _ command: String
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let child = try Child(
            command,
            fault.call,
            "\(fault.error)",
            engine.rawValue,
            folder.url.path
        )
        return child.waitForLines()
    }
}

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif
