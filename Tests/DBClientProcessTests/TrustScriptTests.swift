import Foundation
import Testing

/// What `script/trust` makes of what tests tell, with a table and tests that are made up.
@Suite(.serialized, .enabled(if: isPossible, "The command runs on Linux here."))
struct TrustScriptTests {
    private let folder: TemporaryFolder

    private static let rows = """
        # A comment.
        R1 | 30  | kills  | a,b  | SIZE | 10 | one     | plant | It counts.
        R2 | all | tests  | c,d? | -    | -  | two|2   | none  | It is done each time.
        R3 | -   | -      | -    | -    | -  | none    | -     | It has no rig.
        R4 | 20  | cuts   | e    | SIZE | 10 | bad     | plant | It fails.
        R5 | 5   | things | f    | -    | -  | silence | none  | It tells nothing.
        """

    private static let tests = """
        #!/bin/sh
        echo "Test run with 1 test"
        tell() { printf 'noise TRUST %s part=%s figure=%s seed=%s seconds=0.50\\n' "$@"; }
        case "$2" in
        one) tell R1 a "${SIZE:-3}" "${DBCLIENT_SEED:-1}"; tell R1 b "${SIZE:-3}" "${DBCLIENT_SEED:-1}" ;;
        two*) tell R2 c 1 1; tell R2 c 1 1; tell R1 a 1000 1 ;;
        bad) tell R4 e 10 1; exit 1 ;;
        esac
        """

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.rows.utf8).write(to: file("rows"))
        try Data(Self.tests.utf8).write(to: file("tests"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: file("tests").path
        )
    }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    @Test func piecesAddUpAndGoOn() throws {
        let first = try run("R1", "--long")
        #expect(first.status == 0)
        #expect(first.lines.contains { $0.hasPrefix("✓ a 30 of 30 kills seed 1…21 1.5 s") })
        let state = try String(contentsOf: file("state"), encoding: .utf8)
        let seeds = state.split(separator: "\n").filter { $0.hasPrefix("R1\ta") }
            .map { $0.split(separator: "\t")[3] }
        #expect(seeds == ["1", "11", "21"])
        // What has its goal does not run again.
        #expect(try run("R1", "--long").status == 0)
        #expect(try String(contentsOf: file("state"), encoding: .utf8) == state)
    }

    @Test func aFailureCountsForNothingAndIsTold() throws {
        let found = try run("--long")
        #expect(found.status == 1)
        #expect(found.lines.contains("e 0 of 20 cuts not run"))
        #expect(found.lines.contains { $0.hasPrefix("✗ 3 failed, the last with seed 21") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: file("failed").path).count == 3)
        // Other rows go on, each with its own lines alone.
        #expect(found.lines.contains { $0.hasPrefix("✓ a 30 of 30 kills") })
        #expect(found.lines.contains { $0.hasPrefix("✓ c 2 tests") })
    }

    @Test func whatIsMissingIsNotHidden() throws {
        let found = try run("--long", "--minutes", "0").lines
        #expect(found.contains("no rig"))
        #expect(found.contains("f 0 of 5 things not run"))
        #expect(found.count { $0 == "no planted fault shows that the rig would find one" } == 2)
    }

    @Test func aRowThatToldNothingFailsTheGate() throws {
        try FileManager.default.createDirectory(at: file("logs"), withIntermediateDirectories: true)
        func log(_ parts: [(String, String)]) throws {
            let lines = parts.map { "TRUST \($0) part=\($1) figure=2 seed=1 seconds=0.10\n" }
            try Data(lines.joined().utf8).write(to: file("logs/01-Tests.log"))
        }
        // "d" is a part that not every system has.
        let all = [("R1", "a"), ("R1", "b"), ("R2", "c"), ("R4", "e"), ("R5", "f")]
        try log(all)
        #expect(try run("--logs").status == 0)
        try log(Array(all.dropLast()))
        let found = try run("--logs")
        #expect(found.status == 1)
        #expect(found.lines.contains("a 2 of 30 kills seed 1 0.1 s unknown"))
        #expect(found.errors.contains("R5"))
    }

    @Test func wrongArgumentsAreRefused() throws {
        #expect(try run("R99").status == 64)
        #expect(try run("--minutes", "some").status == 64)
        #expect(try run("--what").status == 64)
    }

    /// Returns what the command prints, with single blanks.
    private func run(
        _ arguments: String...
    ) throws -> (status: Int32, lines: [String], errors: String) {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        let (output, errors) = (Pipe(), file("errors"))
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.executableURL = root.appendingPathComponent("script/trust")
        process.arguments = arguments + ["--state", file("state").path]
        process.environment = ProcessInfo.processInfo.environment.merging(
            [
                "DBCLIENT_TRUST_ROWS": file("rows").path,
                "DBCLIENT_TRUST_TESTS": file("tests").path,
                "DBCLIENT_TRUST_LOGS": file("logs").path, "DBCLIENT_POSTGRES_URL": "unused",
            ]
        ) { $1 }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        let text = try String(contentsOf: errors, encoding: .utf8)
        return (process.terminationStatus, lines, text)
    }
}

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif
