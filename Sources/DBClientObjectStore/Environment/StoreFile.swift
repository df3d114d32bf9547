import CLMDB
import DBClientCore
import Foundation

/// Checks on a store's file before LMDB maps it: a damaged or foreign file must become an error here,
/// because a fault inside the map would end the process.
enum StoreFile {
    /// LMDB's page header is 16 bytes; the meta begins with this number and a version.
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1
    /// No store has a page of this number.
    static let pageLimit = 1 << 40

    static func prepare(_ path: String) throws {
        var file = clmdb_file()
        let code = clmdb_file_at(path, &file)
        // Made by LMDB, for the owner alone.
        let isThere = code != ENOENT
        if isThere { try check(code) }
        if file.is_link {
            throw DBClientError(
                .permission,
                "The path is a symbolic link, which is not followed.",
                hint: "Give the path of the file itself."
            )
        }
        guard !isThere || file.is_regular else {
            throw DBClientError(.io, "The path is not that of a file.")
        }
        let folder = (path as NSString).deletingLastPathComponent
        if clmdb_is_remote(folder.isEmpty ? "." : folder) {
            throw DBClientError(
                .unsupported,
                "An object store cannot live on a network file system.",
                hint: "Use a local disk, or a server engine."
            )
        }
        if isThere, file.size > 0 { try checkContent(path) }
    }

    /// Checks what every use of the store begins with.
    private static func checkContent(_ path: String) throws {
        var attempts = 0
        while true {
            guard let newest = try newestMeta(path) else {
                throw foreign(path)
            }
            do {
                var walker = TreeWalker(try PageFile(path, newest))
                try walker.checkTables()
                return try walker.checkEnd()
            } catch let error as DBClientError {
                // Pages that a process took for later commits are not damaged, and in a store that
                // goes on being written the next try may find the same.
                attempts += 1
                let isWritten = try newestMeta(path)?.transaction != newest.transaction
                if !isWritten { throw error }
                if attempts == 100 { return }
            }
        }
    }

    /// Returns the error of a file that does not begin as LMDB's do: another program's, or a damaged one.
    private static func foreign(_ path: String) -> DBClientError {
        let start = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 15)
        if start == Data("SQLite format 3".utf8) {
            return DBClientError(
                .invalidRequest,
                "The file is a SQLite database.",
                hint: "Open it with SQLDBClient.sqlite(at:)."
            )
        }
        return DBClientError(.corrupt, "The file is not an object store.")
    }

    /// What a meta page says of the file.
    struct Meta {
        var pageSize: Int
        var lastPage: Int
        var transaction: UInt64
        /// The tree of the pages that are free.
        var free: PageFile.Tree
        /// The tree of the tables' names.
        var main: PageFile.Tree
    }

    /// Returns the newer of the file's two meta pages, or nil when the file is not LMDB's.
    static func newestMeta(_ path: String) throws -> Meta? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw lmdbError(errno) }
        defer { close(file) }
        guard let first = meta(file, at: 0), first.pageSize >= 512, first.pageSize <= 65_536,
            first.pageSize & (first.pageSize - 1) == 0, let second = meta(file, at: first.pageSize)
        else { return nil }
        return first.transaction >= second.transaction ? first : second
    }

    /// Reads a meta page: MDB_meta of LMDB 0.9 on a 64-bit machine, after its page header.
    private static func meta(_ file: Int32, at offset: Int) -> Meta? {
        var bytes = [UInt8](repeating: 0, count: 16 + 136)
        let count = bytes.withUnsafeMutableBytes {
            pread(file, $0.baseAddress, $0.count, off_t(offset))
        }
        guard count == bytes.count else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self) == magic,
                bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self) == version
            else { return nil }
            let lastPage = bytes.loadUnaligned(fromByteOffset: 16 + 120, as: UInt64.self)
            guard lastPage < pageLimit else { return nil }
            return Meta(
                pageSize: Int(bytes.loadUnaligned(fromByteOffset: 16 + 24, as: UInt32.self)),
                lastPage: Int(lastPage),
                transaction: bytes.loadUnaligned(fromByteOffset: 16 + 128, as: UInt64.self),
                free: PageFile.Tree(UnsafeRawBufferPointer(rebasing: bytes[(16 + 24)...])),
                main: PageFile.Tree(UnsafeRawBufferPointer(rebasing: bytes[(16 + 72)...]))
            )
        }
    }
}
