import DBClientCore

// The changed pages of a transaction.
extension StoreWriter {
    /// What was written since LMDB's changed pages were looked at.
    struct Unwritten {
        /// The bytes of records, and some for each change, which may be of a page of its own.
        var size = 0
        /// The bytes of records that have pages of their own, each of which counts as one page for LMDB.
        var sizeOfLarge = 0

        static let bytesOfChange = 512
        static let largeRecord = 2_000
    }

    /// Counts the bytes of a record that was written.
    @inline(__always)
    func countWritten(_ size: Int) {
        unwritten.size &+= size
        if size > Unwritten.largeRecord { unwritten.sizeOfLarge &+= size }
    }

    /// Counts a change, and now and then has LMDB write its pages where they are many, so that an insert of any number of
    /// rows takes as much memory.
    ///
    /// It comes before a row is looked for: what LMDB has lent may be gone afterwards.
    @inline(__always)
    func limitPages() throws {
        unwritten.size &+= Unwritten.bytesOfChange
        if unwritten.size >= Self.bytesBetweenLooks { try writePages() }
    }

    @inline(never)
    private func writePages() throws {
        unwritten.size = 0
        // An encrypted store keeps its own pages. And rows in another order than that of their keys come back to pages that
        // would be read again for each of them.
        guard environment.sealed == nil, !sortsInsert else { return }
        let isFull = unwritten.sizeOfLarge >= Self.memoryLimit
        if isFull { unwritten.sizeOfLarge = 0 }
        try environment.catalog.writePages(beyond: isFull ? 0 : Self.memoryLimit, in: transaction)
    }

    private static var bytesBetweenLooks: Int { 1 << 18 }

    /// Twice what SQLite keeps, so that most transactions are written once.
    private static var memoryLimit: Int { 32 << 20 }
}
