import Dispatch
import Foundation

/// The benchmark's command line.
@main
enum Command {
    // Not asynchronous itself: the main thread would be parked in a system call that valgrind 3.19
    // does not survive.
    static func main() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await run(Options(Array(CommandLine.arguments.dropFirst())))
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
            done.signal()
        }
        done.wait()
    }

    private static func run(_ options: Options) async throws {
        if let probe = options.probe { return print(try await probe.measure(options)) }
        let folder = options.folder.appendingPathComponent("dbclient-benchmark-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if options.measuresObservation { return try await ObservationBenchmark(in: folder).run() }
        if let workload = options.profile {
            return try await Profile(options: options).run(workload, in: folder)
        }
        let results = try await Runner(options, in: folder).run()
        let report = Report(options, results)
        print(report.text)
        if let path = options.json {
            try report.json().write(to: URL(fileURLWithPath: path))
            print("The figures are at \(path).")
        }
    }
}
