import CLMDB
import DBClientCore
import Foundation

/// A page of a sealed tree, opened in memory, or a value that has no room in a page.
///
/// The entries of a page are in the layout that LMDB's pages have, so that a walk over a table reads either.
///
/// A page that has been sealed, or was read, never changes and may be used by any thread. One that a transaction
/// changes is a copy which that transaction owns.
///
/// The header has the page's number, its level, whether it is a leaf, and where the places of the entries end and the
/// entries begin. An entry begins with the size of its value (4 bytes), flags (2) and the size of its key (2).
final class SealedPage: @unchecked Sendable {
    /// What is sealed of a page: with salt, nonce and tag one page of LMDB's less the header of that.
    static let capacity = 4_080 - SealingKeys.overhead
    /// The memory of a page, aligned to its size, from which a walk finds the page's beginning.
    static let memorySize = 4_096
    static let headerSize = 16
    /// The greatest entry with its place, two of which fit a page.
    static let largestEntry = (capacity - headerSize) / 2

    private enum Field {
        static let level = 8
        static let flags = 10
        static let lower = 12
        static let upper = 14
    }

    /// The flags of pages as LMDB has them.
    private static let branchFlag: UInt16 = 1
    private static let leafFlag: UInt16 = 2

    let number: UInt64
    let base: UnsafeMutableRawPointer
    /// The size of the page in bytes, as it is sealed.
    let size: Int
    /// Of the sealed form; of no meaning while a transaction owns the page.
    var tag = PageTag()
    /// The transaction that may change it; 0 for none.
    var owner: UInt64 = 0

    /// Memory for a value, or for a page that is read.
    init(number: UInt64, size: Int = SealedPage.capacity) {
        self.number = number
        self.size = size
        base =
            size <= Self.memorySize
            ? PageMemory.allocate()
            : .allocate(byteCount: size, alignment: Self.memorySize)
    }

    /// An empty page; a leaf at level 0.
    convenience init(number: UInt64, level: Int, owner: UInt64) {
        self.init(number: number)
        self.owner = owner
        base.initializeMemory(as: UInt8.self, repeating: 0, count: Self.capacity)
        base.storeBytes(of: number, as: UInt64.self)
        set(Field.level, level)
        set(Field.flags, Int(level == 0 ? Self.leafFlag : Self.branchFlag))
        set(Field.lower, Self.headerSize)
        set(Field.upper, Self.capacity)
    }

    /// A copy for a transaction to change.
    convenience init(copying other: SealedPage, owner: UInt64) {
        self.init(number: other.number, size: other.size)
        self.owner = owner
        base.copyMemory(from: other.base, byteCount: other.size)
    }

    deinit {
        overwriteBytes(UnsafeMutableRawBufferPointer(start: base, count: size))
        if size <= Self.memorySize { PageMemory.deallocate(base) } else { base.deallocate() }
    }

    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: size)
    }

    // MARK: Header

    @inline(__always)
    private func field(_ offset: Int) -> Int {
        Int(base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inline(__always)
    private func set(_ offset: Int, _ value: Int) {
        base.storeBytes(
            of: UInt16(truncatingIfNeeded: value),
            toByteOffset: offset,
            as: UInt16.self
        )
    }

    @inline(__always)
    var level: Int { field(Field.level) }

    @inline(__always)
    var isLeaf: Bool { level == 0 }

    @inline(__always)
    var count: Int { (field(Field.lower) - Self.headerSize) / 2 }

    /// The bytes between the places and the entries.
    var freeSize: Int { field(Field.upper) - field(Field.lower) }

    var usedSize: Int { Self.capacity - Self.headerSize - freeSize }

    /// Whether an opened page is one, and stays within itself.
    var isSound: Bool {
        let (lower, upper) = (field(Field.lower), field(Field.upper))
        guard size == Self.capacity, base.load(as: UInt64.self) == number,
            field(Field.flags) == Int(isLeaf ? Self.leafFlag : Self.branchFlag), level < 64,
            lower >= Self.headerSize, lower <= upper, upper <= Self.capacity, lower % 2 == 0
        else { return false }
        for index in 0..<count {
            let place = place(index)
            guard place >= upper, place + 8 <= Self.capacity,
                place + entrySize(index) <= Self.capacity
            else { return false }
        }
        return true
    }

    // MARK: Entries

    @inline(__always)
    private func place(_ index: Int) -> Int { field(Self.headerSize + 2 * index) }

    @inline(__always)
    private func entry(_ index: Int) -> UnsafeMutableRawPointer { base + place(index) }

    @inline(__always)
    func key(_ index: Int) -> MDB_val {
        let entry = entry(index)
        return MDB_val(entry + 8, Int(entry.loadUnaligned(fromByteOffset: 6, as: UInt16.self)))
    }

    @inline(__always)
    func flags(_ index: Int) -> UInt16 {
        entry(index).loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    }

    /// The size of the value, wherever it is.
    @inline(__always)
    func valueSize(_ index: Int) -> Int {
        Int(entry(index).loadUnaligned(as: UInt32.self))
    }

    /// The value that follows the key; of an entry with a value elsewhere, its reference.
    @inline(__always)
    func value(_ index: Int) -> MDB_val {
        let entry = entry(index)
        let key = Int(entry.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        return MDB_val(entry + (8 + key), Int(entry.loadUnaligned(as: UInt32.self)))
    }

    @inline(__always)
    func hasValueElsewhere(_ index: Int) -> Bool { flags(index) & EntryFlag.elsewhere != 0 }

    private func entrySize(_ index: Int) -> Int {
        let entry = entry(index)
        let key = Int(entry.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let value = Int(entry.loadUnaligned(as: UInt32.self))
        let isElsewhere = isLeaf && hasValueElsewhere(index)
        let reference = isLeaf ? (isElsewhere ? PageReference.size : 0) : PageReference.countedSize
        return Self.rounded(8 + key + (isElsewhere ? 0 : value) + reference)
    }

    /// Where the reference of an entry is: of a branch's to its child, of a leaf's to its value.
    @inline(__always)
    private func reference(_ index: Int) -> UnsafeMutableRawPointer {
        let entry = entry(index)
        let key = Int(entry.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let value = isLeaf ? 0 : Int(entry.loadUnaligned(as: UInt32.self))
        return entry + (8 + key + value)
    }

    @inline(__always)
    func target(_ index: Int) -> PageReference {
        let bytes = reference(index)
        return PageReference(
            number: bytes.loadUnaligned(as: UInt64.self),
            tag: PageTag(bytes + 8),
            isUnsealed: flags(index) & EntryFlag.unsealed != 0
        )
    }

    /// Notes that what an entry refers to was changed and has no tag yet.
    func setUnsealed(_ index: Int) {
        entry(index).storeBytes(
            of: flags(index) | EntryFlag.unsealed,
            toByteOffset: 4,
            as: UInt16.self
        )
    }

    /// Notes the tag of what an entry refers to.
    func setTag(_ index: Int, _ tag: PageTag) {
        let bytes = reference(index)
        bytes.storeBytes(of: tag.first, toByteOffset: 8, as: UInt64.self)
        bytes.storeBytes(of: tag.second, toByteOffset: 16, as: UInt64.self)
        entry(index).storeBytes(
            of: flags(index) & ~EntryFlag.unsealed,
            toByteOffset: 4,
            as: UInt16.self
        )
    }

    /// How many entries of leaves are below an entry of a branch.
    @inline(__always)
    func countBelow(_ index: Int) -> Int {
        Int(truncatingIfNeeded: reference(index).loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    func setCountBelow(_ index: Int, _ count: Int) {
        reference(index).storeBytes(of: UInt64(count), toByteOffset: 24, as: UInt64.self)
    }

    /// How many entries of leaves there are in the page or below it.
    var totalCount: Int {
        if isLeaf { return count }
        return (0..<count).reduce(0) { $0 &+ countBelow($1) }
    }

    // MARK: Changes

    private static func rounded(_ size: Int) -> Int { (size + 1) & ~1 }

    /// How much room an entry takes, with its place.
    static func room(_ entry: NewEntry) -> Int {
        rounded(8 + entry.key.mv_size + entry.inline.mv_size + entry.referenceSize) + 2
    }

    /// How much room an entry of this page takes, with its place.
    func room(_ index: Int) -> Int { entrySize(index) + 2 }

    /// Puts an entry in, for which there is room, and returns where its value is to be.
    @discardableResult
    func insert(_ entry: NewEntry, at index: Int) -> UnsafeMutableRawPointer {
        let size = Self.room(entry) - 2
        let upper = field(Field.upper) - size
        makePlace(index, upper)
        let bytes = base + upper
        bytes.storeBytes(of: UInt32(entry.valueSize), as: UInt32.self)
        bytes.storeBytes(of: entry.flags, toByteOffset: 4, as: UInt16.self)
        bytes.storeBytes(of: UInt16(entry.key.mv_size), toByteOffset: 6, as: UInt16.self)
        if let key = entry.key.mv_data {
            (bytes + 8).copyMemory(from: key, byteCount: entry.key.mv_size)
        }
        let value = bytes + (8 + entry.key.mv_size)
        if let data = entry.inline.mv_data {
            value.copyMemory(from: data, byteCount: entry.inline.mv_size)
        }
        if entry.referenceSize > 0 {
            let reference = value + entry.inline.mv_size
            reference.storeBytes(of: entry.target.number, as: UInt64.self)
            reference.storeBytes(of: entry.target.tag.first, toByteOffset: 8, as: UInt64.self)
            reference.storeBytes(of: entry.target.tag.second, toByteOffset: 16, as: UInt64.self)
            if entry.referenceSize == PageReference.countedSize {
                reference.storeBytes(
                    of: UInt64(entry.countBelow),
                    toByteOffset: 24,
                    as: UInt64.self
                )
            }
        }
        return value
    }

    private func makePlace(_ index: Int, _ upper: Int) {
        let places = base + Self.headerSize
        (places + 2 * (index + 1)).copyMemory(
            from: places + 2 * index,
            byteCount: 2 * (count - index)
        )
        set(Self.headerSize + 2 * index, upper)
        set(Field.lower, field(Field.lower) + 2)
        set(Field.upper, upper)
    }

    /// Removes an entry, and closes the gap so that the free space of the page stays in one piece.
    func remove(_ index: Int) {
        let removed = place(index)
        let size = entrySize(index)
        let upper = field(Field.upper)
        let count = count
        (base + (upper + size)).copyMemory(from: base + upper, byteCount: removed - upper)
        (base + upper).initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let places = base + Self.headerSize
        (places + 2 * index).copyMemory(
            from: places + 2 * (index + 1),
            byteCount: 2 * (count - index - 1)
        )
        set(Self.headerSize + 2 * (count - 1), 0)
        set(Field.lower, field(Field.lower) - 2)
        set(Field.upper, upper + size)
        for other in 0..<count - 1 where place(other) < removed {
            set(Self.headerSize + 2 * other, place(other) + size)
        }
    }

    /// Appends entries of another page of the same level.
    func append(_ entries: Range<Int>, of other: SealedPage) {
        for index in entries {
            let size = other.entrySize(index)
            let upper = field(Field.upper) - size
            (base + upper).copyMemory(from: other.entry(index), byteCount: size)
            makePlace(count, upper)
        }
    }

    /// Removes all entries but the first so many.
    func truncate(to kept: Int) {
        let copy = SealedPage(copying: self, owner: 0)
        let (number, level) = (number, level)
        base.initializeMemory(as: UInt8.self, repeating: 0, count: Self.capacity)
        base.storeBytes(of: number, as: UInt64.self)
        set(Field.level, level)
        set(Field.flags, Int(level == 0 ? Self.leafFlag : Self.branchFlag))
        set(Field.lower, Self.headerSize)
        set(Field.upper, Self.capacity)
        append(0..<kept, of: copy)
    }
}

/// What the flags of an entry say.
enum EntryFlag {
    /// The value is not in the page.
    static let elsewhere: UInt16 = 1
    /// What the entry refers to was changed and is not sealed.
    static let unsealed: UInt16 = 4
}

/// A page or a value, and which version of it.
struct PageReference {
    var number: UInt64
    var tag = PageTag()
    /// Whether the transaction has changed it, so that it has no tag yet.
    var isUnsealed = false

    static let size = 24
    /// With the number of entries below.
    static let countedSize = 32
}

/// An entry on its way into a page.
struct NewEntry {
    var key: MDB_val
    /// What follows the key: the value, or of a branch's entry the value that its key goes on with.
    var inline = MDB_val()
    var valueSize: Int
    var flags: UInt16 = 0
    var referenceSize = 0
    var target = PageReference(number: 0)
    var countBelow = 0

    /// An entry with its value, whose bytes may come later.
    init(_ key: MDB_val, _ value: MDB_val) {
        self.key = key
        inline = value
        valueSize = value.mv_size
    }

    /// An entry whose value is elsewhere.
    init(_ key: MDB_val, size: Int, _ target: PageReference) {
        self.key = key
        valueSize = size
        flags = EntryFlag.elsewhere | (target.isUnsealed ? EntryFlag.unsealed : 0)
        referenceSize = PageReference.size
        self.target = target
    }

    /// Creates an entry of a branch, which refers to a child and knows how many entries are below it.
    init(_ key: MDB_val, _ value: MDB_val, child: PageReference, count: Int) {
        self.key = key
        inline = value
        valueSize = value.mv_size
        flags = child.isUnsealed ? EntryFlag.unsealed : 0
        referenceSize = PageReference.countedSize
        target = child
        countBelow = count
    }
}
