import Foundation

/// PgBouncer in transaction mode in front of a server, with two connections to it.
final class Pooler {
    let port: Int
    private let process: Program
    private let folder: URL

    static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isThere: Bool { program != nil }

    init(to target: Int) async throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientPooler-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chmod(folder.path, 0o777)
        port = Int.random(in: 20_000..<40_000)
        let users = folder.appendingPathComponent("users.txt")
        try Data("\"dbclient\" \"\"\n".utf8).write(to: users)
        let settings = folder.appendingPathComponent("pgbouncer.ini")
        let text = """
            [databases]
            * = host=127.0.0.1 port=\(target)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(users.path)
            pool_mode = transaction
            default_pool_size = 2
            logfile = \(folder.path)/log
            """
        try Data(text.utf8).write(to: settings)
        // Like the server, it refuses to run as root.
        let command = [Self.program ?? "", settings.path]
        process =
            getuid() == 0
            ? try Program(
                "/usr/bin/setpriv",
                ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command
            ) : try Program(command[0], [command[1]])
        for _ in 0..<100 {
            if isListening { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private var isListening: Bool {
        let log = try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
        return log?.contains("process up") == true
    }

    func stop() async {
        await process.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
