import DBClientCore

/// Checks every table of a store: that it is what the catalog says, and that nothing is in two places.
struct StoreVerifier: ~Copyable {
    private var walker: TreeWalker
    /// The trees of the tables by their names.
    private let tables: [String: PageFile.Tree]
    /// The tables that were not asked for yet.
    private var unclaimed: Set<String>

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
        if Set(tables.keys) == Set(SealedStore.tableNames) {
            // What the pages are is told by the key alone.
            try walk(SealedStore.headerTable, flags: 0) { _, value in _ = try StoreHeader(value) }
            try walk(SealedStore.pagesTable, flags: SealedStore.pagesFlags) { _, value in
                guard value.count > SealingKeys.overhead else { throw SealedStore.damaged() }
            }
            return try verifyPages()
        }
        // A process that made the store in place was killed, or is still at work, before it came to the catalog.
        let catalog = try (tables[Catalog.tableName] == nil ? Content() : readCatalog())
        for entity in catalog.entities { try EntityVerifier(entity).verify(&self) }
        for (name, flags) in catalog.leftOver {
            try walk(name, flags: flags) { _, _ in
                throw PageFile.damaged("A table that no entity has any more is not empty.")
            }
        }
        for name in [Journal.tableName, WatcherTable.tableName] where tables[name] != nil {
            try walk(name, flags: 0) { _, value in
                guard ChecksummedInput.isSound(value) else {
                    throw PageFile.damaged("What processes tell each other is damaged.")
                }
            }
        }
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

    /// What the catalog says that the store contains.
    private struct Content {
        var entities: [StoredEntity] = []
        /// The flags of the tables that no entity has any more.
        var leftOver: [String: Int32] = [:]
    }

    /// Checks the catalog and returns what it describes.
    private mutating func readCatalog() throws -> Content {
        var content = Content()
        /// The numbers of the entities that have a next generated key.
        var counted: Set<String> = []
        var shortened: [String] = []
        var nextNumber: Int64 = 0
        try walk(Catalog.tableName, flags: 0) { key, value in
            guard let kind = Catalog.EntryKind(key: key, size: value.count) else {
                throw PageFile.damaged("The catalog has what it should not have.")
            }
            let name = String(decoding: key.dropFirst(), as: UTF8.self)
            switch kind {
            case .entity:
                guard let entity = StoredEntity(coded: value, of: key.dropFirst()) else {
                    throw PageFile.damaged("The description of an entity is damaged.")
                }
                content.entities.append(entity)
            case .nextKey:
                guard value.loadUnaligned(as: Int64.self) > 0 else {
                    throw PageFile.damaged("The next key of an entity is damaged.")
                }
                counted.insert(name)
            case .shortenedIndex: shortened.append(name)
            case .leftOverTable: content.leftOver[name] = value.loadUnaligned(as: Int32.self)
            case .nextNumber: nextNumber = value.loadUnaligned(as: Int64.self)
            }
        }
        guard counted.isSubset(of: content.entities.map { "\($0.number)" }),
            shortened.allSatisfy({ tables[$0] != nil }),
            content.entities.allSatisfy({ $0.number < nextNumber })
        else { throw PageFile.damaged("The catalog tells of an entity that it does not describe.") }
        return content
    }
}
