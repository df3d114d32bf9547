import CSQLiteFiles
import DBClientCore

/// What a SQLite file was like at one moment, by which it is noticed that another program than SQLite wrote to it,
/// such as one that copied a backup into it.
struct SQLiteContent {
    private static let headerSize = 100
    /// What the file begins with, which is not what its log has of it.
    private let header: [UInt8]
    private let isEncrypted: Bool
    /// When the file was written to; zero where it has no log, and every commit writes to it.
    private let modified: Int64
    let log: SQLiteLogMarks?

    /// Looks at a file; nil when it is not SQLite's.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - connection: One that has it open.
    ///   - hasLog: Whether it is in write-ahead mode.
    init?(_ path: String, _ connection: SQLiteHandle, hasLog: Bool) {
        let before = hasLog ? SQLiteLogMarks(connection) : nil
        var file = csqlite_file()
        guard csqlite_file_at(path, hasLog, &file) == 0,
            let header = connection.readFile(count: Self.headerSize),
            connection.isEncrypted || SQLiteSalt.isPlain(header)
        else { return nil }
        self.header = header
        isEncrypted = connection.isEncrypted
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
        // Every write asks, so they are compared as a whole instead of byte by byte.
        let isSame = header.withUnsafeBytes { header in
            other.header.withUnsafeBytes { compareBytes(header, $0) == 0 }
        }
        if isSame { return true }
        // No more than the salt stays as it is, and can be read.
        if isEncrypted {
            return header.prefix(SQLiteSalt.count) == other.header.prefix(SQLiteSalt.count)
        }
        return header[16..<18] == other.header[16..<18] && header[20] == other.header[20]
            && (number(56) == 0 || number(56) == other.number(56))
            && Int32(bitPattern: other.number(24) &- number(24)) >= 0
            && Int32(bitPattern: other.number(40) &- number(40)) >= 0
    }

    private func number(_ offset: Int) -> UInt32 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
