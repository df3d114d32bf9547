import DBClientCore
import StoreEntry

typealias Numbers = RandomWrites.Numbers

/// The writes of one of several callers, each to entries of its own: the same ones for a seed.
///
/// Every write leaves its number in the caller's first entry, so that a store tells how far it has come.
struct CallerWrites {
    struct Write {
        let entries: [Entry]
        let removed: [Int]

        func run(through client: any DBClient) throws {
            try client.writeBlocking { transaction in
                try transaction.upsert(entries)
                try transaction.delete(Entry.self, keys: removed)
            }
        }
    }

    /// How many ids a caller has.
    static let range = 1_000

    private let caller: Int
    private var number = 0
    private var numbers: Numbers

    init(seed: UInt64, caller: Int) {
        self.caller = caller
        numbers = Numbers(seed: seed &* 1_000 &+ UInt64(caller))
    }

    mutating func next() -> Write {
        number += 1
        let first = caller * Self.range
        var entries = [Entry(first, text: "\(number)", bucket: number)]
        var removed: [Int] = []
        for _ in 0..<numbers.next(6) {
            let id = first + 1 + numbers.next(30)
            if removed.contains(id) || entries.contains(where: { $0.id == id }) { continue }
            if numbers.next(4) == 0 {
                removed.append(id)
            } else {
                entries.append(Entry(id, text: text(id), bucket: numbers.next(7)))
            }
        }
        return Write(entries: entries, removed: removed)
    }

    /// A text that is short, or longer than what an index keeps, a page, or several pages.
    private mutating func text(_ id: Int) -> String {
        let sizes = [10, 20, 30, 20, 10, 30, 300, 700, 3_000, 20_000]
        let word = "write \(number) of \(id); "
        let count = sizes[numbers.next(sizes.count)] / word.count + 1
        return String(repeating: word, count: count)
    }

    /// Returns the entries after none of a number of writes, after the first, and so on.
    static func history(seed: UInt64, caller: Int, count: Int) -> [[Int: Entry]] {
        var writes = CallerWrites(seed: seed, caller: caller)
        var entries: [Int: Entry] = [:]
        return [entries]
            + (0..<count).map { _ in
                let write = writes.next()
                for entry in write.entries { entries[entry.id] = entry }
                for id in write.removed { entries[id] = nil }
                return entries
            }
    }
}
