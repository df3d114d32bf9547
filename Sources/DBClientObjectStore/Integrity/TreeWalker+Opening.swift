import DBClientCore

/// What is checked of a file before it is mapped: where every use of the store begins.
extension TreeWalker {
    /// Returns the trees of the tables by their names.
    ///
    /// - Throws: `.corrupt` when the list of them is damaged.
    mutating func tables() throws -> [String: PageFile.Tree] {
        var tables: [String: PageFile.Tree] = [:]
        try walk(file.main) { item in
            guard case .entry(let key, let value) = item else { return }
            guard value.count == PageFile.Tree.size else {
                throw PageFile.damaged("The list of tables is damaged.")
            }
            let tree = PageFile.Tree(value)
            guard tree.isSound else {
                throw PageFile.damaged("The description of a table is damaged.")
            }
            tables[String(decoding: key, as: UTF8.self)] = tree
        }
        return tables
    }

    /// Returns the numbers of the free pages.
    mutating func freePages() throws -> [UInt64] {
        var free: [UInt64] = []
        try walk(file.free) { item in
            guard case .entry(_, let pages) = item else { return }
            // Their number, and as many numbers of pages.
            for offset in stride(from: 8, through: pages.count - 8, by: 8) {
                free.append(pages.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
        }
        return free
    }

    /// Checks the list of the tables and the first page of each.
    mutating func checkTables() throws {
        try checkRoot(of: file.free)
        for table in try tables().values { try checkRoot(of: table) }
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
