import CSQLiteFiles
import GRDBSQLite

/// What a SQLite file was like at one moment, by which it is noticed that another program than SQLite wrote to it,
/// such as one that copied a backup into it.
struct SQLiteContent {
    private static let headerSize = 100
    /// What the file begins with, which is not what its log has of it.
    private let header: [UInt8]
    /// When the file was written to; zero where it has no log, and every commit writes to it.
    private let modified: Int64
    let log: SQLiteLogMarks?

    /// Looks at a file; nil when it is not SQLite's.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - connection: One that has it open.
    ///   - hasLog: Whether it is in write-ahead mode.
    init?(_ path: String, _ connection: OpaquePointer, hasLog: Bool) {
        let before = hasLog ? SQLiteLogMarks(connection) : nil
        var file = csqlite_file()
        guard csqlite_file_at(path, hasLog, &file) == 0,
            let header = readFile(connection, count: Self.headerSize),
            header.starts(with: "SQLite format 3\0".utf8)
        else { return nil }
        self.header = header
        modified = file.modified
        log = hasLog ? SQLiteLogMarks(connection, after: before) : nil
    }

    /// Whether SQLite may have made other content of this.
    ///
    /// It counts changes upwards, and changes neither the size of the pages nor how text is encoded once that is
    /// settled. In write-ahead mode it writes to the file only what it copies of the log.
    func canBecome(_ other: SQLiteContent) -> Bool {
        if other.modified != modified, let log, let otherLog = other.log, log == otherLog,
            !otherLog.isBeingCopied
        {
            return false
        }
        if header == other.header { return true }
        return header[16..<18] == other.header[16..<18] && header[20] == other.header[20]
            && (number(56) == 0 || number(56) == other.number(56))
            && Int32(bitPattern: other.number(24) &- number(24)) >= 0
            && Int32(bitPattern: other.number(40) &- number(40)) >= 0
    }

    private func number(_ offset: Int) -> UInt32 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// How far a log was copied into its file, as all processes see it in the log's index.
struct SQLiteLogMarks: Equatable {
    /// Where the index has what this is made of, by "WAL-mode File Format" of SQLite's documentation.
    private enum Offset {
        static let salt = 32
        static let copied = 96
        static let attempted = 128
    }

    /// Changes each time that the log is begun anew.
    let salt: UInt64
    private let copied: UInt32
    /// How far the last copy meant to come.
    private let attempted: UInt32
    /// Whether the file may be written to by a copy of the log.
    var isBeingCopied: Bool

    /// Whether the log was left behind by a process that did not close the file, and nothing of it was copied since.
    ///
    /// SQLite says so when it makes the index anew; the beginning of a copy looks the same.
    var isLeftBehind: Bool { copied == 0 && attempted > 0 }

    /// Reads them; nil where a connection has no log open.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - earlier: What was read before the file was looked at.
    init?(_ connection: OpaquePointer, after earlier: SQLiteLogMarks? = nil) {
        var index: UnsafeMutableRawPointer?
        let found = withFile(of: connection) { file, methods in
            withUnsafeMutablePointer(to: &index) { index in
                index.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: 1) {
                    methods.xShmMap(file, 0, 32 << 10, 0, $0)
                }
            }
        }
        guard found == SQLITE_OK, let index else { return nil }
        salt = index.load(fromByteOffset: Offset.salt, as: UInt64.self)
        copied = index.load(fromByteOffset: Offset.copied, as: UInt32.self)
        attempted = index.load(fromByteOffset: Offset.attempted, as: UInt32.self)
        isBeingCopied = attempted > copied
        if let earlier, earlier != self { isBeingCopied = true }
    }
}

/// Calls a function with the file of a connection and its methods.
private func withFile<Value>(
    of connection: OpaquePointer,
    _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Value
) -> Value? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
        let file, let methods = file.pointee.pMethods
    else { return nil }
    return body(file, methods.pointee)
}

/// Reads the beginning of a connection's file by SQLite's own descriptor; nil where it has fewer bytes.
private func readFile(_ connection: OpaquePointer, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = withFile(of: connection) { file, methods in
        methods.xRead(file, &bytes, Int32(count), 0)
    }
    return code == SQLITE_OK ? bytes : nil
}

extension SQLiteConnection {
    /// Whether the path of the connection's file names another file by now, or none.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }
}
