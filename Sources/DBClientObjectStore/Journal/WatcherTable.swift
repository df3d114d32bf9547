import CLMDB
import DBClientCore

/// The processes that observe the store, each with the entities that it observes: a table by their
/// process ids.
struct WatcherTable: Sendable {
    static let tableName = "watchers"

    let table: MDB_dbi

    private static let version: UInt16 = 1

    /// Returns whether nobody observes.
    func isEmpty(in reader: StoreReader) throws -> Bool {
        var statistics = MDB_stat()
        try check(mdb_stat(reader.transaction, table, &statistics))
        return statistics.ms_entries == 0
    }

    /// Returns every process with the names of the entities that it observes.
    func all(in reader: StoreReader) throws -> [UInt64: Set<EntityName>] {
        if try isEmpty(in: reader) { return [:] }
        let cursor = try reader.takeCursor(table)
        defer { reader.giveBack(cursor, table) }
        var watchers: [UInt64: Set<EntityName>] = [:]
        var key = MDB_val()
        var value = MDB_val()
        while try cursor.move(MDB_NEXT, &key, &value) {
            guard key.mv_size == 8 else { continue }
            let process = UInt64(bigEndian: key.bytes.loadUnaligned(as: UInt64.self))
            // One that cannot be read observes nothing, and finds that out by itself.
            watchers[process] = Self.names(in: value.bytes) ?? []
        }
        return watchers
    }

    /// Returns what a process observes; nil when it is not known.
    func names(of process: UInt64, in reader: StoreReader) throws -> Set<EntityName>? {
        try withNumber(process) { key in
            var key = key
            var value = MDB_val()
            let code = mdb_get(reader.transaction, table, &key, &value)
            if code == MDB_NOTFOUND { return nil }
            try check(code)
            return Self.names(in: value.bytes)
        }
    }

    /// Writes what a process observes; for nothing, takes it from the list.
    func set(_ names: Set<EntityName>, of process: UInt64, in writer: StoreWriter) throws {
        if names.isEmpty { return try remove(process, in: writer) }
        var bytes = ChecksummedOutput(version: Self.version)
        for name in names.sorted() { bytes.append(name) }
        try withNumber(process) { key in
            try bytes.finish().withUnsafeBytes { bytes in
                var key = key
                var value = MDB_val(bytes)
                try check(mdb_put(writer.transaction, table, &key, &value, 0))
            }
        }
        writer.noteWrite()
    }

    private func remove(_ process: UInt64, in writer: StoreWriter) throws {
        try withNumber(process) { key in
            var key = key
            let code = mdb_del(writer.transaction, table, &key, nil)
            if code == MDB_NOTFOUND { return }
            try check(code)
            writer.noteWrite()
        }
    }

    private static func names(in bytes: UnsafeRawBufferPointer) -> Set<EntityName>? {
        guard var reader = ChecksummedInput(bytes, version: version) else { return nil }
        var names = Set<EntityName>()
        while !reader.isAtEnd {
            guard let name = reader.name() else { return nil }
            names.insert(name)
        }
        return names
    }
}
