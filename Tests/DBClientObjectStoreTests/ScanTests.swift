import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// Scans look at records in the pages of the map, where the next one lies behind the one before.
@Suite struct ScanTests {
    private static let sizes = [0, 1, 90, 700, 1_900, 2_030, 2_100, 4_000, 5_000, 70_000]

    private static func blob(_ id: Int) -> Blob {
        Blob(id: id, size: sizes[(id * 7 + id / 11) % sizes.count])
    }

    private func checkAll(_ client: ObjectStoreDBClient, _ expected: [Blob]) throws {
        #expect(try client.blocking.findAll(Blob.self) == expected)
        #expect(
            try client.blocking.count(Blob.where { $0.size > 1_000 })
                == expected.count { $0.size > 1_000 }
        )
        let sizes = Dictionary(grouping: expected, by: \.size).mapValues(\.count)
        let groups = try client.blocking.fetch(Blob.all.grouped(by: \.size).select(.count))
        #expect(Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.values) }) == sizes)
    }

    @Test("Records of every size are found, on pages of their own too")
    func findsEverySize() throws {
        let folder = try TemporaryFolder()
        let client = try ObjectStoreDBClient(at: folder.store)
        var blobs = (0..<600).map(Self.blob)
        try client.blocking.insert(blobs)
        try checkAll(client, blobs)
        for (lower, upper) in [(0, 1), (0, 600), (37, 38), (150, 451), (599, 700), (601, 900)] {
            let range = blobs.filter { $0.id >= lower && $0.id < upper }
            let request = Blob.where { $0.id >= lower && $0.id < upper }
            #expect(try client.blocking.fetch(request) == range)
            #expect(try client.blocking.count(request) == range.count)
            let first = try client.blocking.fetch(Blob.where { $0.id >= lower }.limit(3))
            #expect(first == Array(blobs.filter { $0.id >= lower }.prefix(3)))
        }
        blobs.removeAll { $0.id % 3 == 1 }
        try client.blocking.write { transaction in
            let deleted = try transaction.delete(
                Blob.where {
                    $0.size >= 0
                        && $0.id.isIn(
                            (0..<600).filter { $0 % 3 == 1 }
                        )
                }
            )
            #expect(deleted == 200)
            // A writer sees what it wrote, which is in no page of the map yet.
            #expect(try transaction.findAll(Blob.self) == blobs)
        }
        try checkAll(client, blobs)
        for index in blobs.indices where index % 5 == 0 {
            blobs[index] = Blob(id: blobs[index].id, size: Self.sizes[(index / 5) % 10])
        }
        try client.blocking.upsert(blobs)
        try checkAll(client, blobs)
    }

    @Test("A scan keeps its snapshot while others write")
    func keepsItsSnapshot() throws {
        let folder = try TemporaryFolder()
        let client = try ObjectStoreDBClient(at: folder.store)
        let other = try ObjectStoreDBClient(at: folder.store)
        let blobs = (0..<400).map(Self.blob)
        try client.blocking.insert(blobs)
        var seen: [Blob] = []
        try client.blocking.read { transaction in
            try transaction.forEach(Blob.all) { blob in
                seen.append(blob)
                if seen.count % 100 == 50 {
                    try other.blocking.delete(Blob.where { $0.id > seen.count })
                    try other.blocking.insert(
                        (seen.count + 1..<seen.count + 90).map { Blob(id: $0, size: 3) }
                    )
                }
                return true
            }
        }
        #expect(seen == blobs)
    }

    @Test("Keys of text are scanned from the first that is not less")
    func scansTextKeys() throws {
        let folder = try TemporaryFolder()
        let client = try ObjectStoreDBClient(at: folder.store)
        let words = (0..<900).map { Word(text: "w\($0 * 7_919 % 900)", number: $0) }
        try client.blocking.insert(words)
        let sorted = words.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        #expect(try client.blocking.findAll(Word.self) == sorted)
        for prefix in ["w", "w1", "w77", "w899", "x", ""] {
            #expect(
                try client.blocking.fetch(Word.where { $0.text.hasPrefix(prefix) })
                    == sorted.filter { $0.text.hasPrefix(prefix) }
            )
            #expect(
                try client.blocking.count(Word.where { $0.text > prefix && $0.number > 450 })
                    == sorted.count {
                        prefix.utf8.lexicographicallyPrecedes($0.text.utf8) && $0.number > 450
                    }
            )
        }
    }
}

/// A record of a given size.
@Stored private struct Blob: Equatable {
    let id: Int
    var size: Int
    var bytes: Data

    init(id: Int, size: Int) {
        self.id = id
        self.size = size
        bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ id) })
    }
}

@Stored private struct Word: Equatable {
    @PrimaryKey let text: String
    var number: Int
}
