import CLMDB
import DBClientCore

/// A position in the table of an index of words.
final class SearchTableCursor: SearchCursor {
    private let cursor: Cursor
    private let transaction: Transaction
    /// Gives the cursor back; nil where it stays another's.
    private let giveBack: (() -> Void)?
    private var currentKey = MDB_val()
    private var currentValue = MDB_val()
    /// Copies of both, where a page of an encrypted store would have to be kept for them.
    private var keyCopy = KeyWriter()
    private var valueCopy = KeyWriter()

    init(_ cursor: Cursor, _ transaction: Transaction, giveBack: (() -> Void)? = nil) {
        self.cursor = cursor
        self.transaction = transaction
        self.giveBack = giveBack
    }

    deinit {
        keyCopy.deallocate()
        valueCopy.deallocate()
        giveBack?()
    }

    var key: UnsafeRawBufferPointer { currentKey.bytes }
    var value: UnsafeRawBufferPointer { currentValue.bytes }

    func seek(_ key: [UInt8]) throws -> Bool {
        try key.withUnsafeBytes { key in
            currentKey = MDB_val(key)
            return try move(MDB_SET_RANGE)
        }
    }

    func next() throws -> Bool { try move(MDB_NEXT) }

    func previous() throws -> Bool { try move(MDB_PREV) }

    private func move(_ operation: MDB_cursor_op) throws -> Bool {
        let pinCount = transaction.pinCount
        guard try cursor.move(operation, &currentKey, &currentValue) else { return false }
        if transaction.sealed == nil { return true }
        keyCopy.removeAll()
        keyCopy.append(currentKey.bytes)
        valueCopy.removeAll()
        valueCopy.append(currentValue.bytes)
        currentKey = keyCopy.value
        currentValue = valueCopy.value
        transaction.release(to: pinCount)
        return true
    }

    func put(_ key: [UInt8], _ value: [UInt8]) throws {
        try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { value in
                _ = try cursor.put(MDB_val(key), MDB_val(value))
            }
        }
    }

    func remove(_ key: [UInt8]) throws {
        try key.withUnsafeBytes { key in
            if try cursor.find(MDB_val(key)) != nil { try cursor.delete() }
        }
    }
}

/// The primary keys of rows that have numbers of their own in an index.
struct NumberedKeys {
    private let cursor: SearchTableCursor

    init(_ cursor: SearchTableCursor) { self.cursor = cursor }

    /// Returns the primary key of a row.
    ///
    /// - Throws: `.corrupt` where there is none.
    func key(_ document: UInt64) throws -> [UInt8] {
        let wanted =
            [SearchIndexKey.document] + withUnsafeBytes(of: document.bigEndian) { Array($0) }
        guard try cursor.seek(wanted), cursor.key.elementsEqual(wanted) else {
            throw DBClientError(.corrupt, "The index of a search names a row that is not there.")
        }
        return Array(cursor.value)
    }
}
