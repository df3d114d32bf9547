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

    /// What is met in a tree, in order.
    enum Item {
        case entry(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
        /// What comes before is smaller than a key, and a value where the key has several; what follows is
        /// not.
        case bound(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?)
    }

    /// Calls a function with everything in a tree.
    ///
    /// - Throws: `.corrupt` when a page is damaged or the number of entries is not what the tree says.
    mutating func walk(_ tree: PageFile.Tree, _ body: (Item) throws -> Void) throws {
        var count: UInt64 = 0
        if !tree.isEmpty {
            try walk(page: tree.root, depth: tree.depth) { item in
                if case .entry = item { count += 1 }
                try body(item)
            }
        }
        guard count == tree.entries else {
            throw PageFile.damaged("A table has another number of entries than it says.")
        }
    }

    /// Notes that pages are in use.
    ///
    /// - Throws: `.corrupt` when one is used already, or is not one of the file's.
    mutating func use(_ first: UInt64, count: Int = 1) throws {
        guard count > 0, first >= 2, first < file.pageCount, count <= file.pageCount - Int(first)
        else { throw PageFile.damaged("A page is named that is not in the file.") }
        for page in first..<first + UInt64(count) {
            guard seen.insert(page).inserted else {
                throw PageFile.damaged("A page is used twice.")
            }
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
        _ body: (Item) throws -> Void
    ) throws {
        try use(number)
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
        _ body: (Item) throws -> Void
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
                try body(.entry(key: key, value: UnsafeRawBufferPointer(start: nil, count: 0)))
            }
            return
        }
        for index in 0..<count {
            let offset = Int(
                page.loadUnaligned(fromByteOffset: Self.headerSize + index * 2, as: UInt16.self)
            )
            let node = try Self.slice(page, offset, 8)
            if depth == 1 {
                try walk(entry: node, at: offset, page, body)
            } else {
                try walk(branch: node, at: offset, page, depth, isFirst: index == 0, body)
            }
        }
    }

    private mutating func walk(
        branch node: UnsafeRawBufferPointer,
        at offset: Int,
        _ page: UnsafeRawBufferPointer,
        _ depth: Int,
        isFirst: Bool,
        _ body: (Item) throws -> Void
    ) throws {
        let low = node.loadUnaligned(as: UInt32.self)
        let high = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        // The first page of a branch has everything below the second, whatever its own key says.
        if !isFirst {
            try body(.bound(key: Self.slice(page, offset + 8, keySize), value: nil))
        }
        try walk(page: UInt64(low) | UInt64(high) << 32, depth: depth - 1, body)
    }

    private mutating func walk(
        entry node: UnsafeRawBufferPointer,
        at offset: Int,
        _ page: UnsafeRawBufferPointer,
        _ body: (Item) throws -> Void
    ) throws {
        let size = Int(node.loadUnaligned(as: UInt32.self))
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let key = try Self.slice(page, offset + 8, keySize)
        if flags & NodeFlag.big != 0 {
            let first = try Self.slice(page, offset + 8 + keySize, 8).loadUnaligned(as: UInt64.self)
            let pages = (Self.headerSize + size + file.pageSize - 1) / file.pageSize
            try use(first, count: pages)
            let bytes = try file.read(first, count: pages)
            return try bytes.withUnsafeBytes {
                try body(.entry(key: key, value: Self.slice($0, Self.headerSize, size)))
            }
        }
        let value = try Self.slice(page, offset + 8 + keySize, size)
        guard flags & NodeFlag.several != 0 else {
            return try body(.entry(key: key, value: value))
        }
        // The values stand where a tree has its keys.
        let eachValue: (Item) throws -> Void = { item in
            switch item {
            case .entry(let value, _): try body(.entry(key: key, value: value))
            case .bound(let value, _): try body(.bound(key: key, value: value))
            }
        }
        if flags & NodeFlag.tree != 0 {
            guard size == PageFile.Tree.size else {
                throw PageFile.damaged("The description of a tree is damaged.")
            }
            return try walk(PageFile.Tree(value), eachValue)
        }
        let subFlags = try Self.slice(value, 0, Self.headerSize)
            .loadUnaligned(fromByteOffset: 10, as: UInt16.self)
        try walk(value, subFlags, 1, eachValue)
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
