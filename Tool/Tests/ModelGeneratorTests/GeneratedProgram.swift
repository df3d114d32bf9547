import Foundation
import ModelGenerator
import Testing

/// A program of generated models and of a file of the folder `Programs`, compiled against the libraries that the tests
/// were built with.
struct GeneratedProgram {
    /// What a command wrote, and how it ended.
    struct Output {
        var lines: [String]
        var status: Int32

        /// The lines that begin with a word.
        func lines(of word: String) -> [String] { lines.filter { $0.hasPrefix(word + " ") } }
    }

    private let executable: URL

    /// Compiles a program in a folder.
    init(_ models: GeneratedModels, _ program: String, in folder: URL) throws {
        let sources = folder.appendingPathComponent("Sources")
        try models.write(to: sources)
        executable = folder.appendingPathComponent("program")
        let own = ["RoundTrip.swift", program + ".swift"].map {
            Self.tests.appendingPathComponent("Programs").appendingPathComponent($0).path
        }
        let files = models.files.map { sources.appendingPathComponent($0.name).path } + own
        let objects = folder.appendingPathComponent("objects.txt")
        try Self.objects().joined(separator: "\n")
            .write(to: objects, atomically: true, encoding: .utf8)
        let output = try Self.run(
            "/usr/bin/env",
            [
                "swiftc", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors",
                "-module-name", "Program",
            ]
                + ["-o", executable.path] + Self.options + files + ["@" + objects.path]
                + ["-lsqlite3", "-lpq", "-lstdc++"]
        )
        guard output.status == 0 else {
            throw Failure(
                description: output.lines.filter { $0.contains("error:") }.prefix(20)
                    .joined(separator: "\n") + "\n"
                    + output.lines.suffix(10).joined(separator: "\n")
            )
        }
    }

    /// Runs the program.
    func run(_ arguments: String...) throws -> Output {
        let output = try Self.run(executable.path, arguments)
        guard output.status == 0 else {
            throw Failure(description: output.lines.joined(separator: "\n"))
        }
        return output
    }

    /// What went wrong with a command.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func run(_ program: String, _ arguments: [String]) throws -> Output {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        return Output(lines: lines, status: process.terminationStatus)
    }
}

// Where the libraries are.
extension GeneratedProgram {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The folder of the package with the libraries.
    private static let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder in which the tests were built.
    private static let built = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// Whether the tests know where the libraries are that they were built with.
    static var isPossible: Bool {
        FileManager.default.fileExists(
            atPath: built.appendingPathComponent("Modules/DBClientCore.swiftmodule").path
        )
    }

    /// What the compiler is told of the modules and the macros.
    private static var options: [String] {
        let plugin = built.appendingPathComponent("DBClientMacros-tool").path + "#DBClientMacros"
        var options = ["-I", built.appendingPathComponent("Modules").path]
        options += ["-Xfrontend", "-load-plugin-executable", "-Xfrontend", plugin]
        for map in moduleMaps { options += ["-Xcc", "-fmodule-map-file=\(map.path)"] }
        let headers = (try? run("/usr/bin/env", ["pkg-config", "--cflags", "libpq"]))?.lines ?? []
        for header in headers.flatMap({ $0.split(separator: " ") }) {
            options += ["-Xcc", String(header)]
        }
        return options
    }

    /// The module maps of the C code that the libraries import.
    private static var moduleMaps: [URL] {
        let checkouts = built.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("checkouts")
        var maps = [
            checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite/module.modulemap")
        ]
        for name in ["CLibPQ", "CSQLite"] {
            maps.append(root.appendingPathComponent("Sources/\(name)/module.modulemap"))
        }
        for name in ["CSQLiteFiles", "CSQLiteHeader", "CLibPQHeader"] {
            maps.append(built.appendingPathComponent("\(name).build/module.modulemap"))
        }
        return maps
    }

    /// The object files that the command is linked of but its own: the libraries, and all that these need.
    private static func objects() throws -> [String] {
        let list = built.appendingPathComponent("dbclient.product/Objects.LinkFileList")
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.contains("/dbclient.build/") }
    }
}

/// A folder for the files of one test.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
