import CLMDB
import DBClientCore

// No table is ever taken away, since their number tells other transactions and processes whether they know
// them all. So an entity that changes its shape gets new tables, and one that goes leaves empty ones.
extension Catalog {
    /// Returns the table of a transaction with a name.
    func openTable(_ name: String, _ transaction: OpaquePointer) throws -> MDB_dbi {
        var handle = MDB_dbi()
        try check(mdb_dbi_open(transaction, name, 0, &handle))
        return handle
    }

    /// Empties the tables of an entity, whose description is gone already, and leaves them to nobody.
    func retireTables(of stored: StoredEntity, _ transaction: OpaquePointer) throws {
        let indexes = stored.indexes.map { Self.indexTable($0.number, of: stored.number) }
        for name in [Self.recordTable(stored.number)] + indexes {
            let handle = try openTable(name, transaction)
            var flags: UInt32 = 0
            try check(mdb_dbi_flags(transaction, handle, &flags))
            try check(mdb_drop(transaction, handle, 0))
            try setIsLeftOver(name, flags: flags, transaction)
        }
    }

    /// Makes a table for nobody, so that whoever knows the tables by their number looks at the catalog anew.
    func makeMark(_ transaction: OpaquePointer) throws {
        let name = Self.recordTable(try nextNumber(transaction))
        var handle = MDB_dbi()
        try check(mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &handle))
        try setIsLeftOver(name, flags: 0, transaction)
    }
}
