import CLMDB
import DBClientCore

/// A position in one table of a transaction.
///
/// The bytes that a call returns stay valid until the transaction ends or, in a write transaction,
/// until it writes.
struct Cursor {
    private let handle: OpaquePointer
    /// What takes the place of LMDB's cursor in an encrypted store; released when the cursor is closed.
    private let sealed: Unmanaged<SealedCursor>?

    /// Wraps an open cursor of LMDB in a store that is not encrypted.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        sealed = nil
    }

    /// Creates one of an encrypted store, in LMDB's transaction.
    init(_ handle: OpaquePointer, _ cursor: SealedCursor) {
        self.handle = handle
        sealed = Unmanaged.passRetained(cursor)
    }

    /// Makes the cursor one of another read transaction, or of one that has taken another snapshot.
    func renew(in transaction: Transaction) throws {
        if let sealed, let transaction = transaction.sealed {
            return try sealed.takeUnretainedValue().renew(in: transaction.takeUnretainedValue())
        }
        try check(mdb_cursor_renew(transaction.handle, handle))
    }

    func close() {
        if let sealed { sealed.release() } else { mdb_cursor_close(handle) }
    }

    /// Moves the cursor and returns its entry, or nil at the end.
    @inline(__always)
    func move(
        _ operation: MDB_cursor_op,
        _ key: inout MDB_val,
        _ value: inout MDB_val
    ) throws -> Bool {
        if let sealed {
            return try sealed._withUnsafeGuaranteedRef { try $0.move(operation, &key, &value) }
        }
        let code = mdb_cursor_get(handle, &key, &value, operation)
        if code == 0 { return true }
        if code == MDB_NOTFOUND { return false }
        throw DBClientError.lmdb(code)
    }

    /// Moves to a key and returns its (first) value, or nil.
    @inline(__always)
    func find(_ key: MDB_val) throws -> MDB_val? {
        var key = key
        var value = MDB_val()
        return try move(MDB_SET, &key, &value) ? value : nil
    }

    /// Moves to a key with exactly this value.
    @inline(__always)
    func find(_ key: MDB_val, _ value: MDB_val) throws -> Bool {
        var key = key
        var value = value
        return try move(MDB_GET_BOTH, &key, &value)
    }

    /// Deletes what the cursor is on.
    @inline(__always)
    func delete() throws {
        if let sealed { return try sealed._withUnsafeGuaranteedRef { try $0.delete() } }
        try check(mdb_cursor_del(handle, 0))
    }

    /// Writes a pair and returns false when a flag forbids it because the key or the pair exists.
    @inline(__always)
    func put(_ key: MDB_val, _ value: MDB_val, _ flags: UInt32 = 0) throws -> Bool {
        if let sealed {
            return try sealed._withUnsafeGuaranteedRef { try $0.put(key, value, flags) }
        }
        var key = key
        var value = value
        let code = mdb_cursor_put(handle, &key, &value, flags)
        if code == 0 { return true }
        if code == MDB_KEYEXIST { return false }
        throw DBClientError.lmdb(code)
    }

    /// Writes several values of a key, eight bytes each.
    func put(_ key: MDB_val, words: UnsafeRawBufferPointer, _ flags: UInt32) throws {
        if let sealed = sealed?.takeUnretainedValue() {
            for start in stride(from: 0, to: words.count, by: 8) {
                let word = UnsafeRawBufferPointer(rebasing: words[start..<start + 8])
                _ = try sealed.put(key, MDB_val(word), 0)
            }
            return
        }
        var key = key
        let first = UnsafeRawBufferPointer(rebasing: words.prefix(8))
        // The second of the two has their number, and then that of those that were written.
        var values = (MDB_val(first), MDB_val(mv_size: words.count / 8, mv_data: nil))
        let code = withUnsafeMutablePointer(to: &values) {
            $0.withMemoryRebound(to: MDB_val.self, capacity: 2) {
                mdb_cursor_put(handle, &key, $0, flags | UInt32(MDB_MULTIPLE))
            }
        }
        try check(code)
    }

    /// Makes room for a value of a key and returns where to write it, or nil when a flag forbids it
    /// because the key exists.
    @inline(__always)
    func reserve(
        _ key: MDB_val,
        count: Int,
        _ flags: UInt32 = 0
    ) throws -> UnsafeMutableRawPointer? {
        if let sealed {
            return try sealed._withUnsafeGuaranteedRef {
                try $0.reserve(key, count: count, flags)
            }
        }
        var key = key
        var value = MDB_val(mv_size: count, mv_data: nil)
        let code = mdb_cursor_put(handle, &key, &value, flags | UInt32(MDB_RESERVE))
        if code == 0 { return value.mv_data }
        if code == MDB_KEYEXIST { return nil }
        throw DBClientError.lmdb(code)
    }

    /// The number of values of the key that the cursor is on.
    func valueCount() throws -> Int {
        if let sealed { return try sealed.takeUnretainedValue().valueCount() }
        var count = 0
        try check(mdb_cursor_count(handle, &count))
        return count
    }
}
