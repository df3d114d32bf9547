import DBClientCore

/// Checks every table of a store: that it is what the catalog says, and that nothing is in two places.
struct StoreVerifier: ~Copyable, TableContents {
    private var walker: TreeWalker
    /// The trees of the tables by their names.
    private let tables: [String: PageFile.Tree]
    /// The tables that were not asked for yet.
    private var unclaimed: Set<String>

    var tableNames: Set<String> { Set(tables.keys) }

    static func verify(_ path: String) throws {
        var walker = TreeWalker(try PageFile(path))
        let tables = try walker.tables()
        var verifier = StoreVerifier(walker, tables)
        try verifier.verify()
    }

    private init(_ walker: consuming TreeWalker, _ tables: [String: PageFile.Tree]) {
        self.walker = walker
        self.tables = tables
        unclaimed = Set(tables.keys)
    }

    private mutating func verify() throws {
        if tableNames == Set(SealedStore.tableNames) {
            // What the pages are is told by the key alone.
            try walk(SealedStore.headerTable, flags: 0) { _, value in _ = try StoreHeader(value) }
            try walk(SealedStore.pagesTable, flags: SealedStore.pagesFlags) { _, value in
                guard value.count > SealingKeys.overhead else { throw SealedStore.damaged() }
            }
            return try verifyPages()
        }
        try verifyContent()
        try verifyPages()
    }

    /// Checks that each page of the file is used once.
    private mutating func verifyPages() throws {
        guard unclaimed.isEmpty else { throw PageFile.damaged("A table belongs to nothing.") }
        // A page that is in use must not be given to the next write, and each is one or the other.
        for page in try walker.freePages() { try walker.use(page) }
        guard walker.hasSeenAll else { throw PageFile.damaged("A page is neither used nor free.") }
    }

    /// Calls a function with each key and value of a table, which has some flags.
    mutating func walk(
        _ name: String,
        flags: Int32,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let tree = tables[name], unclaimed.remove(name) != nil else {
            throw PageFile.damaged("A table is missing.")
        }
        guard Int32(tree.flags) == flags else {
            throw PageFile.damaged("A table is of another kind than its place asks for.")
        }
        var order = KeyOrder(flags)
        try walker.walk(tree, TreeWalker.Content(flags)) { item in
            try order.take(item)
            if case .entry(let key, let value) = item { try body(key, value) }
        }
    }
}
