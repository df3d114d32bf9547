/// The write-ahead log of a store's file, which the writer keeps short.
///
/// SQLite restarts the log with the first write after all of it was copied into the file and no reader needs it.
/// By default it runs the checkpoint within the commit that has made the log 1,000 pages long, and the caller waits
/// for two more syncs and for a write to each page's place. Here checkpoints run concurrently with the writer,
/// which takes part only when it writes faster than the log is copied.
final class SQLiteWriteAheadLog {
    private var connection: SQLiteConnection
    private let path: String
    private let checkpointer: SQLiteCheckpointer
    private let readers: SQLiteReaderPool
    private let busyTimeout: Int32
    /// How many pages the log has after the last commit that wrote any.
    private let length: UnsafeMutablePointer<Int32>
    /// How many it had after the commit before.
    private var lastLength: Int32 = 0
    /// The length at which the checkpointer is asked next.
    private var copyLength = SQLiteWriteAheadLog.step
    /// The length at which the writer itself copies next.
    private var ownCopyLength = SQLiteWriteAheadLog.longLength
    /// A reader that is held lets the log grow; past this size in bytes a commit tries to empty it.
    private let sizeLimit: Int
    /// The size at which that is tried next.
    private var truncationSize: Int
    /// The longest that the log has been in its file, in pages.
    private var longest: Int32 = 0

    /// How many pages are copied at a time, as by SQLite itself.
    private static var step: Int32 { 1_000 }
    /// How long the log gets while it is copied beside the writer.
    private static var longLength: Int32 { 4 * step }
    /// How many pages the writer copies itself, once, that were written while the last copy ended: they alone
    /// would keep the log from being restarted.
    private static var rest: Int32 { step / 4 }

    /// Takes the log over from SQLite.
    ///
    /// - Parameters:
    ///   - connection: The writer's.
    ///   - path: Where the log is.
    ///   - sizeLimit: From how many bytes on it is emptied.
    ///   - busyTimeout: How long the writer waits for other processes.
    ///   - checkpointer: Copies beside the writer.
    ///   - readers: The connections that make way when the log has to be emptied.
    init(
        _ connection: SQLiteConnection,
        at path: String,
        sizeLimit: Int,
        busyTimeout: Duration,
        checkpointer: SQLiteCheckpointer,
        readers: SQLiteReaderPool
    ) {
        self.connection = connection
        self.path = path
        self.sizeLimit = sizeLimit
        self.checkpointer = checkpointer
        self.readers = readers
        self.busyTimeout = Int32(clamping: busyTimeout.nanoseconds / 1_000_000)
        truncationSize = sizeLimit
        length = .allocate(capacity: 1)
        length.initialize(to: 0)
        connection.handle.noteLogLength(in: length)
    }

    deinit {
        length.deallocate()
    }

    /// Takes the log over from another connection, which is the writer's from now on.
    func use(_ connection: SQLiteConnection) {
        self.connection = connection
        connection.handle.noteLogLength(in: length)
        checkpointer.openAnew()
    }

    /// Sees to the log after a commit.
    func tend() {
        let length = length.pointee
        let isAnew = length < lastLength
        lastLength = length
        if isAnew {
            copyLength = Self.step
            ownCopyLength = Self.longLength
            // What kept it from being emptied has ended, and the checkpointer may have emptied it.
            longest = 0
            truncationSize = sizeLimit
        }
        if length >= ownCopyLength {
            ownCopyLength = length + Self.step
            copyLength = length + Self.step
            checkpointer.wait()
            _ = copy(.passive)
        } else if length >= copyLength {
            copyLength = length + Self.step
            checkpointer.start()
        } else if let copied = checkpointer.takeCopied(), length - copied <= Self.rest {
            // Nothing is written now that would come after it.
            if length > copied { _ = copy(.passive) }
        }
        // The file is looked at where it may have grown, and now and then for foreign writes: on Linux from
        // 6.13 on, a file whose times are asked for gets new ones with the next write, which the sync has to
        // wait for.
        if isAnew || length > longest {
            longest = max(length, longest)
            truncate()
        }
    }

    /// Stops the checkpointer, which copies the log into the file.
    func close() {
        checkpointer.close()
    }

    /// Empties the log, as far as no reader is in the way, without waiting for any.
    func empty() {
        connection.handle.setBusyTimeout(0)
        _ = copy(.truncate)
        connection.handle.setBusyTimeout(busyTimeout)
    }

    /// Empties the log once it is large.
    ///
    /// Where reads overlap, some reader needs the log at every moment, so that it would grow until the disk is
    /// full. Those of this client make way, and results give the snapshots back that they hold. What a reader holds
    /// back that goes on, or one of another process, is tried again when the log has grown by a quarter of the limit,
    /// since each try costs a copy of pages, and by the checkpointer, once a second.
    private func truncate() {
        let size = SQLiteFile.size(path)
        if size < truncationSize { return }
        checkpointer.wait()
        let isEmpty = readers.makingWay { patience in
            connection.handle.setBusyTimeout(patience)
            defer { connection.handle.setBusyTimeout(busyTimeout) }
            return copy(.truncate)
        }
        if isEmpty { longest = 0 }
        truncationSize = isEmpty ? sizeLimit : size + sizeLimit / 4
        if !isEmpty { checkpointer.emptyLater() }
    }

    /// Copies pages of the log into the file, and returns whether it did all that the mode asks for.
    private func copy(_ mode: SQLiteHandle.CheckpointMode) -> Bool {
        connection.handle.checkpoint(mode) != nil
    }
}
