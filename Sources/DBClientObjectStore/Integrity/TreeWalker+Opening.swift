import CLMDB
import DBClientCore

/// What is checked of a file before it is mapped: where every use of the store begins.
extension TreeWalker {
    /// Returns the trees of the tables by their names.
    ///
    /// - Throws: `.corrupt` when the list of them is damaged.
    mutating func tables() throws -> [String: PageFile.Tree] {
        var tables: [String: PageFile.Tree] = [:]
        var order = KeyOrder(0)
        let main = file.main
        try walk(main, .tables) { item in
            try order.take(item)
            guard case .entry(let key, let value) = item else { return }
            guard value.count == PageFile.Tree.size else {
                throw PageFile.damaged("The list of tables is damaged.")
            }
            let tree = PageFile.Tree(value)
            guard tree.isSound, tree.pad == 0 else {
                throw PageFile.damaged("The description of a table is damaged.")
            }
            let name = String(decoding: key, as: UTF8.self)
            guard let flags = Catalog.possibleFlags(ofTable: name) else {
                throw PageFile.damaged("The file has a table that no object store has.")
            }
            guard flags.contains(Int32(tree.flags)) else {
                throw PageFile.damaged("A table is of another kind than its name says.")
            }
            tables[name] = tree
        }
        // A process that made the store in place was killed before it came to the catalog.
        let isBegun = tables.keys.allSatisfy {
            [Journal.tableName, WatcherTable.tableName].contains($0)
        }
        let isSealed = Set(tables.keys) == Set(SealedStore.tableNames)
        guard isBegun || isSealed || tables[Catalog.tableName] != nil else {
            throw PageFile.damaged("The file is another program's, or has no list of entities.")
        }
        return tables
    }

    /// Returns the numbers of the free pages.
    ///
    /// - Throws: `.corrupt` when the list of them is damaged.
    mutating func freePages() throws -> [UInt64] {
        var free: [UInt64] = []
        var order = KeyOrder(MDB_INTEGERKEY)
        let (newest, pageCount) = (file.transaction, UInt64(file.pageCount))
        let tree = file.free
        try walk(tree) { item in
            try order.take(item)
            guard case .entry(let key, let pages) = item else { return }
            // The commit that freed them; their number, and as many numbers of pages, each less than the last.
            guard key.count == 8, (1...newest).contains(key.loadUnaligned(as: UInt64.self)),
                pages.count >= 8, pages.count % 8 == 0,
                pages.loadUnaligned(as: UInt64.self) <= UInt64(pages.count / 8 - 1)
            else { throw Self.damagedList() }
            var last = pageCount
            for place in 0..<Int(pages.loadUnaligned(as: UInt64.self)) {
                let page = pages.loadUnaligned(fromByteOffset: 8 + place * 8, as: UInt64.self)
                guard page >= 2, page < last else { throw Self.damagedList() }
                free.append(page)
                last = page
            }
        }
        return free
    }

    private static func damagedList() -> DBClientError {
        PageFile.damaged("The list of free pages is damaged.")
    }

    /// Checks the list of the tables, the first page of each, and the beginning of the catalog.
    ///
    /// - Returns: The number of tables.
    mutating func checkTables() throws -> Int {
        try checkRoot(of: file.free)
        let tables = try tables()
        for (name, table) in tables {
            try checkRoot(of: table, Content(Int32(table.flags)))
            if name == Catalog.tableName { try checkCatalog(table) }
        }
        return tables.count
    }

    /// Refuses a catalog that has anything else than an object store's.
    private mutating func checkCatalog(_ table: PageFile.Tree) throws {
        try walk(table) { item in
            guard case .entry(let key, let value) = item else { return }
            guard Catalog.EntryKind(key: key, size: value.count) != nil else {
                throw PageFile.damaged("The catalog has what no object store has in it.")
            }
        }
    }

    /// Checks that the file has every page that is in use.
    ///
    /// LMDB does not write pages that the transaction which took them also freed, so the last ones may be
    /// beyond the end of the file.
    mutating func checkEnd() throws {
        let storedCount = try file.storedPageCount()
        if storedCount >= file.pageCount { return }
        let missing = UInt64(storedCount)..<UInt64(file.pageCount)
        guard Set(try freePages()).isSuperset(of: missing) else {
            throw PageFile.damaged("The store's file is shorter than its content.")
        }
    }
}
