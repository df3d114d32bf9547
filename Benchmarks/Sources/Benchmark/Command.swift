import Foundation

/// The benchmark's command line.
@main
enum Command {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if let probe = options.probe {
                return print(try await probe.measure(options))
            }
            try await run(options)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        let folder = options.folder.appendingPathComponent("dbclient-benchmark-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let workload = options.profile {
            return try await Profile(options: options).run(workload, in: folder)
        }
        let results = try await Runner(options, in: folder).run()
        let report = Report(options, results)
        print(report.text)
        if let path = options.json { try report.json().write(to: URL(fileURLWithPath: path)) }
    }
}
