import CRawLMDB

extension RawLMDB {
    func insert(_ rows: [Character]) throws {
        try environment.write { transaction in
            let ordered = rows.isAscending ? rows : rows.sorted { $0.id < $1.id }
            try environment.withCursor(transaction, environment.rows) { cursor in
                let encoded = LMDBInteger()
                defer { encoded.deallocate() }
                let append = try isAfterLast(ordered.first?.id, cursor) ? MDB_APPEND : 0
                let flags = UInt32(append | MDB_RESERVE | MDB_NOOVERWRITE)
                for row in ordered {
                    var key = encoded(row.id)
                    // The record is written straight into the page.
                    var record = MDB_val(mv_size: try LMDBRecord.size(of: row), mv_data: nil)
                    try check(mdb_cursor_put(cursor, &key, &record, flags), "mdb_cursor_put")
                    LMDBRecord.encode(row, to: record.mv_data)
                }
            }
            try LMDBIndexes(environment, transaction).insert(ordered)
        }
    }

    private func isAfterLast(_ key: Int?, _ cursor: OpaquePointer) throws -> Bool {
        var last = MDB_val()
        var record = MDB_val()
        let code = mdb_cursor_get(cursor, &last, &record, MDB_LAST)
        if code == MDB_NOTFOUND { return true }
        try check(code, "mdb_cursor_get")
        return key.map { $0 > LMDBInteger.decode(last.mv_data) } ?? false
    }

    func upsert(_ rows: [Character]) throws {
        try environment.write { transaction in
            let indexes = LMDBIndexes(environment, transaction)
            var inserted: [Character] = []
            try environment.withCursor(transaction, environment.rows) { cursor in
                let encoded = LMDBInteger()
                defer { encoded.deallocate() }
                for row in rows {
                    var key = encoded(row.id)
                    var old = MDB_val()
                    let found = mdb_cursor_get(cursor, &key, &old, MDB_SET)
                    if found == MDB_SUCCESS {
                        // Indexes whose values stay the same are left alone.
                        try indexes.replace(LMDBRecord(old.mv_data), with: row)
                    } else if found == MDB_NOTFOUND {
                        inserted.append(row)
                    } else {
                        try check(found, "mdb_cursor_get")
                    }
                    key = encoded(row.id)
                    var record = MDB_val(mv_size: try LMDBRecord.size(of: row), mv_data: nil)
                    let flags = MDB_RESERVE | (found == MDB_SUCCESS ? MDB_CURRENT : 0)
                    try check(
                        mdb_cursor_put(cursor, &key, &record, UInt32(flags)),
                        "mdb_cursor_put"
                    )
                    LMDBRecord.encode(row, to: record.mv_data)
                }
            }
            try indexes.insert(inserted)
        }
    }

    func rename(_ names: [(key: Int, realName: String)]) throws {
        try environment.write { transaction in
            try environment.withCursor(transaction, environment.rows) { cursor in
                let encoded = LMDBInteger()
                let copy = UnsafeMutableRawPointer.allocate(byteCount: 1 << 18, alignment: 8)
                defer {
                    encoded.deallocate()
                    copy.deallocate()
                }
                for (id, realName) in names {
                    var key = encoded(id)
                    var old = MDB_val()
                    try check(mdb_cursor_get(cursor, &key, &old, MDB_SET), "mdb_cursor_get")
                    // The put may move the old record, so the parts that stay are taken first.
                    copy.copyMemory(from: old.mv_data, byteCount: old.mv_size)
                    key = encoded(id)
                    try put(LMDBRecord(copy), old.mv_size, realName, key, cursor)
                }
            }
        }
    }

    @inline(__always)
    private func put(
        _ old: LMDBRecord,
        _ oldSize: Int,
        _ realName: String,
        _ key: MDB_val,
        _ cursor: OpaquePointer
    ) throws {
        var key = key
        var realName = realName
        let kept = LMDBRecord.headerSize + old.nameLength
        let bio = kept + old.realNameLength
        try realName.withUTF8 { bytes in
            guard bytes.count <= Int(UInt16.max) else {
                throw BenchmarkError("a text is too long for the baseline's record")
            }
            var record = MDB_val(mv_size: kept + bytes.count + oldSize - bio, mv_data: nil)
            let flags = UInt32(MDB_CURRENT | MDB_RESERVE)
            try check(mdb_cursor_put(cursor, &key, &record, flags), "mdb_cursor_put")
            let target = UnsafeMutableRawBufferPointer(
                start: record.mv_data,
                count: record.mv_size
            )
            target.baseAddress?.copyMemory(from: old.start, byteCount: kept)
            target.storeBytes(
                of: UInt16(truncatingIfNeeded: bytes.count),
                toByteOffset: 26,
                as: UInt16.self
            )
            if let base = bytes.baseAddress {
                record.mv_data.advanced(by: kept).copyMemory(from: base, byteCount: bytes.count)
            }
            record.mv_data.advanced(by: kept + bytes.count)
                .copyMemory(from: old.start + bio, byteCount: oldSize - bio)
        }
    }

    func delete(_ keys: [Int]) throws -> Int {
        try environment.write { transaction in
            let indexes = LMDBIndexes(environment, transaction)
            return try environment.withCursor(transaction, environment.rows) { cursor in
                let encoded = LMDBInteger()
                defer { encoded.deallocate() }
                var count = 0
                for id in keys {
                    var key = encoded(id)
                    var old = MDB_val()
                    let code = mdb_cursor_get(cursor, &key, &old, MDB_SET)
                    if code == MDB_NOTFOUND { continue }
                    try check(code, "mdb_cursor_get")
                    try indexes.delete(LMDBRecord(old.mv_data), key: id)
                    try check(mdb_cursor_del(cursor, 0), "mdb_cursor_del")
                    count += 1
                }
                return count
            }
        }
    }

    func commit(_ row: Character) async throws {
        try insert([row])
    }
}

extension [Character] {
    fileprivate var isAscending: Bool {
        zip(self, dropFirst()).allSatisfy { $0.id < $1.id }
    }
}
