import Dispatch
import Synchronization

/// Copies the pages of the write-ahead log into the file, on a thread and a connection of its own, beside
/// reads and writes.
final class SQLiteCheckpointer: @unchecked Sendable {
    private struct State {
        var isAsked = false
        var isClosed = false
        /// How many pages of the log were in the file when the last copy ended; nil from when one is asked for
        /// until it has ended, and once it was reported.
        var copied: Int32?
        /// Whether the log is to be emptied as soon as its readers let it.
        var isEmptyingDue = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "DBClientSQLite.checkpointer", qos: .utility)
    private let path: String
    /// None where the file is not encrypted.
    private let cipher: SQLiteCipher?
    private let files: SQLiteStoreFiles
    private let readers: SQLiteReaderPool
    /// From how many bytes on the log is emptied.
    private let sizeLimit: Int
    /// Called now and then while a reader keeps the log from being emptied.
    private let isHeldBack: @Sendable (SQLiteHandle?) -> Void
    // Used by the queue alone.
    private var connection: SQLiteHandle?

    /// - Parameters:
    ///   - path: The store's file.
    ///   - cipher: Its key; nil where it is not encrypted.
    ///   - files: What it was when it was opened.
    ///   - readers: The connections that make way when the log has to be emptied.
    ///   - sizeLimit: From how many bytes on it is emptied.
    ///   - isHeldBack: Called now and then while a reader keeps it from being emptied, with the connection.
    init(
        _ path: String,
        _ cipher: SQLiteCipher?,
        _ files: SQLiteStoreFiles,
        _ readers: SQLiteReaderPool,
        sizeLimit: Int,
        isHeldBack: @escaping @Sendable (SQLiteHandle?) -> Void
    ) {
        self.path = path
        self.cipher = cipher
        self.files = files
        self.readers = readers
        self.sizeLimit = sizeLimit
        self.isHeldBack = isHeldBack
    }

    deinit {
        connection?.close()
    }

    /// Has the log copied, as far as no reader is in the way, some time soon.
    func start() {
        let isFirst = state.withLock { state in
            defer {
                state.isAsked = true
                state.copied = nil
            }
            return !state.isAsked && !state.isClosed
        }
        if isFirst { queue.async { [weak self] in self?.copy() } }
    }

    /// Returns how many pages of the log the copy that has just ended left in the file, once.
    func takeCopied() -> Int32? {
        state.withLock { $0.copied.take() }
    }

    /// Has the log emptied once the readers that keep it from that have ended, whether or not anything is written
    /// until then.
    func emptyLater() {
        let isFirst = state.withLock { state in
            defer { state.isEmptyingDue = true }
            return !state.isEmptyingDue && !state.isClosed
        }
        if isFirst { scheduleEmptying() }
    }

    private func scheduleEmptying() {
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.empty() }
    }

    /// How long a reader is let alone before the log is looked at again.
    private static var pause: DispatchTimeInterval { .seconds(1) }

    private func empty() {
        if state.withLock({ $0.isClosed }) { return }
        if SQLiteFile.size(path + "-wal") < sizeLimit || truncate() {
            state.withLock { $0.isEmptyingDue = false }
        } else {
            isHeldBack(connection)
            scheduleEmptying()
        }
    }

    private func truncate() -> Bool {
        guard let connection = checkedConnection() else { return false }
        return readers.makingWay { patience in
            connection.setBusyTimeout(patience)
            return connection.checkpoint(.truncate) != nil
        }
    }

    /// Returns the connection, opened if it is not; nil where the files are lost.
    private func checkedConnection() -> SQLiteHandle? {
        // The log of a file that lost its name must not get into the one that has it.
        guard (try? files.checkBeforeOpening()) != nil else { return nil }
        if connection == nil { open() }
        guard let connection, (try? files.check(connection)) != nil else { return nil }
        return connection
    }

    /// Returns once nothing is being copied.
    func wait() {
        queue.sync {}
    }

    /// Has a connection be opened again that has another key of the file.
    func openAnew() {
        queue.sync {
            connection?.close()
            connection = nil
        }
    }

    /// Ends what is under way, and closes the connection.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.sync {
            connection?.close()
            connection = nil
        }
    }

    /// What fails here is tried again: by the next call, and by the writer once the log has grown.
    private func copy() {
        let isClosed = state.withLock { state in
            state.isAsked = false
            return state.isClosed
        }
        guard !isClosed, let connection = checkedConnection() else { return }
        let copied = Self.copy(connection)
        state.withLock { if !$0.isAsked { $0.copied = copied } }
    }

    /// Copies what is in the log, and what comes meanwhile, and returns how many of its pages the file has.
    private static func copy(_ connection: SQLiteHandle) -> Int32? {
        var copied: Int32 = 0
        // What comes meanwhile is mostly little.
        for _ in 1...4 {
            guard let next = connection.checkpoint(.passive) else { return nil }
            if next == copied { break }
            copied = next
        }
        return copied
    }

    /// Opens a connection, not through GRDB, which would make a file where there is none any more.
    private func open() {
        guard let opened = SQLiteHandle(opening: path, cipher) else { return }
        if (try? files.checkNames()) != nil {
            opened.keepLog()
            connection = opened
        } else {
            opened.close()
        }
    }
}
