import DBClientCore
import DBClientInMemory
import DBClientTesting
import Foundation
import Testing

@testable import DBClientObjectStore

/// A model with an index of words, and a key that is a number.
@Stored("Page") private struct Page: Equatable {
    let id: Int
    @Searchable(weight: 2) var title: String
    @Searchable var body: String?
    @Indexed var folder: Int
    var count: Int

    init(_ id: Int, _ title: String, _ body: String? = nil, folder: Int = 0, count: Int = 0) {
        self.id = id
        self.title = title
        self.body = body
        self.folder = folder
        self.count = count
    }
}

/// The same entity without a search.
@Stored("Page") private struct PlainPage: Equatable {
    let id: Int
    var title: String
    var body: String?
    @Indexed var folder: Int
    var count: Int
}

/// A model with an index of words, and a key that is a text.
@Stored private struct Leaf: Equatable {
    @PrimaryKey let name: String
    @Searchable var text: String
    var count: Int
}

/// The index of words of the object store, beside a store in memory that scans.
@Suite struct SearchIndexTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let words = [
        "iron", "iron", "man", "man", "irons", "steel", "brass", "x", "y", "z", "Mán", "é", "字",
        "a-b",
    ]

    private static let queries = [
        "iron", "iron man", "iron -man", "x OR y", "ir*", "\"iron man\"", "title:iron", "-iron",
        "name:iron", "(x OR man) -\"y z\"", "\"man iron\"~3", "nothing", "a-b",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<8, using: &random)).map { _ in
            words.randomElement(using: &random) ?? ""
        }.joined(separator: " ")
    }

    private func check(_ store: any DBClient, _ memory: any DBClient) async throws {
        for text in Self.queries {
            let query = SearchQuery(text)
            for request in [
                Page.matching(query), Page.matching(query).limit(3),
                Page.matching(query).offset(2).limit(4),
                Page.matching(query).filter { $0.folder == 1 }.limit(5),
                Page.matching(query).sorted { $0.title.ascending },
                Page.where { $0.matches(query) && $0.count > 2 },
                Page.where { $0.matches(query) && $0.id < 40 },
            ] {
                #expect(try await store.fetch(request) == memory.fetch(request), "\(text)")
                #expect(try await store.count(request) == memory.count(request), "\(text)")
            }
            let hits = try await store.hits(Page.matching(query).limit(10))
            #expect(try await hits == memory.hits(Page.matching(query).limit(10)), "\(text)")
            let leaves = Leaf.matching(query)
            #expect(try await store.hits(leaves) == memory.hits(leaves), "\(text)")
            #expect(try await store.count(leaves) == memory.count(leaves), "\(text)")
            let some = leaves.filter { $0.count != 1 }.limit(4)
            #expect(try await store.fetch(some) == memory.fetch(some), "\(text)")
        }
    }

    private func write(
        _ client: any DBClient,
        _ random: inout SeededGenerator,
        _ step: Int
    ) async throws {
        let ids = (0..<Int.random(in: 1..<30, using: &random)).map { _ in
            Int.random(in: 0..<80, using: &random)
        }
        let pages = Set(ids).sorted().map {
            Page(
                $0 - 5,
                Self.text(&random),
                Bool.random(using: &random) ? nil : Self.text(&random),
                folder: $0 % 3,
                count: $0 % 7
            )
        }
        // In one order, since the texts are drawn in it.
        let leaves = Set(ids).sorted().map {
            Leaf(name: "n\($0)", text: Self.text(&random), count: $0 % 3)
        }
        let other = Self.text(&random)
        let fails = Int.random(in: 0..<5, using: &random) == 0
        let kind = Int.random(in: 0..<12, using: &random)
        do {
            try await client.write { transaction in
                switch kind {
                case 0, 1, 2:
                    _ = try transaction.upsert(pages)
                    _ = try transaction.upsert(leaves)
                case 3:
                    _ = try transaction.delete(Page.where { $0.folder == step % 3 })
                    _ = try transaction.delete(Leaf.where { $0.count == step % 3 })
                case 4:
                    _ = try transaction.update(Page.where { $0.count == step % 7 }) {
                        $0.set(\.title, to: other)
                    }
                    _ = try transaction.update(Leaf.where { $0.count == step % 3 }) {
                        $0.set(\.text, to: other)
                    }
                case 5:
                    _ = try transaction.update(Page.all) { $0.set(\.count, to: step % 5) }
                case 6:
                    _ = try transaction.insert((100..<140).map { Page($0 + step * 40, other) })
                    _ = try transaction.insert(
                        (0..<9).map { Leaf(name: "s\(step)-\($0)", text: other, count: 1) }
                    )
                case 7: _ = try transaction.delete(Page.matching("iron").limit(5))
                case 8: _ = try transaction.delete(Page.where { $0.id >= 100 })
                case 9:
                    if step % 4 == 0 {
                        _ = try transaction.deleteAll(Page.self)
                        _ = try transaction.deleteAll(Leaf.self)
                    }
                default:
                    for page in pages { _ = try transaction.upsert(page) }
                    _ = try? transaction.insert([Page(1_000_000 + step, other), Page(-5, "x")])
                    _ = try? transaction.insert(leaves)
                }
                if fails { throw CancellationError() }
            }
        } catch is CancellationError {
        }
    }

    @Test(
        "Random writes leave an index that finds what a scan does",
        arguments: [false, true],
        [UInt64.random(in: 0..<1_000_000)]
    )
    func randomWrites(isEncrypted: Bool, seed: UInt64) async throws {
        #if Encryption
        let key = isEncrypted ? StoreKey.random() : nil
        #else
        let key: StoreKey? = nil
        #endif
        var client = try ObjectStoreDBClient(at: folder.store, key: key)
        let memory = InMemoryDBClient()
        for step in 0..<16 {
            var random = SeededGenerator(seed: seed &+ UInt64(step))
            try await write(client, &random, step)
            random = SeededGenerator(seed: seed &+ UInt64(step))
            try await write(memory, &random, step)
            if step % 8 == 3 { try await check(client, memory) }
            if step % 8 == 7 {
                try client.close()
                try ObjectStoreDBClient.verify(at: folder.store, key: key)
                client = try ObjectStoreDBClient(at: folder.store, key: key)
            }
        }
        try await check(client, memory)
        try client.close()
    }

    @Test func theIndexIsTakenWhereItTellsEnough() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert((1...300).map { Page($0, "iron \($0)", folder: $0 % 100) })
        func plan(_ request: FetchRequest<Page>) throws -> String {
            try client.blocking.explain(request)
        }
        #expect(
            try plan(Page.matching("iron").limit(5))
                == "search Page by the words of (title, body), at most 300 rows; the best first, with scores from the index"
        )
        #expect(
            try plan(Page.where { $0.matches("ir*") && $0.count == 1 })
                == "search Page by the words of (title, body), at most 300 rows; filter on the stored bytes"
        )
        #expect(
            try plan(Page.where { $0.matches("iron") && $0.id == 7 })
                == "search Page by primary key, 1 key; filter on the stored bytes"
        )
        #expect(
            try plan(Page.where { $0.matches("iron") && $0.folder == 7 })
                == "search Page by index (folder), 1 key; filter on the stored bytes"
        )
        for request in [Page.matching("-iron"), Page.matching("iron", in: \.title)] {
            #expect(try plan(request).hasPrefix("scan Page by primary key; filter"))
        }
    }

    @Test func aStoreWithoutTheIndexGetsOne() throws {
        var client = try ObjectStoreDBClient(at: folder.store)
        let rows = (1...12_000).map {
            PlainPage(id: $0, title: "iron \($0 % 50)", body: nil, folder: 0, count: 0)
        }
        try client.blocking.insert(rows)
        let request = Page.matching("iron 7").limit(3)
        let expected = try client.blocking.hits(request)
        #expect(expected.map(\.value.id) == [7, 57, 107])
        // There are too many rows for a write to make it.
        try client.blocking.insert(Page(12_001, "iron 7 7"))
        #expect(try client.blocking.explain(request).hasPrefix("scan"))
        try client.blocking.migrate([.adapt(Page.self)])
        #expect(try client.blocking.explain(request).hasPrefix("search Page by the words"))
        #expect(try client.blocking.fetch(request).map(\.id) == [12_001, 7, 57])
        #expect(try client.blocking.count(Page.matching("iron")) == 12_001)
        // A model that knows nothing of it keeps it.
        try client.blocking.upsert(
            PlainPage(id: 7, title: "steel", body: "7 7 7", folder: 0, count: 0)
        )
        _ = try client.blocking.delete(PlainPage.where { $0.id == 57 })
        #expect(try client.blocking.fetch(request).map(\.id) == [12_001, 107, 157])
        #expect(try client.blocking.count(Page.matching("7")) == 240)
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
        client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.migrate([.delete("Page")])
        try client.blocking.insert(Page(1, "iron"))
        #expect(try client.blocking.fetch(Page.matching("iron")).map(\.id) == [1])
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    /// Changes the description of an entity in the catalog as another version of the library would.
    private func describe(
        _ client: ObjectStoreDBClient,
        _ change: (inout StoredEntity) -> Void
    ) throws {
        let environment = try client.session.environment()
        let writer = try StoreWriter(environment)
        let catalog = environment.catalog
        var stored = try #require(try catalog.read("Page", writer.transaction))
        change(&stored)
        try catalog.write(stored, name: "Page", writer.transaction)
        try catalog.makeMark(writer.transaction)
        try writer.commit()
    }

    @Test func anIndexOfAnotherVersionIsNotRead() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert((1...100).map { Page($0, "iron \($0)") })
        try describe(client) { $0.searches?[0].version = "0-other" }
        let request = Page.matching("iron 7")
        #expect(try client.blocking.explain(request).hasPrefix("scan"))
        #expect(try client.blocking.fetch(request).map(\.id) == [7])
        // A write makes one of this version in its place.
        try client.blocking.upsert(Page(8, "iron 7"))
        #expect(try client.blocking.explain(request).hasPrefix("search Page by the words"))
        #expect(try client.blocking.fetch(request).map(\.id) == [7, 8])
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    @Test func aFormerVersionOfTheLibraryRefusesTheEntity() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Page(1, "iron"))
        let environment = try client.session.environment()
        let reader = try environment.takeReader()
        defer { environment.giveBack(reader) }
        let stored = try #require(try environment.catalog.read("Page", reader.transaction))
        // It knows checksums with the head 0 alone.
        let bytes = try stored.coded()
        bytes.withUnsafeBytes { bytes in
            let sum = checksum(bytes.baseAddress! + 4, bytes.count - 4)
            #expect(sum != bytes.loadUnaligned(as: UInt32.self))
        }
        var plain = stored
        plain.searches = nil
        try plain.coded().withUnsafeBytes { bytes in
            let sum = checksum(bytes.baseAddress! + 4, bytes.count - 4)
            #expect(sum == bytes.loadUnaligned(as: UInt32.self))
        }
    }

    @Test func verifyComparesTheIndexWithTheRows() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert((1...100).map { Page($0, "iron \($0)") })
        let environment = try client.session.environment()
        let writer = try StoreWriter(environment)
        let store = try #require(try writer.store(for: Page.schema.entity))
        let cursor = SearchTableCursor(
            try writer.cursor(store.searches[0].table),
            writer.transaction
        )
        #expect(try cursor.seek([SearchIndexKey.word] + Array("57".utf8)))
        try cursor.remove(Array(cursor.key))
        writer.noteWrite()
        try writer.commit()
        try client.close()
        let error = error { try ObjectStoreDBClient.verify(at: folder.store) }
        #expect(error?.code == .corrupt)
        #expect(error?.message == "An index of words has other words than the records.")
    }

    @Test func manyRowsAreLoadedInSeveralParts() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        var random = SeededGenerator(seed: 5)
        let pages = (0..<70_000).map { id in
            Page(
                id * 11 % 70_000,
                (0..<18).map { _ in "w\(Int.random(in: 0..<900, using: &random))" }
                    .joined(separator: " ")
            )
        }
        try client.blocking.insert(pages)
        for word in ["w1", "w899", "w450"] {
            let expected = pages.filter { $0.title.split(separator: " ").contains(Substring(word)) }
            let found = try client.blocking.fetch(Page.where { $0.matches(SearchQuery(word)) })
            #expect(found.map(\.id) == expected.map(\.id).sorted())
        }
        _ = try client.blocking.delete(Page.where { $0.id % 3 != 0 || $0.id < 100 })
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }
}
