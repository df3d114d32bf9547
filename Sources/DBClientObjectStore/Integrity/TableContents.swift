import DBClientCore

/// The tables of a store whose content is checked: those of a file, or those of an encrypted store.
protocol TableContents: ~Copyable {
    /// The names of all tables, the library's own included.
    var tableNames: Set<String> { get }

    /// Calls a function with each key and value of a table, which has some flags and was not asked for before.
    ///
    /// - Throws: `.corrupt` when the table is missing, of another kind, or out of order.
    mutating func walk(
        _ name: String,
        flags: Int32,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws
}

extension TableContents where Self: ~Copyable {
    /// Checks that the tables are what the catalog says.
    mutating func verifyContent() throws {
        let names = tableNames
        // A process that made the store in place was killed, or is still at work, before it came to the catalog.
        let catalog = try (names.contains(Catalog.tableName) ? readCatalog() : CatalogContent())
        for entity in catalog.entities { try EntityVerifier(entity).verify(&self) }
        for (name, flags) in catalog.leftOver {
            try walk(name, flags: flags) { _, _ in
                throw PageFile.damaged("A table that no entity has any more is not empty.")
            }
        }
        for name in [Journal.tableName, WatcherTable.tableName] where names.contains(name) {
            try walk(name, flags: 0) { _, value in
                guard ChecksummedInput.isSound(value) else {
                    throw PageFile.damaged("What processes tell each other is damaged.")
                }
            }
        }
    }

    /// Checks the catalog and returns what it describes.
    private mutating func readCatalog() throws -> CatalogContent {
        let names = tableNames
        var content = CatalogContent()
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
            shortened.allSatisfy(names.contains),
            content.entities.allSatisfy({ $0.number < nextNumber })
        else { throw PageFile.damaged("The catalog tells of an entity that it does not describe.") }
        return content
    }
}

/// What the catalog says that a store contains.
private struct CatalogContent {
    var entities: [StoredEntity] = []
    /// The flags of the tables that no entity has any more.
    var leftOver: [String: Int32] = [:]
}
