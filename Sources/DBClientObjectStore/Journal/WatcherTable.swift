import CLMDB
import DBClientCore

/// The processes that observe the store, each with the entities that it observes: a table by their
/// process ids.
struct WatcherTable: Sendable {
    static let tableName = "watchers"

    let table: MDB_dbi

    private static let version: UInt16 = 1

    /// Returns whether no process observes the store.
    func isEmpty(in reader: StoreReader) throws -> Bool {
        try reader.transaction.statistics(of: table).ms_entries == 0
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
            try reader.transaction.get(table, key).flatMap { Self.names(in: $0.bytes) }
        }
    }

    /// Writes what a process observes; for nothing, takes it from the list.
    func set(_ names: Set<EntityName>, of process: UInt64, in writer: StoreWriter) throws {
        if names.isEmpty { return try remove(process, in: writer) }
        var bytes = ChecksummedOutput(version: Self.version)
        for name in names.sorted() { bytes.append(name) }
        try withNumber(process) { key in
            try bytes.finish().withUnsafeBytes { bytes in
                _ = try writer.transaction.put(table, key, MDB_val(bytes))
            }
        }
        writer.noteWrite()
    }

    private func remove(_ process: UInt64, in writer: StoreWriter) throws {
        try withNumber(process) { key in
            if try writer.transaction.delete(table, key) { writer.noteWrite() }
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
