import Foundation

/// A server of a test's own, which may be killed.
final class PrivateServer: Sendable {
    let url: String
    let folder: String

    /// Starts a server by a verb of `script/postgres` and what follows the folder in its call.
    init(_ verb: String = "start", _ arguments: [String] = []) throws {
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientPostgres-\(UUID().uuidString.prefix(8))").path
        url = try Self.script([verb, folder] + arguments)
    }

    var port: Int { URLComponents(string: url)?.port ?? 0 }

    /// Kills the server and its children at once, as a power cut of the process would.
    func kill() throws {
        let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let line = text.split(separator: "\n").first, let process = Int32(line) else {
            return
        }
        let children = try? String(
            contentsOfFile: "/proc/\(process)/task/\(process)/children",
            encoding: .utf8
        )
        Glibc.kill(process, SIGKILL)
        for child in (children ?? "").split(separator: " ") {
            if let child = Int32(child) { Glibc.kill(child, SIGKILL) }
        }
    }

    /// Starts the server again after it was killed.
    func restart() throws {
        _ = try Self.script(["restart", folder])
    }

    /// Makes a standby a server that is written to.
    func promote() throws {
        _ = try Self.script(["promote", folder])
    }

    func remove() {
        _ = try? Self.script(["stop", folder])
    }

    private static func script(_ arguments: [String]) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = root.appendingPathComponent("script/postgres")
        process.arguments = arguments
        // A file, not a pipe: a server that another test starts at this moment would inherit the
        // pipe's end and keep it open.
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientPostgres-\(UUID().uuidString).out")
        defer { try? FileManager.default.removeItem(at: output) }
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.ECHILD) }
        return try String(contentsOf: output, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
