import CLMDB
import DBClientCore

/// One table of a sealed store, as a snapshot or a transaction has it.
final class SealedTree {
    let table: MDB_dbi
    let name: String
    let flags: UInt32
    let order: TreeOrder
    /// The root; its number is 0 where there is no entry.
    var rootReference = PageReference(number: 0)
    /// The root, once it was read or made.
    var root: SealedPage?
    var depth = 0
    var entryCount = 0
    var branchCount = 0
    var leafCount = 0
    /// How many values are elsewhere, and of how many pages' size.
    var valueCount = 0
    var valuePageCount = 0
    /// Changes with every change of the entries, after which a cursor's place is none.
    var version = 0
    /// Whether the transaction has changed it.
    var isChanged = false

    /// The number of the table that has a record for each other table.
    static let tablesTable: MDB_dbi = 1

    init(_ table: MDB_dbi, name: String, flags: UInt32) {
        self.table = table
        self.name = name
        self.flags = flags
        order = TreeOrder(flags)
    }

    /// A copy for a transaction within another.
    convenience init(copying other: SealedTree) {
        self.init(other.table, name: other.name, flags: other.flags)
        take(other)
        isChanged = false
    }

    /// Takes over the content of another transaction's.
    func take(_ other: SealedTree) {
        rootReference = other.rootReference
        root = other.root
        depth = other.depth
        entryCount = other.entryCount
        branchCount = other.branchCount
        leafCount = other.leafCount
        valueCount = other.valueCount
        valuePageCount = other.valuePageCount
        version += 1
    }

    /// Makes the table empty; the caller frees its pages.
    func clear() {
        rootReference = PageReference(number: 0)
        root = nil
        (depth, entryCount, branchCount, leafCount, valueCount, valuePageCount) = (0, 0, 0, 0, 0, 0)
        version += 1
        isChanged = true
    }

    // MARK: Stored form

    /// What is stored of a tree: its root, its counts, its flags, and its name.
    var coded: [UInt8] {
        var bytes: [UInt8] = []
        for word in [
            rootReference.number, rootReference.tag.first, rootReference.tag.second,
            UInt64(depth), UInt64(entryCount), UInt64(branchCount), UInt64(leafCount),
            UInt64(valueCount), UInt64(valuePageCount), UInt64(flags),
        ] { withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) } }
        return bytes + Array(name.utf8)
    }

    static let codedSize = 80

    /// Reads what is stored of a tree; nil where that is none.
    convenience init?(_ table: MDB_dbi, coded bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.codedSize else { return nil }
        let words = (0..<10).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        guard words[3] < 64, words[4...8].allSatisfy({ $0 < 1 << 48 }), words[9] < 1 << 16 else {
            return nil
        }
        self.init(
            table,
            name: String(decoding: bytes.dropFirst(Self.codedSize), as: UTF8.self),
            flags: UInt32(words[9])
        )
        rootReference = PageReference(
            number: words[0],
            tag: PageTag(first: words[1], second: words[2])
        )
        depth = Int(words[3])
        entryCount = Int(words[4])
        branchCount = Int(words[5])
        leafCount = Int(words[6])
        valueCount = Int(words[7])
        valuePageCount = Int(words[8])
    }
}
