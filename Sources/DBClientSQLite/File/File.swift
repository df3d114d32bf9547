import CSQLiteFiles
import DBClientCore
import GRDBSQLite
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file of a store, and those that SQLite puts beside it, before SQLite opens them.
enum SQLiteFile {
    /// What SQLite puts after the name of the file for those that belong to it.
    static let suffixes = ["-wal", "-shm", "-journal"]

    /// Creates an empty file for its owner alone, or checks the existing one.
    ///
    /// SQLite would make it readable by every user; the files that it puts beside it inherit its mode.
    ///
    /// An existing file is not opened: when any descriptor of it is closed, the process loses all locks that
    /// SQLite has taken on it. A new one can have none yet, as its descriptor is closed before another thread
    /// opens it.
    ///
    /// - Returns: Whether there is no database in the file yet.
    static func prepare(_ path: String) throws -> Bool {
        for suffix in suffixes { try check(path + suffix) }
        return try preparing.withLock { _ in try makeOrCheck(path) }
    }

    private static let preparing = Mutex(())

    private static func makeOrCheck(_ path: String) throws -> Bool {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(path, flags, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return true
        }
        if errno != EEXIST { throw failure(errno) }
        guard let file = try check(path) else { throw failure(ENOENT) }
        // SQLite itself would say no more than that it cannot open the file, or open it for reading.
        if access(path, R_OK | W_OK) != 0 { throw failure(errno) }
        // SQLite takes a file of one byte for an empty one.
        if file.size == 1 {
            throw DBClientError(.corrupt, "The file is not a SQLite database.")
        }
        return file.size == 0
    }

    /// Checks that what is at a path is a file that not every user may write to, and returns what it is; nil where
    /// nothing is.
    @discardableResult
    static func check(_ path: String) throws -> csqlite_file? {
        var file = csqlite_file()
        let code = csqlite_file_at(path, false, &file)
        if code == ENOENT { return nil }
        if code != 0 { throw failure(code) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        switch mode_t(file.mode) & S_IFMT {
        case S_IFREG: break
        case S_IFLNK:
            throw DBClientError(
                .permission,
                "\(name) must be a file; it is a symbolic link, which is not followed.",
                hint: "Give the path of the file itself."
            )
        default:
            throw DBClientError(
                .invalidRequest,
                "\(name) must be a file; it is a folder, a pipe, a socket or a device."
            )
        }
        if file.mode & 0o002 != 0 {
            throw DBClientError(
                .permission,
                "Every user may write to the file \(name).",
                hint: "Take the permission away (chmod o-w), and see what was written."
            )
        }
        return file
    }

    /// Returns the error of an attempt to open a file, which says so of one that is an object store and of a folder
    /// in which SQLite may not make the files that it needs beside it.
    static func explained(
        _ error: any Error,
        _ path: String,
        _ cipher: SQLiteCipher? = nil
    ) -> any Error {
        let error = SQLiteError.wrapping(error, path)
        if case .number(let code)? = (error as? DBClientError)?.engineCode,
            [SQLITE_CANTOPEN, SQLITE_READONLY].contains(Int32(truncatingIfNeeded: code) & 0xFF),
            access(folder(of: path), W_OK | X_OK) != 0, errno == EACCES
        {
            return failure(EACCES)
        }
        guard let known = error as? DBClientError, known.code == .corrupt || known.code == .wrongKey
        else { return error }
        if isObjectStore(path) {
            return DBClientError(
                .invalidRequest,
                "The file is an object store.",
                hint: "Open it with ObjectStoreDBClient(at:)."
            )
        }
        guard known.engineCode == .number(Int(SQLITE_NOTADB)) else { return error }
        if !looksEncrypted(path) {
            return DBClientError(.corrupt, "The file is not a SQLite database.")
        }
        guard let cipher else {
            return DBClientError(
                .keyRequired,
                "The store is encrypted, or no database.",
                hint: "Open it with its key."
            )
        }
        return SQLiteHandle.lockFailure(of: path, cipher) ?? error
    }

    /// Whether a file has whole pages of which the first has no structure, as encrypted ones have none.
    ///
    /// Of 4,096 random bytes there is hardly one with fewer than 250 of the 256 values.
    private static func looksEncrypted(_ path: String) -> Bool {
        let pageSize = 4_096
        guard size(path) % pageSize == 0,
            let page = SQLiteHandle.beginning(of: path, count: pageSize)
        else { return false }
        return !SQLiteSalt.isPlain(page) && Set(page).count >= 240
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether a file that is no database begins as those of LMDB do: with a page header of 16 bytes and a
    /// number.
    private static func isObjectStore(_ path: String) -> Bool {
        guard let bytes = SQLiteHandle.beginning(of: path, count: 20) else { return false }
        return bytes.withUnsafeBytes { $0.load(fromByteOffset: 16, as: UInt32.self) } == 0xBEEF_C0DE
    }

    /// The size in bytes; zero when there is no such file.
    static func size(_ path: String) -> Int {
        var file = csqlite_file()
        return csqlite_file_at(path, false, &file) == 0 ? Int(file.size) : 0
    }

    private static func failure(_ code: Int32) -> DBClientError {
        var error =
            switch code {
            case ENOENT, ENOTDIR:
                DBClientError(
                    .io,
                    "The folder of the store does not exist.",
                    hint: "Create it first."
                )
            case EACCES, EPERM, ELOOP:
                DBClientError(
                    .permission,
                    "Access to the store's file is refused.",
                    hint: "The file and its folder must be readable and writable."
                )
            case ENOSPC, EDQUOT: DBClientError(.full, "No space is left for the store.")
            case EROFS: DBClientError(.readOnly, "The file system can only be read.")
            default: DBClientError(.io, "The store's file cannot be created.")
            }
        error.engineCode = .number(Int(code))
        return error
    }
}
