import DBClientCore
import DBClientSQLite
import Foundation

/// Another process of this program.
final class Child {
    private let process = Process()
    private let output = Pipe()
    private var buffer = Data()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// The next line that it prints; nil once it has ended.
    func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer = Data(buffer[(end + 1)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            buffer.append(more)
        }
    }

    /// Ends it as a crash would.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func wait() { process.waitUntilExit() }

    // MARK: What it does

    static func run(_ command: String, _ arguments: [String]) async throws {
        let url = URL(fileURLWithPath: arguments[0])
        switch command {
        case "write":
            let client = try SQLDBClient.sqlite(at: url, key: Keys.named(arguments[1]))
            var id = Int(arguments[2]) ?? 1
            while true {
                try await client.insert(Quixotic.number(id, pages: id % 2))
                tell(id)
                id += 1
            }
        case "rekey":
            let client = try SQLDBClient.sqlite(at: url, key: Keys.named(arguments[1]))
            tell("begins")
            try await client.rekey(to: Keys.named(arguments[2]))
            tell("has ended")
            try client.close()
        default:
            let client = try SQLDBClient.sqlite(at: url, key: Keys.named(arguments[1]))
            let count = try await client.fetch(Quixotic.all).count
            tell("reads")
            do {
                while try await client.fetch(Quixotic.all).count == count {}
                tell("other rows")
            } catch let error as DBClientError {
                tell(error.code)
            }
        }
    }
}
