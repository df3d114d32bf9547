import Foundation

/// What the command line asks for.
struct Options: Sendable {
    /// The number of rows.
    var rows = 100_000
    /// The number of counted rounds.
    var rounds = 5
    /// The workloads that run, in their order.
    var workloads = Workload.all
    /// The contestants that run, in their order.
    var contestants = ContestantKind.available
    /// Where the JSON goes.
    var json: String?
    /// Where stores are made: a real disk, since commits are synced.
    var folder = FileManager.default.temporaryDirectory
    /// The workload that runs alone.
    var profile: Workload?
    /// How often the profiled workload runs.
    var iterations = 10
    /// Whether the cost of observing is measured, and nothing else.
    var measuresObservation = false
    /// Which memory probe this process is.
    var probe: MemoryProbe?

    /// The help text.
    static let usage = """
        usage: benchmark [options]
          --only NAME[,NAME…]         run these workloads
          --contestants NAME[,NAME…]  run these contestants
          --rounds N                  counted rounds of each workload (5)
          --rows N                    rows in a store (100000)
          --quick                     10,000 rows, one round
          --json PATH                 also write the figures as JSON; script/bench always does
          --folder PATH               make the stores here
          --observation               the cost of observing, and nothing else
          --profile NAME --contestant NAME [--iterations N]
                                      run one workload alone in a loop, for a profiler;
                                      callgrind: --toggle-collect=benchmark_profiled_region
        workloads:   \(Workload.all.map(\.name).joined(separator: " "))
        contestants: \(ContestantKind.allCases.map(\.rawValue).joined(separator: " "))
        """

    /// Reads the command line.
    ///
    /// - Throws: `BenchmarkError` naming the argument that makes no sense.
    init(_ arguments: [String]) throws {
        var left = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = left.popFirst() else {
                throw BenchmarkError("\(option) needs a value")
            }
            return value
        }
        func number(of option: String) throws -> Int {
            guard let number = Int(try value(of: option)), number > 0 else {
                throw BenchmarkError("\(option) needs a number over 0")
            }
            return number
        }
        while let option = left.popFirst() {
            switch option {
            case "--only": workloads = try Self.workloads(try value(of: option))
            case "--contestants", "--contestant":
                contestants = try Self.contestants(try value(of: option))
            case "--rounds": rounds = try number(of: option)
            case "--rows": rows = try number(of: option)
            case "--quick":
                rows = 10_000
                rounds = 1
            case "--json": json = try value(of: option)
            case "--folder": folder = URL(fileURLWithPath: try value(of: option))
            case "--profile": profile = try Self.workloads(try value(of: option)).first
            case "--iterations": iterations = try number(of: option)
            case "--observation": measuresObservation = true
            case "--probe": probe = MemoryProbe(rawValue: try value(of: option))
            case "--help", "-h": throw BenchmarkError(Self.usage)
            default: throw BenchmarkError("unknown option \(option)\n\(Self.usage)")
            }
        }
    }

    private static func workloads(_ names: String) throws -> [Workload] {
        let names = names.split(separator: ",").map(String.init)
        for name in names where !Workload.all.contains(where: { $0.name == name }) {
            throw BenchmarkError("unknown workload \(name)\n\(usage)")
        }
        return Workload.all.filter { names.contains($0.name) }
    }

    private static func contestants(_ names: String) throws -> [ContestantKind] {
        let names = names.split(separator: ",").map(String.init)
        for name in names where ContestantKind(rawValue: name) == nil {
            throw BenchmarkError("unknown contestant \(name)\n\(usage)")
        }
        return ContestantKind.allCases.filter { names.contains($0.rawValue) }
    }
}
