import CLMDB
import DBClientCore
import Foundation

/// A store as LMDB has it, for what no client does to it.
struct RawStore {
    private let environment: OpaquePointer

    init(_ url: URL) throws {
        var created: OpaquePointer?
        try Self.check(mdb_env_create(&created))
        guard let created else { throw DBClientError(.engine, "There is no environment.") }
        environment = created
        try Self.check(mdb_env_set_maxdbs(environment, 8))
        try Self.check(mdb_env_set_mapsize(environment, 1 << 32))
        try Self.check(mdb_env_open(environment, url.path, UInt32(MDB_NOSUBDIR), 0o600))
    }

    /// Prints how many processes observe, and how many commits the journal has.
    func show() throws {
        try withTransaction { transaction in
            for name in ["watchers", "journal"] {
                var statistics = MDB_stat()
                try Self.check(mdb_stat(transaction, table(name, transaction), &statistics))
                print(name, statistics.ms_entries)
            }
        }
    }

    /// Damages every entry of the journal in one of several ways.
    func damage() throws {
        try withTransaction { transaction in
            let journal = try table("journal", transaction)
            var cursor: OpaquePointer?
            try Self.check(mdb_cursor_open(transaction, journal, &cursor))
            defer { mdb_cursor_close(cursor) }
            var key = MDB_val()
            var value = MDB_val()
            var count = 0
            while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
                let entry = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
                var bytes = [UInt8](entry)
                switch count % 5 {
                case 0: bytes[bytes.count / 2] ^= 0x40
                case 1: bytes.removeLast(bytes.count / 2)
                case 2: bytes.removeAll()
                case 3: bytes = [UInt8](repeating: 0xFF, count: 64)
                default: bytes[4] = 99
                }
                try bytes.withUnsafeMutableBytes { bytes in
                    var value = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
                    try Self.check(mdb_cursor_put(cursor, &key, &value, UInt32(MDB_CURRENT)))
                }
                count += 1
            }
            print("damaged", count)
        }
    }

    /// Makes the store one of a version without a journal.
    func strip() throws {
        try withTransaction { transaction in
            for name in ["watchers", "journal"] {
                try Self.check(mdb_drop(transaction, table(name, transaction), 1))
            }
        }
    }

    private func table(_ name: String, _ transaction: OpaquePointer) throws -> MDB_dbi {
        var table = MDB_dbi()
        try Self.check(mdb_dbi_open(transaction, name, 0, &table))
        return table
    }

    private func withTransaction(_ body: (OpaquePointer) throws -> Void) throws {
        defer { mdb_env_close(environment) }
        var begun: OpaquePointer?
        try Self.check(mdb_txn_begin(environment, nil, 0, &begun))
        guard let begun else { throw DBClientError(.engine, "There is no transaction.") }
        try body(begun)
        try Self.check(mdb_txn_commit(begun))
    }

    private static func check(_ code: Int32) throws {
        if code != 0 { throw DBClientError(.engine, String(cString: mdb_strerror(code))) }
    }
}
