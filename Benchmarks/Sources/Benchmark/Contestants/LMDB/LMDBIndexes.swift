import CRawLMDB
import Glibc

/// The two indexes of the LMDB baseline, within one write transaction.
struct LMDBIndexes {
    private let environment: LMDBEnvironment
    private let transaction: OpaquePointer

    init(_ environment: LMDBEnvironment, _ transaction: OpaquePointer) {
        self.environment = environment
        self.transaction = transaction
    }

    /// Adds rows in the order of each index, appending where the index is empty.
    func insert(_ rows: [Character]) throws {
        if rows.isEmpty { return }
        try insertPublishers(rows)
        try insertNames(rows)
    }

    /// Moves the entries of a row whose indexed values change.
    @inline(__always)
    func replace(_ old: LMDBRecord, with row: Character) throws {
        let oldPublisher = old.publisherId
        if oldPublisher != row.publisherId {
            if let oldPublisher { try deletePublisher(oldPublisher, key: row.id) }
            if row.publisherId != nil { try insertPublishers([row]) }
        }
        var name = row.name
        let isSame = name.withUTF8 { new in
            let old = old.name
            return new.count == old.count
                && memcmp(new.baseAddress!, old.baseAddress!, new.count) == 0
        }
        if !isSame {
            try deleteName(old.name, key: row.id)
            try insertNames([row])
        }
    }

    /// Deletes the entries of a row.
    @inline(__always)
    func delete(_ old: LMDBRecord, key: Int) throws {
        if let publisher = old.publisherId { try deletePublisher(publisher, key: key) }
        try deleteName(old.name, key: key)
    }
}

// Publishers: one key with many sorted integers.
extension LMDBIndexes {
    private func insertPublishers(_ rows: [Character]) throws {
        var entries: [(publisher: UInt64, key: UInt64)] = []
        entries.reserveCapacity(rows.count)
        for row in rows {
            guard let publisher = row.publisherId else { continue }
            entries.append((LMDBInteger.encode(publisher), LMDBInteger.encode(row.id)))
        }
        if entries.count > 1 { entries.sort { $0 < $1 } }
        let flags = try isEmpty(environment.publishers) ? MDB_APPENDDUP : 0
        try environment.withCursor(transaction, environment.publishers) { cursor in
            for entry in entries {
                try withUnsafePointer(to: entry) { entry in
                    let bytes = UnsafeMutableRawPointer(mutating: entry)
                    var key = MDB_val(mv_size: 8, mv_data: bytes)
                    var value = MDB_val(mv_size: 8, mv_data: bytes + 8)
                    try check(
                        mdb_cursor_put(cursor, &key, &value, UInt32(flags)),
                        "mdb_cursor_put"
                    )
                }
            }
        }
    }

    private func deletePublisher(_ publisher: Int, key: Int) throws {
        var entry = (LMDBInteger.encode(publisher), LMDBInteger.encode(key))
        try withUnsafeMutableBytes(of: &entry) { bytes in
            var key = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
            var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress.map { $0 + 8 })
            try check(mdb_del(transaction, environment.publishers, &key, &value), "mdb_del")
        }
    }

    private func isEmpty(_ database: MDB_dbi) throws -> Bool {
        var statistics = MDB_stat()
        try check(mdb_stat(transaction, database, &statistics), "mdb_stat")
        return statistics.ms_entries == 0
    }
}

// Names: the bytes of the name, a zero that ends them, and the key, big-endian, as one key without a
// value.
extension LMDBIndexes {
    private func insertNames(_ rows: [Character]) throws {
        let flags = try isEmpty(environment.names) ? MDB_APPEND : 0
        try environment.withCursor(transaction, environment.names) { cursor in
            try SortedNames(rows).visit { name, key in
                try Self.withKey(name, key) { key in
                    var key = key
                    var value = MDB_val()
                    try check(
                        mdb_cursor_put(cursor, &key, &value, UInt32(flags)),
                        "mdb_cursor_put"
                    )
                }
            }
        }
    }

    private func deleteName(_ name: UnsafeRawBufferPointer, key: Int) throws {
        try Self.withKey(name, key) { key in
            var key = key
            try check(mdb_del(transaction, environment.names, &key, nil), "mdb_del")
        }
    }

    @inline(__always)
    private static func withKey(
        _ name: UnsafeRawBufferPointer,
        _ key: Int,
        _ body: (MDB_val) throws -> Void
    ) throws {
        try withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
            guard let start = buffer.baseAddress else { return }
            if let base = name.baseAddress { start.copyMemory(from: base, byteCount: name.count) }
            start.storeBytes(of: 0, toByteOffset: name.count, as: UInt8.self)
            start.storeBytes(
                of: LMDBInteger.encode(key).bigEndian,
                toByteOffset: name.count + 1,
                as: UInt64.self
            )
            try body(MDB_val(mv_size: name.count + 9, mv_data: start))
        }
    }
}
