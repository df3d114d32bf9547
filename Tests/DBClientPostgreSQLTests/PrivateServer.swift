import Foundation

/// A server of a test's own, which may be killed.
final class PrivateServer: Sendable {
    let url: String
    let folder: String

    /// Runs a body with a server that is started by a verb of `script/postgres` and what follows the
    /// folder in its call.
    static func with(
        _ verb: String = "start",
        _ arguments: [String] = [],
        in folder: String? = nil,
        _ body: (PrivateServer) async throws -> Void
    ) async throws {
        let folder =
            folder
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientPostgres-\(UUID().uuidString.prefix(8))").path
        do {
            let url = try await script([verb, folder] + arguments)
            try await body(PrivateServer(url, folder))
        } catch {
            _ = try? await script(["stop", folder])
            throw error
        }
        _ = try await script(["stop", folder])
    }

    private init(_ url: String, _ folder: String) {
        self.url = url
        self.folder = folder
    }

    var port: Int { URLComponents(string: url)?.port ?? 0 }

    /// The ports that the system gives to the near ends of connections.
    static var portsOfConnections: ClosedRange<Int> {
        let path = "/proc/sys/net/ipv4/ip_local_port_range"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let ports = text.split { $0.isWhitespace }.compactMap { Int($0) }
        return ports.count == 2 && ports[0] <= ports[1] ? ports[0]...ports[1] : 49_152...65_535
    }

    /// Kills the server and its children at once, as a power cut of the process would.
    func kill() throws {
        try signal(SIGKILL)
    }

    /// Sends a signal to the server and its children.
    func signal(_ signal: Int32) throws {
        let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let line = text.split(separator: "\n").first, let process = Int32(line) else {
            return
        }
        let children = try? String(
            contentsOfFile: "/proc/\(process)/task/\(process)/children",
            encoding: .utf8
        )
        Glibc.kill(process, signal)
        for child in (children ?? "").split(separator: " ") {
            if let child = Int32(child) { Glibc.kill(child, signal) }
        }
    }

    /// Starts the server again after it was killed.
    func restart() async throws {
        _ = try await Self.script(["restart", folder])
    }

    /// Makes a standby a server that is written to.
    func promote() async throws {
        _ = try await Self.script(["promote", folder])
    }

    private static func script(_ arguments: [String]) async throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try await Program.run(root.appendingPathComponent("script/postgres").path, arguments)
    }
}
