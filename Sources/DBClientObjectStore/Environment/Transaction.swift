import CLMDB
import DBClientCore

/// A transaction of LMDB: its handle, and LMDB's calls on it.
///
/// The bytes that a call returns stay valid until the transaction ends or, in one that writes, until it writes.
/// Nothing ends a transaction but `commit` and `abort`, with either of which LMDB frees it.
struct Transaction {
    let handle: OpaquePointer

    /// Begins a transaction that reads.
    init(reading environment: OpaquePointer) throws {
        try self.init(environment, nil, MDB_RDONLY)
    }

    /// Begins a transaction that writes; nothing else writes to the environment until it ends.
    init(writingTo environment: OpaquePointer) throws {
        try self.init(environment, nil, 0)
    }

    /// Begins a transaction within one that writes, which must not be used until this one ends.
    init(within parent: Transaction, _ environment: OpaquePointer) throws {
        try self.init(environment, parent.handle, 0)
    }

    private init(_ environment: OpaquePointer, _ parent: OpaquePointer?, _ flags: Int32) throws {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment, parent, UInt32(flags), &begun))
        guard let begun else { throw DBClientError.lmdb(MDB_PANIC) }
        handle = begun
    }

    /// Takes the newest snapshot, after `reset`.
    @inline(__always)
    func renew() throws { try check(mdb_txn_renew(handle)) }

    /// Lets the snapshot go, and keeps the transaction for `renew`.
    @inline(__always)
    func reset() { mdb_txn_reset(handle) }

    func abort() { mdb_txn_abort(handle) }

    /// Commits, which frees the transaction whether or not it succeeds.
    func commit() throws { try check(mdb_txn_commit(handle)) }

    /// LMDB's number of the transaction: that of the last commit it sees, and one more when it writes.
    @inline(__always)
    var number: UInt64 { UInt64(bitPattern: Int64(mdb_txn_id(handle))) }
}

// Tables.
extension Transaction {
    /// Opens the table of a name, or LMDB's table of tables.
    func openTable(
        _ name: String?,
        _ flags: UInt32 = 0,
        _ entity: EntitySchema? = nil
    ) throws -> MDB_dbi {
        var table = MDB_dbi()
        try check(mdb_dbi_open(handle, name, flags, &table), entity)
        return table
    }

    /// The flags that a table was made with.
    func flags(of table: MDB_dbi) throws -> UInt32 {
        var flags: UInt32 = 0
        try check(mdb_dbi_flags(handle, table, &flags))
        return flags
    }

    /// Whether a table was open when the transaction began.
    func knows(_ table: MDB_dbi) -> Bool {
        var flags: UInt32 = 0
        return mdb_dbi_flags(handle, table, &flags) == 0
    }

    /// How many entries and pages a table has.
    @inline(__always)
    func statistics(of table: MDB_dbi, _ entity: EntitySchema? = nil) throws -> MDB_stat {
        var statistics = MDB_stat()
        try check(mdb_stat(handle, table, &statistics), entity)
        return statistics
    }

    /// Removes every entry of a table.
    func empty(_ table: MDB_dbi, _ entity: EntitySchema? = nil) throws {
        try check(mdb_drop(handle, table, 0), entity)
    }

    func openCursor(_ table: MDB_dbi) throws -> Cursor {
        var opened: OpaquePointer?
        try check(mdb_cursor_open(handle, table, &opened))
        guard let opened else { throw DBClientError.lmdb(MDB_PANIC) }
        return Cursor(handle: opened)
    }
}

// Entries.
extension Transaction {
    /// Returns the (first) value of a key, or nil.
    @inline(__always)
    func get(
        _ table: MDB_dbi,
        _ key: MDB_val,
        _ entity: EntitySchema? = nil
    ) throws -> MDB_val? {
        var key = key
        var value = MDB_val()
        let code = mdb_get(handle, table, &key, &value)
        if code == MDB_NOTFOUND { return nil }
        try check(code, entity)
        return value
    }

    /// Writes a pair and returns false when a flag forbids it because of the keys that exist.
    @inline(__always)
    @discardableResult
    func put(
        _ table: MDB_dbi,
        _ key: MDB_val,
        _ value: MDB_val,
        _ flags: Int32 = 0
    ) throws -> Bool {
        var key = key
        var value = value
        let code = mdb_put(handle, table, &key, &value, UInt32(flags))
        if code == MDB_KEYEXIST { return false }
        try check(code)
        return true
    }

    /// Deletes a key and returns whether it was there.
    @discardableResult
    func delete(_ table: MDB_dbi, _ key: MDB_val) throws -> Bool {
        var key = key
        let code = mdb_del(handle, table, &key, nil)
        if code == MDB_NOTFOUND { return false }
        try check(code)
        return true
    }
}

extension MDB_stat {
    /// How many pages a table has.
    var pageCount: Int { ms_branch_pages &+ ms_leaf_pages &+ ms_overflow_pages }
}
