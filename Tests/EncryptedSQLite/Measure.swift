import DBClientCore
import DBClientSQLite
import Foundation

/// What a key costs: the same work on a plain file and on an encrypted one, in turn, both by SQLCipher's library.
enum Measure {
    private static let rows = 50_000
    private static let rounds = 5

    /// Measures, and prints the medians and their ratio.
    static func run() async throws {
        var times: [String: (plain: [Double], sealed: [Double])] = [:]
        var order: [String] = []
        for _ in 0..<rounds {
            for isSealed in [false, true] {
                for (name, time) in try await work(isSealed ? Keys.first : nil) {
                    if times[name] == nil { order.append(name) }
                    if isSealed {
                        times[name, default: ([], [])].sealed.append(time)
                    } else {
                        times[name, default: ([], [])].plain.append(time)
                    }
                }
            }
        }
        for name in order {
            guard let (plain, sealed) = times[name] else { continue }
            let (without, with) = (median(plain), median(sealed))
            let figures = [without, with, with / without].map { String(format: "%9.2f", $0) }
            tell(figures.joined(separator: " ") + "x  " + name)
        }
    }

    private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    private static func work(_ key: StoreKey?) async throws -> [(String, Double)] {
        let folder = try Folder()
        defer { folder.remove() }
        var results: [(String, Double)] = []
        /// Notes how many microseconds each of some times took.
        func note(_ name: String, _ count: Int, _ body: () async throws -> Void) async rethrows {
            let duration = try await ContinuousClock().measure(body)
            results.append((name, duration / .microseconds(1) / Double(count)))
        }
        let values = (1...rows).map { Quixotic.number($0) }
        let client = try SQLDBClient.sqlite(at: folder.store, key: key)
        try await note("bulk insert, a row", rows) { try await client.insert(values) }
        try await note("fetch all, a row", rows * 5) {
            for _ in 0..<5 { _ = try await client.fetch(Quixotic.all) }
        }
        try await note("get by key, a call each", 20_000) {
            for id in 1...20_000 {
                _ = try await client.find(Quixotic.self, key: id &* 7_919 % rows + 1)
            }
        }
        try await note("get by key, in one transaction", 20_000) {
            try await client.read { transaction in
                for id in 1...20_000 {
                    _ = try transaction.find(Quixotic.self, key: id &* 7_919 % rows + 1)
                }
            }
        }
        try await note("query of an index, a row", 10_000) {
            let found = Quixotic.where { $0.mistralName.hasPrefix("palimpsest1") }
            _ = try await client.fetch(found.limit(10_000))
        }
        try await note("upsert of stored rows, a row", rows) { try await client.upsert(values) }
        try await note("partial update by key, in one transaction", 10_000) {
            try await client.write { transaction in
                for id in 1...10_000 {
                    try transaction.update(Quixotic.self, key: id) {
                        $0.set(\.bandoneonText, to: "")
                    }
                }
            }
        }
        try await note("one task, a row per commit", 1_000) {
            for id in 1...1_000 { try await client.insert(Quixotic.number(100_000 + id)) }
        }
        try await note("64 tasks, a row per commit", 12_800) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        for id in 1...200 {
                            try await client.insert(Quixotic.number(200_000 + task * 1_000 + id))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try client.close()
        try await note("open an existing store, get one row", 20) {
            for _ in 1...20 {
                let client = try SQLDBClient.sqlite(at: folder.store, key: key)
                _ = try await client.find(Quixotic.self, key: 7)
                try client.close()
            }
        }
        let cold = try SQLDBClient.sqlite(at: folder.store, key: key)
        try await note("fetch all from a file that is not cached yet, a row", rows) {
            _ = try await cold.fetch(Quixotic.all)
        }
        try cold.close()
        return results
    }
}
