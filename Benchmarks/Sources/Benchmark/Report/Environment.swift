import CRawLMDB
import Foundation
import GRDBSQLite

/// What the figures depend on.
struct Environment: Codable, Sendable {
    /// LMDB's version, as the library tells.
    let lmdb: String
    /// SQLite's version, as the library tells.
    let sqlite: String
    /// The version that Package.swift names.
    let grdb: String
    /// The compiler's version, as `script/bench` tells.
    let swift: String
    /// The processor's name.
    let processor: String
    /// The number of processors that this process may use.
    let processors: Int
    /// The operating system.
    let system: String

    /// What holds now.
    static var current: Environment {
        Environment(
            lmdb: "\(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR).\(MDB_VERSION_PATCH)",
            sqlite: String(cString: sqlite3_libversion()),
            grdb: "7.10.0",
            swift: ProcessInfo.processInfo.environment["BENCHMARK_SWIFT"] ?? compiler,
            processor: processorName,
            processors: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString
        )
    }

    private static var compiler: String {
        #if compiler(>=6.4)
        "6.4 or later"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }

    private static var processorName: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
            .split(separator: "\n")
        let name = lines?.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }

    /// The lines above the table.
    func text(_ options: Options) -> String {
        """
        LMDB \(lmdb), SQLite \(sqlite), GRDB \(grdb), Swift \(swift)
        \(processors) x \(processor), \(system)
        \(options.rows) rows, \(options.rounds) rounds, contestants in turn within each round; \
        every commit synced (SQLite: WAL, synchronous = FULL)
        """
    }
}
