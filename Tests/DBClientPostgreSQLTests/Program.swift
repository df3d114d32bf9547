import Foundation
import Testing

/// A program that a test starts, with nothing of this process but its environment.
///
/// Foundation's `Process` hands down the signal mask of the thread that it is called on, and on
/// Swift's own threads all signals are blocked, so that the program would not hear when it is told to
/// end. It also waits for every process that holds a socket which a server inherits from its starter.
final class Program: Sendable {
    private let identifier: pid_t

    /// Starts a program, whose output goes to a file.
    init(_ path: String, _ arguments: [String], output: String = "/dev/null") throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // What is not open is not missed.
        for descriptor in Int32(3)..<1_000 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier = pid_t()
        let code = posix_spawn(&identifier, path, &actions, &attributes, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXError.Code(rawValue: code) ?? .EINVAL) }
        self.identifier = identifier
    }

    /// Runs a program to its end.
    ///
    /// - Returns: What it wrote.
    /// - Throws: `Failure` when it fails or takes longer than 100 seconds, and is killed.
    static func run(_ path: String, _ arguments: [String]) async throws -> String {
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientProgram-\(UUID().uuidString).out")
        defer { try? FileManager.default.removeItem(at: output) }
        let program = try Program(path, arguments, output: output.path)
        let status = await program.status(within: .seconds(100))
        let text = try String(contentsOf: output, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard status == 0 else {
            throw Failure(program: path, arguments: arguments, status: status, output: text)
        }
        return text
    }

    struct Failure: Error {
        let program: String
        let arguments: [String]
        let status: Int32?
        let output: String
    }

    /// Returns the path of the second process of tests.
    static func child() throws -> String {
        let bundle = Bundle.main.bundleURL
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try #require(
            [folder, bundle, bundle.deletingLastPathComponent()].map {
                $0.appendingPathComponent("StoreChild").path
            }
            .first { FileManager.default.isExecutableFile(atPath: $0) },
            "StoreChild was not built beside the tests"
        )
    }

    /// Ends the program at once, whatever it does.
    func kill() {
        Foundation.kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }

    /// Tells the program to end, and kills it when it does not.
    func stop() async {
        Foundation.kill(identifier, SIGTERM)
        _ = await status(within: .seconds(5))
    }

    /// Returns the program's exit status; nil when it had to be killed.
    private func status(within limit: Duration) async -> Int32? {
        // The wait blocks, which Swift's own threads must not.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [identifier] in
                let end = ContinuousClock.now + limit
                var status: Int32 = 0
                while waitpid(identifier, &status, WNOHANG) == 0 {
                    if ContinuousClock.now > end {
                        Foundation.kill(identifier, SIGKILL)
                        waitpid(identifier, &status, 0)
                        return continuation.resume(returning: nil)
                    }
                    usleep(5_000)
                }
                // The low bits hold the signal, those above the code.
                continuation.resume(returning: status & 0x7F == 0 ? status >> 8 & 0xFF : -1)
            }
        }
    }
}
