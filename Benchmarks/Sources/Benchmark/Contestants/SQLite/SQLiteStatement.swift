import Foundation
import GRDBSQLite

/// A prepared statement of the SQLite baseline: binds without copying, reads columns in place.
struct SQLiteStatement {
    let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ handle: OpaquePointer, of connection: OpaquePointer) {
        self.handle = handle
        self.connection = connection
    }

    func finalize() {
        sqlite3_finalize(handle)
    }

    @inline(__always)
    func bind(_ index: Int32, _ value: Int) {
        sqlite3_bind_int64(handle, index, Int64(value))
    }

    @inline(__always)
    func bind(_ index: Int32, _ value: Double) {
        sqlite3_bind_double(handle, index, value)
    }

    @inline(__always)
    func bind(_ index: Int32, _ value: UnsafeBufferPointer<UInt8>) {
        // No destructor means SQLITE_STATIC: the bytes stay until the statement is reset.
        value.withMemoryRebound(to: CChar.self) {
            _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32(value.count), nil)
        }
    }

    @inline(__always)
    func bindNull(_ index: Int32) {
        sqlite3_bind_null(handle, index)
    }

    /// Runs a statement without results.
    @inline(__always)
    func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        if code != SQLITE_DONE { throw failure() }
    }

    /// Moves to the next result row; resets at the end.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        sqlite3_reset(handle)
        if code != SQLITE_DONE { throw failure() }
        return false
    }

    @inline(__always)
    func reset() {
        sqlite3_reset(handle)
    }

    /// Runs a statement whose only result is an integer.
    func integer() throws -> Int {
        guard try step() else { throw BenchmarkError("SQLite gave no row") }
        defer { reset() }
        return Int(sqlite3_column_int64(handle, 0))
    }

    @inline(never)
    private func failure() -> BenchmarkError {
        BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
    }
}

extension SQLiteStatement {
    /// Binds every field of a row, runs the statement, and lets go of the row.
    @inline(__always)
    func run(_ row: Character) throws {
        var name = row.name
        var realName = row.realName
        var bio = row.bio ?? ""
        bind(1, row.id)
        if let publisher = row.publisherId { bind(4, publisher) } else { bindNull(4) }
        bind(5, row.power)
        bind(6, Int(row.createdMicroseconds))
        bind(7, row.isActive ? 1 : 0)
        try name.withUTF8 { name in
            bind(2, name)
            try realName.withUTF8 { realName in
                bind(3, realName)
                try bio.withUTF8 { bio in
                    if row.bio == nil { bindNull(8) } else { bind(8, bio) }
                    try run()
                }
            }
        }
    }

    /// Decodes the current result row.
    @inline(__always)
    func character() -> Character {
        Character(
            id: Int(sqlite3_column_int64(handle, 0)),
            name: text(1),
            realName: text(2),
            publisherId: isNull(3) ? nil : Int(sqlite3_column_int64(handle, 3)),
            power: sqlite3_column_double(handle, 4),
            createdAt: Date(microseconds: sqlite3_column_int64(handle, 5)),
            isActive: sqlite3_column_int64(handle, 6) != 0,
            bio: isNull(7) ? nil : text(7)
        )
    }

    /// Decodes a key and a name.
    @inline(__always)
    func name() -> (Int, String) {
        (Int(sqlite3_column_int64(handle, 0)), text(1))
    }

    /// Decodes a group.
    func publisherTotal() -> PublisherTotal {
        PublisherTotal(
            publisher: isNull(0) ? nil : Int(sqlite3_column_int64(handle, 0)),
            count: Int(sqlite3_column_int64(handle, 1)),
            sum: Int(sqlite3_column_int64(handle, 2))
        )
    }

    @inline(__always)
    private func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    @inline(__always)
    private func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let bytes = UnsafeBufferPointer(
            start: start,
            count: Int(sqlite3_column_bytes(handle, column))
        )
        return String(decoding: bytes, as: UTF8.self)
    }
}
