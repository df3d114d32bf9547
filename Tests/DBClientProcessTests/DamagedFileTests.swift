import DBClientCore
import DBClientObjectStore
import Foundation
import Testing
import TrustRow

/// Files that are damaged in eighteen ways, each used by a process of its own until it dies: what is damaged is told,
/// or does not matter.
///
/// `DBCLIENT_DAMAGED_FILES` says how many files of all ways together.
@Suite struct DamagedFileTests {
    private let folder: TemporaryFolder
    private var sound: String { folder.url.appendingPathComponent("sound").path }
    private var former: String { folder.url.appendingPathComponent("former").path }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func make() throws {
        let child = try Child("make-damageable", "object-store", sound, former)
        #expect(child.waitForLines() == ["made"])
    }

    @Test(arguments: ["open", "verify"]) func damageIsToldOrDoesNotMatter(way: String) throws {
        let start = ContinuousClock.now
        try make()
        let count = row.size("DBCLIENT_DAMAGED_FILES", short: 90)
        let outcomes = try use(count, way)
        #expect(outcomes.count == count)
        let bad = outcomes.filter { !["noticed", "right"].contains($0.outcome) }
        #expect(bad.isEmpty, "seed \(row.seed): \(bad)")
        #expect(outcomes.count { $0.outcome == "noticed" } > count / 3)
        if count > 1_000 { print(table(outcomes)) }
        row.report(count, of: "object-store-\(way)", since: start)
    }

    /// Otherwise the damage would prove nothing.
    @Test func damageOfAStoreThatIsNotVerifiedReachesTheCaller() throws {
        try make()
        let outcomes = try use(180, "unverified")
        #expect(
            outcomes.contains { ["wrong", "death"].contains($0.outcome) },
            "\(table(outcomes))"
        )
    }

    private func use(_ count: Int, _ way: String) throws -> [Outcome] {
        try outcomes(count) {
            try Child(
                "use-damaged",
                "object-store",
                sound,
                former,
                folder.url.path,
                "\(row.seed)",
                "\($0)",
                "\($1)",
                way
            )
        }
    }

    /// Nothing of LMDB's tells damage in the pages that a file begins with, and in that of the tables.
    @Test(arguments: ["verify", "open"]) func everyByteThatComesFirstIsChecked(way: String) throws {
        try make()
        let isLong = row.size("DBCLIENT_DAMAGED_FILES", short: 90) > 1_000
        let count = isLong ? 35_200 : 2 * 152 * 8
        let outcomes = try outcomes(count) {
            try Child("use-bytes", sound, folder.url.path, "\($0)", "\($1)", way)
        }
        #expect(outcomes.count > count / 2)
        let bad = outcomes.filter { !["noticed", "right"].contains($0.outcome) }
        #expect(bad.isEmpty, "\(bad)")
    }

    private struct Outcome: CustomStringConvertible {
        let number: Int
        let kind: String
        var outcome = "death"
        var detail = ""

        var description: String { "\(number) \(kind) \(outcome) \(detail)" }
    }

    /// Has processes use files with numbers up to one, another one from where the last one died.
    private func outcomes(_ count: Int, _ start: (Int, Int) throws -> Child) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        var first = 0
        while first < count {
            for line in try start(first, count - first).waitForLines() {
                let words = line.split(separator: " ", maxSplits: 2).map(String.init)
                guard words.count > 2, let number = Int(words[1]) else { continue }
                if words[0] == "begin" {
                    outcomes.append(Outcome(number: number, kind: words[2]))
                } else if words[0] == "end", !outcomes.isEmpty {
                    let result = words[2].split(separator: " ", maxSplits: 1).map(String.init)
                    outcomes[outcomes.count - 1].outcome = result[0]
                    outcomes[outcomes.count - 1].detail = result.count > 1 ? result[1] : ""
                }
            }
            guard let last = outcomes.last, last.outcome == "death" else { break }
            first = last.number + 1
        }
        return outcomes
    }

    private func table(_ outcomes: [Outcome]) -> String {
        Dictionary(grouping: outcomes, by: \.kind).sorted { $0.key < $1.key }
            .map { kind, outcomes in
                let counts = Dictionary(grouping: outcomes, by: \.outcome).mapValues(\.count)
                return
                    "\(kind) \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })"
            }
            .joined(separator: "\n")
    }

    private let row = TrustRow("R6")
}
