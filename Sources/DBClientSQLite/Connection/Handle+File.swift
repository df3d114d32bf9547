import CSQLiteFiles
import GRDBSQLite

// The file of a connection, and its write-ahead log.
extension SQLiteHandle {
    /// Whether the path of the file names another file by now, or none.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }

    /// The number that changes with every commit that the connection makes or comes to see; nil when it
    /// cannot be read.
    ///
    /// The file is not looked at, so inside a transaction it is that of the snapshot.
    var contentVersion: UInt32? {
        var version: UInt32 = 0
        let code = sqlite3_file_control(pointer, nil, SQLITE_FCNTL_DATA_VERSION, &version)
        return code == SQLITE_OK ? version : nil
    }

    /// Reads the beginning of the file by SQLite's own descriptor; nil where it has fewer bytes.
    func readFile(count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = withFile { file, methods in methods.xRead(file, &bytes, Int32(count), 0) }
        return code == SQLITE_OK ? bytes : nil
    }

    /// The beginning of the log's index, which all processes share; nil where the connection has no log open.
    var logIndex: UnsafeRawPointer? {
        var index: UnsafeMutableRawPointer?
        let found = withFile { file, methods in
            withUnsafeMutablePointer(to: &index) { index in
                index.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: 1) {
                    methods.xShmMap(file, 0, 32 << 10, 0, $0)
                }
            }
        }
        return found == SQLITE_OK ? UnsafeRawPointer(index) : nil
    }

    /// Calls a function with the file and its methods.
    private func withFile<Value>(
        _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Value
    ) -> Value? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard
            sqlite3_file_control(pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods
        else { return nil }
        return body(file, methods.pointee)
    }

    // MARK: Write-ahead log

    /// How much of the log a checkpoint copies into the file.
    enum CheckpointMode {
        /// As much as no reader is in the way of.
        case passive
        /// All of it, after which the log is empty.
        case truncate
    }

    /// Copies pages of the log into the file.
    ///
    /// - Returns: How many of its pages the file has; nil when less was done than the mode asks for.
    func checkpoint(_ mode: CheckpointMode) -> Int32? {
        let mode =
            switch mode {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(pointer, nil, mode, nil, &copied)
        return code == SQLITE_OK ? copied : nil
    }

    /// Has each commit write into a place how many pages the log has, in the stead of SQLite's own hook, which copies
    /// within the commit.
    func noteLogLength(in place: UnsafeMutablePointer<Int32>) {
        _ = sqlite3_wal_hook(
            pointer,
            { length, _, _, count in
                length?.storeBytes(of: count, as: Int32.self)
                return SQLITE_OK
            },
            place
        )
    }

    /// Has the log stay as it is when the connection is closed, even if it is the last one.
    func keepLog() {
        csqlite_switch_on(UnsafeMutableRawPointer(pointer), csqlite_keeps_log)
    }
}
