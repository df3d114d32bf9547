import CLMDB
import DBClientCore

/// A transaction of LMDB: its handle, and LMDB's calls on it, or those on the sealed pages of an encrypted store.
///
/// The bytes that a call returns stay valid until the transaction ends or, in one that writes, until it writes.
/// Nothing ends a transaction but `commit` and `abort`, with either of which LMDB frees it.
struct Transaction {
    let handle: OpaquePointer
    /// What takes the place of LMDB's tables in an encrypted store; released when the transaction ends.
    ///
    /// Not counted by what holds the transaction: every call on a store without a key would pay for that.
    private(set) var sealed: Unmanaged<SealedTransaction>?

    /// Begins a transaction that reads the newest snapshot.
    init(reading environment: OpaquePointer, _ store: SealedStore? = nil) throws {
        try self.init(environment, nil, MDB_RDONLY)
        if let store { begin(SealedTransaction(store, handle, isWriting: false)) }
    }

    /// Begins a transaction that writes; nothing else writes to the environment until it ends.
    init(writingTo environment: OpaquePointer, _ store: SealedStore? = nil) throws {
        try self.init(environment, nil, 0)
        if let store { begin(SealedTransaction(store, handle, isWriting: true)) }
    }

    private init(handle: OpaquePointer, _ transaction: SealedTransaction) {
        self.handle = handle
        begin(transaction)
    }

    private mutating func begin(_ transaction: SealedTransaction) {
        sealed = Unmanaged.passRetained(transaction)
    }

    /// Begins a transaction within one that writes, which must not be used until this one ends.
    init(within parent: Transaction, _ environment: OpaquePointer) throws {
        guard let outer = parent.sealed?.takeUnretainedValue() else {
            try self.init(environment, parent.handle, 0)
            return
        }
        self.init(
            handle: parent.handle,
            SealedTransaction(outer.store, parent.handle, isWriting: true, within: outer)
        )
    }

    private init(_ environment: OpaquePointer, _ parent: OpaquePointer?, _ flags: Int32) throws {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment, parent, UInt32(flags), &begun))
        guard let begun else { throw DBClientError.lmdb(MDB_PANIC) }
        handle = begun
        sealed = nil
    }

    /// Takes the newest snapshot, after `reset`.
    @inline(__always)
    func renew() throws { try check(mdb_txn_renew(handle)) }

    /// Lets the snapshot go, and keeps the transaction for `renew`.
    @inline(__always)
    func reset() {
        if let sealed { sealed._withUnsafeGuaranteedRef { $0.reset() } }
        mdb_txn_reset(handle)
    }

    func abort() {
        let sealed = sealed?.takeRetainedValue()
        if sealed?.parent == nil { mdb_txn_abort(handle) }
    }

    /// Commits, which frees the transaction whether or not it succeeds.
    func commit() throws { try commit { try check($0) } }

    /// Commits, which frees the transaction whether or not it succeeds.
    ///
    /// - Parameter check: Throws the error of LMDB's code.
    /// - Throws: What `check` throws, and what sealing the changes throws.
    func commit(_ check: (Int32) throws -> Void) throws {
        guard let sealed = sealed?.takeRetainedValue() else {
            return try check(mdb_txn_commit(handle))
        }
        if sealed.parent != nil { return sealed.mergeIntoParent() }
        let pages: [SealedPage]
        do {
            pages = try sealed.sealChanges()
        } catch {
            mdb_txn_abort(handle)
            // LMDB writes pages before the commit where they are many.
            if let error = error as? DBClientError, error.engineCode == .number(Int(EIO)) {
                try check(EIO)
            }
            throw error
        }
        try check(mdb_txn_commit(handle))
        for tag in sealed.replaced { sealed.store.cache.remove(tag) }
        for page in pages { sealed.store.cache.insert(page) }
    }

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
        if let sealed = sealed?.takeUnretainedValue() {
            return try name.map { try sealed.openTable($0, flags) } ?? SealedTree.tablesTable
        }
        var table = MDB_dbi()
        try check(mdb_dbi_open(handle, name, flags, &table), entity)
        return table
    }

    /// The flags that a table was made with.
    func flags(of table: MDB_dbi) throws -> UInt32 {
        if let sealed = sealed?.takeUnretainedValue() { return try sealed.tree(table).flags }
        var flags: UInt32 = 0
        try check(mdb_dbi_flags(handle, table, &flags))
        return flags
    }

    /// Whether a table was open when the transaction began.
    func knows(_ table: MDB_dbi) -> Bool {
        if let sealed = sealed?.takeUnretainedValue() { return sealed.knows(table) }
        var flags: UInt32 = 0
        return mdb_dbi_flags(handle, table, &flags) == 0
    }

    /// How many entries and pages a table has.
    @inline(__always)
    func statistics(of table: MDB_dbi, _ entity: EntitySchema? = nil) throws -> MDB_stat {
        // The first of LMDB's tables lists free pages.
        if let sealed, table != 0 {
            return try sealed._withUnsafeGuaranteedRef { try $0.statistics(of: table) }
        }
        var statistics = MDB_stat()
        try check(mdb_stat(handle, table, &statistics), entity)
        return statistics
    }

    /// Removes every entry of a table.
    func empty(_ table: MDB_dbi, _ entity: EntitySchema? = nil) throws {
        if let sealed = sealed?.takeUnretainedValue() {
            return try sealed.empty(sealed.tree(table))
        }
        try check(mdb_drop(handle, table, 0), entity)
    }

    /// The names of all tables, of which `list` is the table.
    func tableNames(_ list: MDB_dbi) throws -> [String] {
        if let sealed = sealed?.takeUnretainedValue() { return try sealed.tableNames() }
        let cursor = try openCursor(list)
        defer { cursor.close() }
        var names: [String] = []
        var key = MDB_val()
        var value = MDB_val()
        while try cursor.move(MDB_NEXT, &key, &value) {
            names.append(String(decoding: key.bytes, as: UTF8.self))
        }
        return names
    }

    func openCursor(_ table: MDB_dbi) throws -> Cursor {
        if let sealed = sealed?.takeUnretainedValue() {
            return Cursor(handle, SealedCursor(sealed, try sealed.tree(table)))
        }
        var opened: OpaquePointer?
        try check(mdb_cursor_open(handle, table, &opened))
        guard let opened else { throw DBClientError.lmdb(MDB_PANIC) }
        return Cursor(opened)
    }
}

// What was lent by an encrypted store, whose pages stay in memory until the transaction ends.
extension Transaction {
    /// How many pages are kept, to go back to.
    var pinCount: Int { sealed?.takeUnretainedValue().pinCount ?? 0 }

    /// Lets go of all bytes that were lent since there were so many pages.
    @inline(__always)
    func release(to count: Int) {
        if let sealed { sealed._withUnsafeGuaranteedRef { $0.release(to: count) } }
    }

    /// Lets go of what was lent since.
    @inline(__always)
    func unpin(to count: Int) {
        if let sealed { sealed._withUnsafeGuaranteedRef { $0.unpin(to: count) } }
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
        if let sealed {
            return try sealed._withUnsafeGuaranteedRef { try $0.get($0.tree(table), key) }
        }
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
        if let sealed {
            return try sealed._withUnsafeGuaranteedRef {
                try $0.put($0.tree(table), key, value, UInt32(flags))
            }
        }
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
        if let sealed = sealed?.takeUnretainedValue() {
            return try sealed.delete(sealed.tree(table), key)
        }
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
