/// How far a log was copied into its file, as all processes see it in the log's index.
struct SQLiteLogMarks: Equatable {
    /// Where the index has what this is made of, by "WAL-mode File Format" of SQLite's documentation.
    private enum Offset {
        static let pageSize = 14
        static let length = 16
        static let salt = 32
        /// Where the header stands once more, so that one that is being written is noticed.
        static let copy = 48
        static let copied = 96
        static let attempted = 128
    }

    /// Changes each time that the log is restarted.
    let salt: UInt64
    private let copied: UInt32
    /// How far the last copy meant to come.
    private let attempted: UInt32
    /// Whether the file may be written to by a copy of the log.
    var isBeingCopied: Bool

    /// Whether the log was left behind by a process that did not close the file, and nothing of it was copied since.
    ///
    /// SQLite marks that when it rebuilds the index; the beginning of a copy looks the same.
    var isLeftBehind: Bool { copied == 0 && attempted > 0 }

    /// Reads them; nil where a connection has no log open.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - earlier: What was read before the file was looked at.
    init?(_ connection: SQLiteHandle, after earlier: SQLiteLogMarks? = nil) {
        guard let index = connection.logIndex else { return nil }
        salt = index.load(fromByteOffset: Offset.salt, as: UInt64.self)
        copied = index.load(fromByteOffset: Offset.copied, as: UInt32.self)
        attempted = index.load(fromByteOffset: Offset.attempted, as: UInt32.self)
        isBeingCopied = attempted > copied
        if let earlier, earlier != self { isBeingCopied = true }
    }

    /// Returns how many bytes of pages the log has that were not copied into the file; nil where a connection has no
    /// log open, and while the log is written to at each of some looks.
    static func pendingSize(_ connection: SQLiteHandle) -> Int? {
        guard let index = connection.logIndex else { return nil }
        for _ in 1...8 {
            let length = index.load(fromByteOffset: Offset.length, as: UInt32.self)
            let copied = index.load(fromByteOffset: Offset.copied, as: UInt32.self)
            let again = index.load(fromByteOffset: Offset.copy + Offset.length, as: UInt32.self)
            guard length == again else { continue }
            // 1 stands for the size that two bytes cannot hold.
            let pageSize = Int(index.load(fromByteOffset: Offset.pageSize, as: UInt16.self))
            return Int(length - min(copied, length)) * (pageSize == 1 ? 1 << 16 : pageSize)
        }
        return nil
    }
}
