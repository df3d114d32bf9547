import Foundation
import Testing

/// Runs the program as a user does and looks at what it prints.
struct LiveHeroesTests {
    private func output(_ engine: String) throws -> (text: String, status: Int32) {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let candidates = [
            folder, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
        ]
        let program = try #require(
            candidates.map { $0.appendingPathComponent("LiveHeroes") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        )
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = [engine, "--pause", "200"]
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    private static let hasServer =
        ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"] != nil

    @Test(arguments: ["object-store", "sqlite"] + (hasServer ? ["postgresql"] : []))
    func theTableFollowsTheOtherProcess(_ engine: String) throws {
        let (text, status) = try output(engine)
        #expect(status == 0)
        let frames = text.components(separatedBy: "\n\n")
        // The initial table, and more than one drawn while the other process was at work.
        #expect(frames.count > 4)
        #expect(frames[0].hasPrefix("4 heroes to begin with\n  1. Iron Man              85\n"))
        let end = """
              2. Hulk                  97
              3. Spider-Man            96
              4. Thor                  95
              5. Vision                90
              6. Hawkeye               72
            """
        let last = frames[frames.count - 2]
        #expect(last.contains("+ 1. Captain Marvel        99\n"))
        let rows = last.split(separator: "\n").dropFirst(2).map { $0.dropFirst(2) }
        #expect(rows == end.split(separator: "\n").map { $0.dropFirst(2) })
        #expect(frames.last == "The table is what a fetch finds.\n")
    }

    @Test func anUnknownEngineIsRefused() throws {
        #expect(try output("flat-file").status == 64)
    }
}
