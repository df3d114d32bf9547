import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

#if Encryption
/// Files that were changed without the key: an error or the right values, and never others.
@Suite struct TamperingTests {
    private static let pageSize = 4_096
    private let key: StoreKey
    private let before: [UInt8]
    private let after: [UInt8]
    private let expected: [Note]

    /// Makes a store, and the same after some more commits.
    init() throws {
        let folder = try TemporaryFolder()
        key = .random()
        let client = try ObjectStoreDBClient(at: folder.store, key: key)
        try client.blocking.insert((1...600).map { Note($0, "first \($0)", folder: $0 % 5) })
        try client.blocking.insert(Note(5_000, String(repeating: "long ", count: 3_000)))
        before = Array(try Data(contentsOf: folder.store))
        for id in 1...8 { try client.blocking.update(Note(id * 70, "second \(id)")) }
        expected = try client.blocking.fetch(Note.all)
        try client.close()
        after = Array(try Data(contentsOf: folder.store))
    }

    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// The pages of a file that hold one sealed page: LMDB says of them that they are no part of a tree.
    private func sealedPages(_ file: [UInt8]) -> [Int] {
        (2..<file.count / Self.pageSize).filter { page in
            let start = page * Self.pageSize
            // The number, and the flag of pages of large values.
            return file[start + 10] == 4 && file[start + 11] == 0 && file[start + 12] == 1
                && file[start] == UInt8(truncatingIfNeeded: page)
        }
    }

    /// Reads everything of a changed file, in ways that use each index, and returns the error if there is one.
    private func read(_ file: [UInt8], verifies: Bool) throws -> DBClientError? {
        let folder = try TemporaryFolder()
        try Data(file).write(to: folder.store)
        return error {
            let client = try ObjectStoreDBClient(
                at: folder.store,
                key: key,
                verification: verifies ? .always : .never
            )
            defer { try? client.close() }
            #expect(try client.blocking.fetch(Note.all) == expected)
            for folder in 0..<5 {
                let found = try client.blocking.fetch(Note.where { $0.folder == folder })
                #expect(found == expected.filter { $0.folder == folder })
            }
            let title = try client.blocking.fetch(Note.where { $0.title == "first 33" })
            #expect(title.map(\.id) == [33])
        }
    }

    private func check(_ file: [UInt8], _ what: String) throws {
        let isUnused = try read(file, verifies: false) == nil
        if let told = try read(file, verifies: true) {
            #expect(told.code == .corrupt, "\(what): \(told)")
        } else {
            #expect(isUnused, "\(what): found when read, and not by the check")
        }
    }

    @Test func theFileAsItWasIsRead() throws {
        #expect(try read(after, verifies: false) == nil)
        #expect(try read(after, verifies: true) == nil)
    }

    /// That what the others change is what is read: a changed bit of many pages is met.
    @Test func manyPagesAreNeeded() throws {
        let pages = sealedPages(after)
        let found = try pages.filter { page in
            var file = after
            file[page * Self.pageSize + 100] ^= 1
            return try read(file, verifies: false)?.code == .corrupt
        }
        #expect(found.count >= 10)
    }

    @Test(arguments: 0..<60) func aFlippedBitIsFound(seed: UInt64) throws {
        var random = Random(state: seed)
        var file = after
        let page = try #require(sealedPages(file).randomElement(using: &random))
        let byte = Int.random(in: 16..<Self.pageSize, using: &random)
        file[page * Self.pageSize + byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        if let told = try read(file, verifies: false) {
            #expect(told.code == .corrupt, "\(told)")
        }
        try check(file, "bit of byte \(byte) of page \(page)")
    }

    @Test(arguments: 0..<60) func anExchangedPageIsFound(seed: UInt64) throws {
        var random = Random(state: seed &+ 1_000)
        var file = after
        let pages = sealedPages(file)
        let (first, second) = (
            try #require(pages.randomElement(using: &random)),
            try #require(pages.randomElement(using: &random))
        )
        for byte in 16..<Self.pageSize {
            file.swapAt(first * Self.pageSize + byte, second * Self.pageSize + byte)
        }
        if let told = try read(file, verifies: false) {
            #expect(told.code == .corrupt, "\(told)")
        }
        try check(file, "pages \(first) and \(second)")
    }

    /// Every version of a page that the file ever had, in the place of every one that there is.
    @Test(arguments: 0..<80) func aPageThatIsPutBackIsFound(seed: UInt64) throws {
        var random = Random(state: seed &+ 2_000)
        var file = after
        let page = try #require(sealedPages(file).randomElement(using: &random))
        let old = try #require(sealedPages(before).randomElement(using: &random))
        let bytes = before[old * Self.pageSize + 16..<(old + 1) * Self.pageSize]
        file.replaceSubrange(page * Self.pageSize + 16..<(page + 1) * Self.pageSize, with: bytes)
        if let told = try read(file, verifies: false) {
            #expect(told.code == .corrupt, "\(told)")
        }
        try check(file, "page \(page) as \(old) was")
    }
}
#endif
