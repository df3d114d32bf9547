import CLMDB
import DBClientCore
import Foundation

/// Checks on a store's file before LMDB maps it: a damaged or foreign file must become an error here,
/// because a fault inside the map would end the process.
enum StoreFile {
    /// No store has a page of this number.
    static let pageLimit = 1 << 40

    /// Checks the file and what belongs to it.
    ///
    /// - Returns: The number of tables that the store has.
    static func prepare(_ path: String) throws -> Int {
        let file = try checkKind(path)
        try LockFile.check(of: path)
        let folder = (path as NSString).deletingLastPathComponent
        if clmdb_is_remote(folder.isEmpty ? "." : folder) {
            throw DBClientError(
                .unsupported,
                "An object store cannot live on a network file system.",
                hint: "Use a local disk, or a server engine."
            )
        }
        // A missing or empty file is created by LMDB, for the owner alone.
        guard let file, file.size > 0 else { return 0 }
        return try checkContent(path)
    }

    /// Checks that what is at a path is a file that no other user may write to, and returns what it is; nil where
    /// nothing is.
    @discardableResult
    static func checkKind(_ path: String) throws -> clmdb_file? {
        var file = clmdb_file()
        let code = clmdb_file_at(path, &file)
        if code == ENOENT { return nil }
        try check(code)
        if file.is_link { throw refusal(ELOOP, path) }
        if !file.is_regular { throw refusal(EINVAL, path) }
        try checkPermissions(file, path)
        return file
    }

    /// Refuses a file that every user may write to: what one of them writes there may end the process.
    static func checkPermissions(_ file: clmdb_file, _ path: String) throws {
        guard file.permissions & 0o002 != 0 else { return }
        throw DBClientError(
            .permission,
            "Every user may write to the file \((path as NSString).lastPathComponent).",
            hint: "Take the permission away (chmod o-w), and see what was written."
        )
    }

    /// Returns the error of a path that could not be opened as a file.
    static func refusal(_ code: Int32, _ path: String) -> DBClientError {
        let name = (path as NSString).lastPathComponent
        switch code {
        case ELOOP, EMLINK:
            return DBClientError(
                .permission,
                "\(name) must be a file; it is a symbolic link, which is not followed.",
                hint: "Give the path of the file itself."
            )
        case EINVAL, EISDIR, ENXIO, ENODEV:
            return DBClientError(
                .invalidRequest,
                "\(name) must be a file; it is a folder, a pipe, a socket or a device."
            )
        default: return DBClientError.lmdb(code)
        }
    }

    /// Checks what every use of the store begins with.
    ///
    /// - Returns: The number of tables.
    private static func checkContent(_ path: String) throws -> Int {
        var attempts = 0
        while true {
            guard let newest = try newestMeta(path) else {
                throw foreign(path)
            }
            do {
                var walker = TreeWalker(try PageFile(path, newest))
                let count = try walker.checkTables()
                try walker.checkEnd()
                return count
            } catch let error as DBClientError {
                // Pages that a process took for later commits are not damaged, and in a store that
                // goes on being written the next try may find the same.
                attempts += 1
                let isWritten = try newestMeta(path)?.transaction != newest.transaction
                if !isWritten { throw error }
                if attempts == 100 { return Int(clamping: newest.main.entries) }
            }
        }
    }

    /// Whether the file has every page that a commit needs.
    static func hasEveryPage(_ path: String, _ meta: Meta) throws -> Bool {
        var walker = TreeWalker(try PageFile(path, meta))
        do {
            try walker.checkEnd()
            return true
        } catch let error as DBClientError where error.code == .corrupt {
            return false
        }
    }

    /// Returns the error of a file that does not begin as LMDB's do: another program's, or a damaged one.
    private static func foreign(_ path: String) -> DBClientError {
        if (try? start(of: path, count: 15)) == Array("SQLite format 3".utf8) {
            return DBClientError(
                .invalidRequest,
                "The file is a SQLite database.",
                hint: "Open it with SQLDBClient.sqlite(at:)."
            )
        }
        return DBClientError(.corrupt, "The file is not an object store.")
    }

    /// Reads the beginning of a file, as far as it has so many bytes.
    static func start(of path: String, count: Int) throws -> [UInt8] {
        let file = try open(path)
        defer { close(file) }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = pread(
                    file,
                    buffer.baseAddress.map { $0 + filled },
                    count - filled,
                    off_t(filled)
                )
                if got < 0 { throw DBClientError.lmdb(errno) }
                if got == 0 { return }
                filled += got
            }
        }
    }

    /// Opens a file to be read; neither a link nor anything but a file.
    static func open(_ path: String) throws -> Int32 {
        var descriptor: Int32 = -1
        var file = clmdb_file()
        let code = clmdb_open(path, false, false, &descriptor, &file)
        if code != 0 { throw refusal(code, path) }
        return descriptor
    }

    /// The system's call, where something else has its name.
    static func close(_ descriptor: Int32) {
        Foundation.close(descriptor)
    }
}
