import DBClientCore
import Foundation
import StoreEntry

/// Makes images of a disk that lost its power, at many points of a record, and opens the store in each.
///
/// Prints how many there were of each kind: those that had everything acknowledged, those that had lost of it,
/// those with half a write or one that was never made, and those that did not open; and the first faults.
struct CutPower {
    private let plan: PowerCutPlan
    private let scratch: URL
    private let histories: [[[Int: Entry]]]
    private var random: Numbers
    private var counts: [Outcome: Int] = [:]
    private var details: [String] = []

    enum Outcome: String, CaseIterable {
        case kept, lost, torn, unopenable
    }

    init(_ plan: PowerCutPlan, scratch: URL) {
        self.plan = plan
        self.scratch = scratch
        random = Numbers(seed: plan.seed)
        histories = (0..<plan.callers).map {
            CallerWrites.history(seed: plan.seed, caller: $0, count: plan.writes)
        }
    }

    mutating func run(images: Int) throws {
        let record = try Record(plan.record)
        var acknowledged = [Int](repeating: 0, count: plan.callers)
        var disk = Disk(record.bytes)
        // Many where the store is made, and the whole of the record.
        var points = (1..<images).map { image in
            random.next(min(image % 5 == 0 ? 40 : .max, record.events.count + 1))
        }
        points.append(record.events.count)
        points.sort()
        var next = 0
        for position in 0...record.events.count {
            while next < points.count, points[next] == position {
                let kind = Disk.Image.allCases[random.next(3)]
                try check(disk, kind, acknowledged, "point \(position), \(kind)")
                next += 1
            }
            guard position < record.events.count else { break }
            disk.apply(record.events[position])
            if case .noted(let caller, let number) = record.events[position] {
                acknowledged[caller] = number
            }
        }
        let whole = disk.image(.everything, &random)
        print("complete", try isComplete(whole))
        for outcome in Outcome.allCases { print(outcome.rawValue, counts[outcome, default: 0]) }
        for detail in details.prefix(10) { print("seed \(plan.seed), \(detail)") }
    }

    /// Whether the record has everything that was done.
    private func isComplete(_ files: [String: [UInt8]]) throws -> Bool {
        let names = try FileManager.default.contentsOfDirectory(atPath: plan.folder.path)
            .filter { !$0.hasSuffix("-lock") && !$0.hasSuffix("-shm") }
        guard Set(names) == Set(files.keys) else { return false }
        return try names.allSatisfy { name in
            let data = try Data(contentsOf: plan.folder.appendingPathComponent(name))
            return files[name].map { $0.elementsEqual(data) } ?? false
        }
    }

    private mutating func check(
        _ disk: Disk,
        _ kind: Disk.Image,
        _ acknowledged: [Int],
        _ name: String
    ) throws {
        try? FileManager.default.removeItem(at: scratch)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        var files = disk.image(kind, &random)
        // What is mapped is of no use after a power cut, and may have anything in it.
        if kind == .some {
            let suffix = plan.engine == "sqlite" ? "-shm" : "-lock"
            let sizes = [0, 100, 8_192, 32_768]
            files[PowerCutPlan.storeName + suffix] = (0..<sizes[random.next(sizes.count)])
                .map { _ in UInt8(random.next(256)) }
        }
        for (name, content) in files {
            try Data(content).write(to: scratch.appendingPathComponent(name))
        }
        let (outcome, detail) = outcome(acknowledged)
        counts[outcome, default: 0] += 1
        if outcome != .kept { details.append("\(name): \(outcome) \(detail)") }
    }

    private func outcome(_ acknowledged: [Int]) -> (Outcome, String) {
        let url = scratch.appendingPathComponent(PowerCutPlan.storeName)
        do {
            if FileManager.default.fileExists(atPath: url.path) {
                try verifyStore(engine: plan.engine, at: url)
            }
            let client = try plan.open(url)
            defer { try? client.close() }
            let entries = try client.blocking.fetch(Entry.all)
            if let detail = try difference(entries, client) { return (.torn, detail) }
            // It goes on being written.
            try client.blocking.upsert(Entry(-2))
            guard try client.blocking.find(Entry.self, key: -2) == Entry(-2) else {
                return (.torn, "A write is not found.")
            }
            return lost(entries, acknowledged) ?? (.kept, "")
        } catch {
            return (.unopenable, "\((error as? DBClientError)?.debugDescription ?? "\(error)")")
        }
    }

    /// How many writes of a caller entries tell of.
    private func number(_ caller: Int, _ entries: [Entry]) -> Int {
        entries.first { $0.id == caller * CallerWrites.range }?.bucket ?? 0
    }

    private func lost(_ entries: [Entry], _ acknowledged: [Int]) -> (Outcome, String)? {
        for (caller, count) in acknowledged.enumerated() {
            let found = number(caller, entries)
            if found < count { return (.lost, "caller \(caller) has \(found) of \(count)") }
            // One more may have come to be durable, and not have been acknowledged yet.
            if found > count + 1 { return (.torn, "caller \(caller) has \(found) of \(count)") }
        }
        return nil
    }

    /// Returns how the store differs from what the writes that it has have left; nil where it does not.
    private func difference(_ entries: [Entry], _ client: any DBClient) throws -> String? {
        for caller in 0..<plan.callers {
            let number = number(caller, entries)
            guard histories[caller].indices.contains(number) else { return "write \(number)" }
            let range = caller * CallerWrites.range..<(caller + 1) * CallerWrites.range
            let found = entries.filter { range.contains($0.id) }.sorted { $0.id < $1.id }
            let expected = histories[caller][number].values.sorted { $0.id < $1.id }
            if found != expected { return "caller \(caller), half of a write after \(number)" }
        }
        // The indexes as well.
        for bucket in 0..<7 {
            let found = try client.blocking.fetch(Entry.where { $0.bucket == bucket }).map(\.id)
            if found != entries.filter({ $0.bucket == bucket }).map(\.id) {
                return "index of buckets"
            }
        }
        let sorted = try client.blocking.fetch(Entry.all.sorted { $0.text })
        let expected = entries.sorted {
            ($0.text, $0.id) < ($1.text, $1.id)
        }
        return sorted == expected ? nil : "index of texts"
    }
}
