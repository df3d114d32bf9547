import Foundation

/// PgBouncer in front of a server: in transaction mode with two connections to it, or, where it encrypts, in
/// session mode with more, and in records of TLS that are as large as they can be.
final class Pooler {
    let port: Int
    private let process: Program
    private let folder: URL

    static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isThere: Bool { program != nil }

    /// Starts a pooler, on another port where one is taken.
    ///
    /// - Parameters:
    ///   - target: The server's port.
    ///   - host: The server's host.
    ///   - certificate: Where a server that encrypts has its certificate, which clients are shown.
    /// - Throws: `Program.Failure` with what it wrote when it does not start.
    init(to target: Int, of host: String = "127.0.0.1", certificate: String? = nil) async throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientPooler-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chmod(folder.path, 0o777)
        let users = folder.appendingPathComponent("users.txt")
        try Data("\"dbclient\" \"\"\n".utf8).write(to: users)
        let settings = folder.appendingPathComponent("pgbouncer.ini")
        var command = [Self.program ?? "", settings.path]
        if getuid() == 0 {
            // Like the server, it refuses to run as root.
            command.insert(
                contentsOf: [
                    "/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups",
                    "--",
                ],
                at: 0
            )
        }
        var written = ""
        for _ in 0..<5 {
            let port = Int.random(in: 10_000..<20_000)
            let log = folder.appendingPathComponent("log-\(port)")
            let text = """
                [databases]
                * = host=\(host) port=\(target)
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = \(port)
                unix_socket_dir =
                auth_type = trust
                auth_file = \(users.path)
                """ + (certificate.map(Self.encrypting) ?? Self.sharing)
            try Data(text.utf8).write(to: settings)
            let process = try Program(command[0], Array(command[1...]), output: log.path)
            for _ in 0..<100 {
                try await Task.sleep(for: .milliseconds(50))
                written = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                if written.contains("FATAL") { break }
                if written.contains("process up") {
                    self.port = port
                    self.process = process
                    return
                }
            }
            await process.stop()
        }
        throw Program.Failure(
            program: command[0],
            arguments: command,
            status: nil,
            output: written
        )
    }

    private static let sharing = """

        pool_mode = transaction
        default_pool_size = 2
        """

    private static func encrypting(with certificate: String) -> String {
        """

        pool_mode = session
        pkt_buf = 65536
        client_tls_sslmode = require
        client_tls_key_file = \(certificate).key
        client_tls_cert_file = \(certificate).crt
        """
    }

    func stop() async {
        await process.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
