import CLMDB
import DBClientCore

// The memory of a transaction that writes.
extension Transaction {
    /// Has LMDB write the changed pages that it keeps and let go of their memory, where they take more than some bytes.
    ///
    /// LMDB does so by itself before it writes a value for which its list of changed pages may have no room: at 512 MB.
    /// What is put here has the size for which a list with so many pages has no room. After that LMDB refuses it,
    /// without having read it, since its key is the name of a table. Bytes that were lent may be gone afterwards.
    ///
    /// - Parameters:
    ///   - limit: How many bytes of changed pages may stay; no page does with 0.
    ///   - name: The name of a table.
    ///   - list: LMDB's table of tables.
    /// - Throws: What writing to the file throws; the transaction is useless then.
    func writePages(beyond limit: Int, _ name: String, _ list: MDB_dbi) throws {
        let pageSize = Int(try statistics(of: list).ms_psize)
        var name = name
        let code = try name.withUTF8 { name -> Int32 in
            var key = MDB_val(UnsafeRawBufferPointer(name))
            // Without a table of that name it would be stored.
            guard try get(list, key) != nil else { return MDB_INCOMPATIBLE }
            // LMDB reckons with twice the pages of a value.
            let pages = max(Self.listSize - limit / pageSize, 0) / 2
            var value = MDB_val(mv_size: min(pages * pageSize, Self.largestValue), mv_data: nil)
            return mdb_put(handle, list, &key, &value, UInt32(MDB_RESERVE))
        }
        if code != MDB_INCOMPATIBLE { throw DBClientError.lmdb(code == 0 ? MDB_PANIC : code) }
    }

    /// How many changed pages LMDB has a list for.
    ///
    /// With another list the limit is another one.
    private static let listSize = 131_071

    private static let largestValue = Int(UInt32.max)
}
