import DBClientCore

/// What is checked of a file before it is mapped: where every use of the store begins.
extension TreeWalker {
    /// Returns the trees of the tables by their names.
    ///
    /// - Throws: `.corrupt` when the list of them is damaged.
    mutating func tables() throws -> [String: PageFile.Tree] {
        var tables: [String: PageFile.Tree] = [:]
        try walk(file.main) { key, value in
            guard value.count == PageFile.Tree.size else {
                throw PageFile.damaged("The list of tables is damaged.")
            }
            tables[String(decoding: key, as: UTF8.self)] = PageFile.Tree(value)
        }
        return tables
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
        var free = Set<UInt64>()
        try walk(file.free) { _, pages in
            // Their number, and as many numbers of pages.
            for offset in stride(from: 8, through: pages.count - 8, by: 8) {
                let page = pages.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                if missing.contains(page) { free.insert(page) }
            }
        }
        guard free.count == missing.count else {
            throw PageFile.damaged("The store's file is shorter than its content.")
        }
    }
}
