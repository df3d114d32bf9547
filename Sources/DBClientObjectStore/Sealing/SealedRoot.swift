import CLMDB
import DBClientCore

/// What a commit's sealed record leads to: the table of tables, and the counters of the store.
struct SealedRoot {
    /// What is stored of the table of tables.
    var tables: [UInt8]
    var tableCount = 0
    /// The next page's number; numbers are never used again.
    var nextPage: UInt64 = 1
    /// The number of commits since the store was made; a record with a smaller one is older.
    var commitCount: UInt64 = 0
    /// The tag of the record itself.
    var tag = PageTag()

    private static let version: UInt64 = 1
    static let size = 32 + SealedTree.codedSize

    init() {
        tables = SealedTree(SealedTree.tablesTable, name: "", flags: 0).coded
    }

    init(
        tables: SealedTree,
        tableCount: Int,
        nextPage: UInt64,
        commitCount: UInt64
    ) {
        self.tables = tables.coded
        self.tableCount = tableCount
        self.nextPage = nextPage
        self.commitCount = commitCount
    }

    var coded: [UInt8] {
        var bytes: [UInt8] = []
        for word in [Self.version, UInt64(tableCount), nextPage, commitCount] {
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
        }
        return bytes + tables
    }

    /// Reads an opened record; nil where that is none.
    init?(_ bytes: UnsafeRawBufferPointer, _ tag: PageTag) {
        guard bytes.count == Self.size else { return nil }
        let words = (0..<4).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        guard words[0] == Self.version, words[1] < 1 << 32, words[2] < 1 << 62,
            words[3] < 1 << 62
        else { return nil }
        tables = Array(bytes.dropFirst(32))
        tableCount = Int(words[1])
        nextPage = words[2]
        commitCount = words[3]
        self.tag = tag
    }

    /// Returns the table that has a record for each other table.
    ///
    /// - Throws: `.corrupt` when its record in the root cannot be read.
    func tablesTree() throws -> SealedTree {
        let tree = tables.withUnsafeBytes { SealedTree(SealedTree.tablesTable, coded: $0) }
        guard let tree else { throw SealedStore.damaged() }
        return tree
    }
}
