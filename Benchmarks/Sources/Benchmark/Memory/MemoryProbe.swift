import CMalloc
import Foundation

/// A measurement of memory, which needs a process of its own: the benchmark starts itself again.
enum MemoryProbe: String, Sendable {
    /// The peak while every row is fetched.
    case fetchAll = "fetch-all"
    /// The peak while every row is streamed.
    case stream
    /// The peak of what the process itself has taken while all of a store is copied into a new one.
    case copy

    /// Opens the store in the folder of the command line, measures, and returns the figure as text.
    ///
    /// A pass over the store comes first, so that the engine's page cache, or the pages of a mapped
    /// file, are there already: what counts is memory that grows with the result.
    func measure(_ options: Options) async throws -> String {
        guard let kind = options.contestants.first else {
            throw BenchmarkError("a probe needs a contestant")
        }
        if self == .copy { return String(try Self.copy(kind, options)) }
        let store = try kind.open(folder: options.folder)
        _ = try store.countActive(over: 5_000)
        let part = try await store.stream(limit: options.rows / 10)
        let figure: Double
        switch self {
        case .fetchAll:
            let before = try ProcessMemory.resetPeak()
            var rows: (any FetchedRows)? = try store.fetchAll()
            let peak = try ProcessMemory.peak() - before
            let full = ProcessMemory.heap
            guard let unused = rows?.unusedBytes, rows?.count == options.rows else {
                throw BenchmarkError("rows are missing")
            }
            rows = nil
            figure = peak / (full - ProcessMemory.heap - Double(unused))
        case .stream:
            let before = try ProcessMemory.resetPeak()
            guard try await store.stream(limit: options.rows) > part else {
                throw BenchmarkError("rows are missing")
            }
            figure = max(try ProcessMemory.peak() - before, 0) / 1_000_000
        case .copy: throw BenchmarkError("a copy is measured by itself")
        }
        try store.close()
        return String(figure)
    }

    /// Copies a store, and returns by how many megabytes the memory grew which is of no file: the pages of a mapped file
    /// are the system's to take back.
    private static func copy(_ kind: ContestantKind, _ options: Options) throws -> Double {
        let target = options.folder.appendingPathExtension("copy")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let store = try kind.open(folder: options.folder)
        let copy = try kind.open(folder: target)
        // What is made once is there before.
        _ = try store.countActive(over: 5_000)
        _ = try copy.countActive(over: 5_000)
        ProcessMemory.trim()
        let before = try ProcessMemory.anonymous()
        let sampler = MemorySampler()
        try store.copy(into: copy)
        let peak = try sampler.end()
        guard try copy.countActive(over: 5_000) == store.countActive(over: 5_000) else {
            throw BenchmarkError("rows are missing")
        }
        try store.close()
        try copy.close()
        try kind.removeStore(in: target)
        return max(peak - before, 0) / 1_000_000
    }

    /// Runs the probe on a closed store in a new process and returns its figure.
    func run(_ kind: ContestantKind, folder: URL, rows: Int) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--probe", rawValue, "--contestant", kind.rawValue, "--folder", folder.path,
            "--rows", String(rows),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        guard let figure = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkError("the probe \(rawValue) of \(kind.title) failed")
        }
        return figure
    }
}

/// What this process holds, in bytes, as Linux and glibc tell.
enum ProcessMemory {
    /// Gives free memory back to the system, so that what is measured next pays for what it takes: else it is
    /// by chance that an array of 15 MB finds room that another contestant has left, which spares it a third of
    /// its time.
    static func trim() {
        malloc_trim(0)
    }

    /// Makes what is resident now the peak, and returns it.
    static func resetPeak() throws -> Double {
        trim()
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return try status("VmRSS:")
    }

    /// The most that was resident since the last reset.
    static func peak() throws -> Double {
        try status("VmHWM:")
    }

    /// What is resident now and of no file.
    static func anonymous() throws -> Double {
        try status("RssAnon:")
    }

    /// What is allocated and not freed.
    static var heap: Double {
        let information = mallinfo2()
        return Double(information.uordblks + information.hblkhd)
    }

    private static func status(_ field: String) throws -> Double {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            .split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix(field) }),
            let kilobytes = Double(line.split(whereSeparator: \.isWhitespace)[1])
        else { throw BenchmarkError("/proc/self/status has no \(field)") }
        return kilobytes * 1_024
    }
}
