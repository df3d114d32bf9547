import CLMDB
import DBClientCore

// No table is ever removed, since their number tells other transactions and processes whether they know
// them all. So an entity that changes its shape gets new tables, and one that goes leaves empty ones.
extension Catalog {
    /// Empties the tables of an entity, whose description is gone already, and marks them as left over.
    func retireTables(of stored: StoredEntity, _ transaction: Transaction) throws {
        let indexes = stored.indexes.map { Self.indexTable($0.number, of: stored.number) }
        let searches = (stored.searches ?? []).map {
            Self.searchTable($0.number, of: stored.number)
        }
        for name in [Self.recordTable(stored.number)] + indexes + searches {
            try retireTable(name, transaction)
        }
    }

    private func retireTable(_ name: String, _ transaction: Transaction) throws {
        let table = try transaction.openTable(name)
        let flags = try transaction.flags(of: table)
        try transaction.empty(table)
        try setIsLeftOver(name, flags: flags, transaction)
    }

    /// Takes the indexes of words away whose words may be others to this program, which is about to write; returns whether
    /// there were any.
    func retireOutdatedSearches(
        of stored: inout StoredEntity,
        _ transaction: Transaction
    ) throws -> Bool {
        let outdated = stored.outdatedSearches
        if outdated.isEmpty { return false }
        for search in outdated {
            try retireTable(Self.searchTable(search.number, of: stored.number), transaction)
        }
        stored.searches = stored.currentSearches
        return true
    }

    /// Makes an unused table, so that other processes, which know the tables by their number, reread the catalog.
    func makeMark(_ transaction: Transaction) throws {
        let name = Self.recordTable(try nextNumber(transaction))
        _ = try transaction.openTable(name, UInt32(MDB_CREATE))
        try setIsLeftOver(name, flags: 0, transaction)
    }
}
