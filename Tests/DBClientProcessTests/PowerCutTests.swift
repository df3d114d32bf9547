import Foundation
import Testing
import TrustRow

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a store has after a power cut: every write that was acknowledged, and no other in part.
///
/// A child process has functions of its own in the place of the C library's, and records what it does to the
/// store's files. Of the record images are made: what a disk may have that loses its power at some point, which is
/// what was synced and any part of what was not. The store is opened in each of them.
///
/// `DBCLIENT_POWER_CUTS` says how many images are made in each case.
@Suite(
    .serialized,
    .enabled(if: isPossible, "Only on Linux can it be recorded what is done to files.")
)
struct PowerCutTests {
    /// What is recorded.
    struct Case: Sendable, CustomTestStringConvertible {
        let engine: ProcessTests.Engine
        var durability = "full"
        var callers = 1
        /// Whether another process observes the store, so that there is a journal to be written.
        var isObserved = false

        var testDescription: String {
            "\(engine), \(durability), \(callers) callers" + (isObserved ? ", observed" : "")
        }
    }

    static let durable = ProcessTests.Engine.allCases.flatMap { engine in
        [
            Case(engine: engine), Case(engine: engine, callers: 6),
            Case(engine: engine, callers: 2, isObserved: true),
        ]
    }

    @Test(arguments: durable) func nothingAcknowledgedIsLost(_ recorded: Case) throws {
        let start = ContinuousClock.now
        for seed in Self.seeds {
            let counts = try cut(recorded, seed)
            #expect(counts.numbers["kept"] == Self.images, "\(counts.lines)")
        }
        Self.row.report(
            Self.images * Self.seeds.count,
            of: recorded.engine.rawValue,
            since: start
        )
    }

    /// Otherwise the images would prove nothing.
    @Test(arguments: ProcessTests.Engine.allCases)
    func aRelaxedStoreLosesWritesAndIsWhole(engine: ProcessTests.Engine) throws {
        for seed in Self.seeds {
            let counts = try cut(Case(engine: engine, durability: "relaxed"), seed)
            #expect(counts.numbers["torn"] == 0, "\(counts.lines)")
            #expect(counts.numbers["unopenable"] == 0, "\(counts.lines)")
            #expect(counts.numbers["lost"] ?? 0 > Self.images / 10, "\(counts.lines)")
        }
    }

    private static let row = TrustRow("R2")
    private static let size = row.size("DBCLIENT_POWER_CUTS", short: 100)
    /// How many images are made of a record.
    private static let images = min(size, 500)
    private static let seeds = row.seed...row.seed + UInt64((size - 1) / images)

    private struct Counts {
        let lines: [String]
        let numbers: [String: Int]

        init(_ lines: [String]) {
            self.lines = lines
            numbers = lines.reduce(into: [:]) { numbers, line in
                let words = line.split(separator: " ")
                if words.count == 2 { numbers[String(words[0])] = Int(words[1]) }
            }
        }
    }

    /// Records the writes of some callers, and makes images.
    private func cut(_ recorded: Case, _ seed: UInt64) throws -> Counts {
        let folder = try TemporaryFolder(inMemory: true)
        let path = try #require(realpath(folder.url.path, nil).map { String(cString: $0) })
        let store = path + "/store"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        let writes = 150 / recorded.callers
        let plan = [
            recorded.engine.rawValue, recorded.durability, store, path + "/record", "\(seed)",
            "\(recorded.callers)", "\(writes)",
        ]
        var observer: Child?
        if recorded.isObserved {
            let child = try Child(["power-cut", "observe"] + plan)
            try child.waitForLine("ready")
            observer = child
        }
        let lines = try Child(["power-cut", "record"] + plan).waitForLines()
        #expect(lines == ["recorded \(recorded.callers * writes)"])
        if recorded.isObserved, recorded.engine == .objectStore {
            let journal = try Child("journal", store + "/entries.store").waitForLines()
            #expect(journal.contains { $0.hasPrefix("journal ") && $0 != "journal 0" })
        }
        try observer?.endInput()
        _ = observer?.waitForLines()
        let counts = Counts(
            try Child(["power-cut", "images"] + plan + ["\(Self.images)", path + "/image"])
                .waitForLines()
        )
        #expect(counts.lines.contains("complete true"), "\(counts.lines)")
        if recorded.engine != .sqlite {
            // The map has grown.
            let size = try FileManager.default.attributesOfItem(atPath: store + "/entries.store")
            #expect((size[.size] as? Int ?? 0) > 1 << 17)
        }
        return counts
    }
}

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif
