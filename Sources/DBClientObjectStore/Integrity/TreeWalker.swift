import DBClientCore

/// Walks a tree of pages and hands out its entries, checking the structure on the way.
struct TreeWalker: ~Copyable {
    let file: PageFile
    /// The pages that were seen, so that none is used twice.
    private var seen = Set<UInt64>()

    private enum PageFlag {
        static let branch: UInt16 = 0x01
        static let leaf: UInt16 = 0x02
        static let overflow: UInt16 = 0x04
        /// A leaf of keys of one size without values.
        static let fixed: UInt16 = 0x20
    }

    private enum NodeFlag {
        /// The value is on pages of its own.
        static let big: UInt16 = 0x01
        /// The value describes a tree.
        static let tree: UInt16 = 0x02
        /// The value is a page or a tree of several values.
        static let several: UInt16 = 0x04
    }

    private static let headerSize = 16

    init(_ file: consuming PageFile) {
        self.file = file
    }

    /// Calls a function with each key and value of a tree.
    ///
    /// - Throws: `.corrupt` when a page is damaged or the number of entries is not what the tree says.
    mutating func walk(
        _ tree: PageFile.Tree,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var count: UInt64 = 0
        if !tree.isEmpty {
            try walk(page: tree.root, depth: tree.depth) { key, value in
                count += 1
                try body(key, value)
            }
        }
        guard count == tree.entries else {
            throw PageFile.damaged("A table has another number of entries than it says.")
        }
    }

    /// Reads the first page of a tree.
    ///
    /// - Throws: `.corrupt` when it is not what the tree says.
    func checkRoot(of tree: PageFile.Tree) throws {
        if !tree.isEmpty { _ = try read(tree.root, depth: tree.depth) }
    }

    /// Reads a page of a tree that has so many levels from there on.
    private func read(_ number: UInt64, depth: Int) throws -> [UInt8] {
        let page = try file.read(number)
        let flags = page.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 10, as: UInt16.self) }
        guard (1...Self.deepest).contains(depth), (flags & PageFlag.branch != 0) == (depth > 1),
            flags & PageFlag.overflow == 0
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
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard seen.insert(number).inserted else {
            throw PageFile.damaged("A page is used twice.")
        }
        let page = try read(number, depth: depth)
        try page.withUnsafeBytes { page in
            let flags = page.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
            try walk(page, flags, depth, body)
        }
    }

    private mutating func walk(
        _ page: UnsafeRawBufferPointer,
        _ flags: UInt16,
        _ depth: Int,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let lower = Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        guard lower >= Self.headerSize, lower <= page.count else {
            throw PageFile.damaged("A page's bounds are damaged.")
        }
        let count = (lower - Self.headerSize) / 2
        if flags & PageFlag.fixed != 0 {
            let size = Int(page.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
            for index in 0..<count {
                let key = try Self.slice(page, Self.headerSize + index * size, size)
                try body(key, UnsafeRawBufferPointer(start: nil, count: 0))
            }
            return
        }
        for index in 0..<count {
            let offset = Int(
                page.loadUnaligned(fromByteOffset: Self.headerSize + index * 2, as: UInt16.self)
            )
            try walk(node: Self.slice(page, offset, 8), at: offset, page, depth, body)
        }
    }

    private mutating func walk(
        node: UnsafeRawBufferPointer,
        at offset: Int,
        _ page: UnsafeRawBufferPointer,
        _ depth: Int,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let size = Int(node.loadUnaligned(as: UInt32.self))
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        guard depth == 1 else {
            let child = UInt64(size) | UInt64(flags) << 32
            return try walk(page: child, depth: depth - 1, body)
        }
        let key = try Self.slice(page, offset + 8, keySize)
        if flags & NodeFlag.big != 0 {
            let first = try Self.slice(page, offset + 8 + keySize, 8).loadUnaligned(as: UInt64.self)
            let pages = (Self.headerSize + size + file.pageSize - 1) / file.pageSize
            let bytes = try file.read(first, count: pages)
            return try bytes.withUnsafeBytes {
                try body(key, Self.slice($0, Self.headerSize, size))
            }
        }
        let value = try Self.slice(page, offset + 8 + keySize, size)
        guard flags & NodeFlag.several != 0 else { return try body(key, value) }
        if flags & NodeFlag.tree != 0 {
            guard size == PageFile.Tree.size else {
                throw PageFile.damaged("The description of a tree is damaged.")
            }
            let values = PageFile.Tree(value)
            return try walk(page: values.root, depth: values.depth) { primaryKey, _ in
                try body(key, primaryKey)
            }
        }
        let subFlags = try Self.slice(value, 0, Self.headerSize)
            .loadUnaligned(fromByteOffset: 10, as: UInt16.self)
        try walk(value, subFlags, 1) { primaryKey, _ in try body(key, primaryKey) }
    }

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
