import CLMDB
import DBClientCore

/// Walks a tree of pages and hands out its entries, checking the structure on the way.
struct TreeWalker: ~Copyable {
    let file: PageFile
    /// The pages that were seen, so that none is used twice.
    private var seen: PageSet
    /// What the entries of the tree are that is walked.
    private var content = Content.values
    /// The pages of that tree which were met.
    private var counts = PageFile.PageCounts()

    /// What the entries of a tree have beside their keys.
    enum Content {
        /// A value, which may be on pages of its own.
        case values
        /// The description of a table, with the root of its tree.
        case tables
        /// One or more values in order, whose sizes are not the same.
        case several
        /// One or more values in order, of eight bytes each.
        case severalWords
        /// Nothing: each is one of several values of a key, of different sizes or of eight bytes.
        case nothing
        case words

        init(_ flags: Int32) {
            self =
                flags & MDB_DUPSORT == 0
                ? .values : flags & MDB_DUPFIXED == 0 ? .several : .severalWords
        }

        /// What the values of one key are in a tree or page of their own.
        fileprivate var ofOneKey: Content? {
            switch self {
            case .several: .nothing
            case .severalWords: .words
            default: nil
            }
        }

        /// The size of the packed values of a page; zero where entries have headers.
        fileprivate var fixedSize: Int { self == .words ? 8 : 0 }

        /// The flags of a tree of several values of one key.
        fileprivate var treeFlags: Int32 {
            self == .words ? MDB_DUPFIXED | MDB_INTEGERKEY : 0
        }

        /// Whether an entry may have some flags.
        fileprivate func allows(_ flags: UInt16) -> Bool {
            switch self {
            case .values: flags == 0 || flags == NodeFlag.big
            case .tables: flags == NodeFlag.tree
            case .several, .severalWords:
                flags == 0 || flags == NodeFlag.several
                    || flags == NodeFlag.several | NodeFlag.tree
            case .nothing, .words: flags == 0
            }
        }
    }

    private enum PageFlag {
        static let branch: UInt16 = 0x01
        static let leaf: UInt16 = 0x02
        static let overflow: UInt16 = 0x04
        /// A leaf of keys of one size without values.
        static let fixed: UInt16 = 0x20
        /// A page within an entry, and a mark that every one of them keeps.
        static let within: UInt16 = 0x50
    }

    fileprivate enum NodeFlag {
        /// The value is on pages of its own.
        static let big: UInt16 = 0x01
        /// The value is the description of a tree.
        static let tree: UInt16 = 0x02
        /// The value is a page or a tree of several values.
        static let several: UInt16 = 0x04
    }

    private static let headerSize = 16

    init(_ file: consuming PageFile) {
        seen = PageSet((try? file.storedPageCount()) ?? 0)
        self.file = file
    }

    /// What is met in a tree, in order.
    enum Item {
        case entry(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
        /// What comes before is smaller than a key, and a value where the key has several; what follows is
        /// not.
        case bound(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?)
    }

    /// Calls a function with everything in a tree.
    ///
    /// - Throws: `.corrupt` when a page is damaged or the tree has other numbers of entries and pages than it says.
    mutating func walk(
        _ tree: PageFile.Tree,
        _ content: Content = .values,
        _ body: (Item) throws -> Void
    ) throws {
        let outer = (self.content, counts)
        self.content = content
        counts = PageFile.PageCounts()
        defer { (self.content, counts) = outer }
        guard tree.isSound, Int(tree.pad) == content.fixedSize || self.isFree(tree) else {
            throw PageFile.damaged("The description of a tree is damaged.")
        }
        var count: UInt64 = 0
        if !tree.isEmpty {
            try walk(page: tree.root, depth: tree.depth) { item in
                if case .entry = item { count += 1 }
                try body(item)
            }
        }
        guard count == tree.entries, counts == tree.pages else {
            throw PageFile.damaged("A table has another number of entries or pages than it says.")
        }
    }

    /// Whether a tree is the list of free pages, whose description has the size of a page.
    private func isFree(_ tree: PageFile.Tree) -> Bool { tree == file.free }

    /// Notes that pages are in use.
    ///
    /// - Throws: `.corrupt` when one is used already, or is not one of the file's.
    mutating func use(_ first: UInt64, count: Int = 1) throws {
        guard count > 0, first >= 2, first < file.pageCount, count <= file.pageCount - Int(first)
        else { throw PageFile.damaged("A page is named that is not in the file.") }
        for page in first..<first + UInt64(count) {
            guard seen.insert(page) else {
                throw PageFile.damaged("A page is used twice.")
            }
        }
    }

    /// Whether every page of the file is in use or free.
    var hasSeenAll: Bool { seen.count == file.pageCount - 2 }

    /// Reads the first page of a tree.
    ///
    /// - Throws: `.corrupt` when it is not what the tree says.
    mutating func checkRoot(of tree: PageFile.Tree, _ content: Content = .values) throws {
        let outer = self.content
        self.content = content
        defer { self.content = outer }
        if !tree.isEmpty { _ = try read(tree.root, depth: tree.depth) }
    }

    /// Reads a page of a tree that has so many levels from there on.
    private func read(_ number: UInt64, depth: Int) throws -> [UInt8] {
        let page = try file.read(number)
        let flags = page.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 10, as: UInt16.self) }
        let leaf = content.fixedSize > 0 ? PageFlag.leaf | PageFlag.fixed : PageFlag.leaf
        guard (1...Self.deepest).contains(depth), flags == (depth > 1 ? PageFlag.branch : leaf)
        else {
            throw PageFile.damaged("A page is of another kind than its place asks for.")
        }
        return page
    }

    /// LMDB's cursors have room for so many levels.
    private static let deepest = 32

    private mutating func walk(
        page number: UInt64,
        depth: Int,
        _ body: (Item) throws -> Void
    ) throws {
        try use(number)
        let page = try read(number, depth: depth)
        if depth > 1 { counts.branch += 1 } else { counts.leaf += 1 }
        try page.withUnsafeBytes { try walk($0, depth, body) }
    }

    /// Walks a page, or one within an entry.
    private mutating func walk(
        _ page: UnsafeRawBufferPointer,
        _ depth: Int,
        _ body: (Item) throws -> Void
    ) throws {
        let lower = Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        let upper = Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        let count = (lower - Self.headerSize) / 2
        guard lower > Self.headerSize, lower & 1 == 0, lower <= upper, upper <= page.count else {
            throw PageFile.damaged("A page's bounds are damaged.")
        }
        if content.fixedSize > 0, depth == 1 { return try walk(fixed: page, count, body) }
        var used = 0
        for index in 0..<count {
            let offset = Int(
                page.loadUnaligned(fromByteOffset: Self.headerSize + index * 2, as: UInt16.self)
            )
            guard offset >= upper, offset & 1 == 0 else {
                throw PageFile.damaged("An entry lies where its page has none.")
            }
            let node = try Self.slice(page, offset, 8)
            used +=
                depth == 1
                ? try walk(entry: node, at: offset, page, body)
                : try walk(branch: node, at: offset, page, depth, isFirst: index == 0, body)
        }
        // They lie one beside the other, at even places.
        guard used == page.count - upper else {
            throw PageFile.damaged("The entries of a page do not fill it.")
        }
    }

    /// Walks a page whose entries are of one size, with nothing between them.
    private func walk(
        fixed page: UnsafeRawBufferPointer,
        _ places: Int,
        _ body: (Item) throws -> Void
    ) throws {
        let size = content.fixedSize
        guard Int(page.loadUnaligned(fromByteOffset: 8, as: UInt16.self)) == size else {
            throw PageFile.damaged("A page has entries of another size than its table.")
        }
        for index in 0..<places {
            let key = try Self.slice(page, Self.headerSize + index * size, size)
            try body(.entry(key: key, value: UnsafeRawBufferPointer(start: nil, count: 0)))
        }
    }

    /// Returns the size of the entry in its page.
    private mutating func walk(
        branch node: UnsafeRawBufferPointer,
        at offset: Int,
        _ page: UnsafeRawBufferPointer,
        _ depth: Int,
        isFirst: Bool,
        _ body: (Item) throws -> Void
    ) throws -> Int {
        let low = node.loadUnaligned(as: UInt32.self)
        let high = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let key = try Self.slice(page, offset + 8, keySize)
        // The first page of a branch has everything below the second, whatever its own key says.
        if !isFirst { try body(.bound(key: key, value: nil)) }
        try walk(page: UInt64(low) | UInt64(high) << 32, depth: depth - 1, body)
        return Self.evened(8 + keySize)
    }

    /// Returns the size of the entry in its page.
    private mutating func walk(
        entry node: UnsafeRawBufferPointer,
        at offset: Int,
        _ page: UnsafeRawBufferPointer,
        _ body: (Item) throws -> Void
    ) throws -> Int {
        let size = Int(node.loadUnaligned(as: UInt32.self))
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let key = try Self.slice(page, offset + 8, keySize)
        guard content.allows(flags) else {
            throw PageFile.damaged("An entry is of another kind than its table.")
        }
        if flags & NodeFlag.big != 0 {
            let first = try Self.slice(page, offset + 8 + keySize, 8).loadUnaligned(as: UInt64.self)
            try walk(overflow: first, size, key, body)
            return Self.evened(8 + keySize + 8)
        }
        let value = try Self.slice(page, offset + 8 + keySize, size)
        if flags & NodeFlag.several == 0 {
            try body(.entry(key: key, value: value))
        } else {
            try walk(several: value, isTree: flags & NodeFlag.tree != 0, key, body)
        }
        return Self.evened(8 + keySize + size)
    }

    /// Reads a value that has pages of its own.
    private mutating func walk(
        overflow first: UInt64,
        _ size: Int,
        _ key: UnsafeRawBufferPointer,
        _ body: (Item) throws -> Void
    ) throws {
        let pages = (Self.headerSize + size + file.pageSize - 1) / file.pageSize
        try use(first, count: pages)
        counts.overflow += UInt64(pages)
        let bytes = try file.read(first, count: pages)
        try bytes.withUnsafeBytes { bytes in
            guard bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFlag.overflow,
                Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) == pages
            else { throw PageFile.damaged("A page is of another kind than its place asks for.") }
            try body(.entry(key: key, value: Self.slice(bytes, Self.headerSize, size)))
        }
    }

    /// Walks the values of one key, which are in the place of a tree's keys.
    private mutating func walk(
        several value: UnsafeRawBufferPointer,
        isTree: Bool,
        _ key: UnsafeRawBufferPointer,
        _ body: (Item) throws -> Void
    ) throws {
        guard let inner = content.ofOneKey else {
            throw PageFile.damaged("An entry is of another kind than its table.")
        }
        let eachValue: (Item) throws -> Void = { item in
            switch item {
            case .entry(let value, _): try body(.entry(key: key, value: value))
            case .bound(let value, _): try body(.bound(key: key, value: value))
            }
        }
        if isTree {
            guard value.count == PageFile.Tree.size,
                Int32(PageFile.Tree(value).flags) == inner.treeFlags
            else { throw PageFile.damaged("The description of a tree is damaged.") }
            return try walk(PageFile.Tree(value), inner, eachValue)
        }
        let flags = try Self.slice(value, 0, Self.headerSize)
            .loadUnaligned(fromByteOffset: 10, as: UInt16.self)
        let leaf = inner.fixedSize > 0 ? PageFlag.leaf | PageFlag.fixed : PageFlag.leaf
        guard flags == leaf | PageFlag.within else {
            throw PageFile.damaged("A page is of another kind than its place asks for.")
        }
        let outer = content
        content = inner
        defer { content = outer }
        try walk(value, 1, eachValue)
    }

    private static func evened(_ size: Int) -> Int { (size + 1) & ~1 }

    private static func slice(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int,
        _ count: Int
    ) throws -> UnsafeRawBufferPointer {
        guard start >= 0, count >= 0, start <= bytes.count - count else {
            throw PageFile.damaged("An entry reaches beyond its page.")
        }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    }
}

/// The numbers of pages: a bit for each that the file has room for, as large as that is, and the others, which can
/// only be free, one by one.
private struct PageSet {
    private var bits: [UInt64]
    private var others = Set<UInt64>()
    private let limit: UInt64
    private(set) var count = 0

    init(_ limit: Int) {
        self.limit = UInt64(limit)
        bits = [UInt64](repeating: 0, count: limit / 64 + 1)
    }

    /// Returns false for one that was there already.
    mutating func insert(_ page: UInt64) -> Bool {
        guard page < limit else {
            guard others.insert(page).inserted else { return false }
            count += 1
            return true
        }
        let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
        if bits[word] & bit != 0 { return false }
        bits[word] |= bit
        count += 1
        return true
    }
}
