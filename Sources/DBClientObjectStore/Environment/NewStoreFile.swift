import CLMDB
import DBClientCore
import Foundation

/// Makes the file of a new store so that after a power cut it is there whole or not at all.
///
/// LMDB writes its first pages in place, and takes a file with half of them for another program's. So a store
/// without entities is written to a file beside it, and synced, before that takes the store's name.
enum NewStoreFile {
    /// Makes the file where there is none.
    ///
    /// Processes that do so at the same time wait for one another. What one that was killed has left is used by
    /// the next.
    static func make(_ path: String) throws {
        let other = path + "-new"
        while !exists(path) {
            let file = open(other, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw lmdbError(errno) }
            defer { close(file) }
            while flock(file, LOCK_EX) != 0 {
                if errno != EINTR { throw lmdbError(errno) }
            }
            // Whoever had the lock before may have made the store of this very file.
            guard isFile(file, at: other), !exists(path) else { continue }
            do {
                guard ftruncate(file, 0) == 0 else { throw lmdbError(errno) }
                try writeTables(other)
                let code = clmdb_rename_new(other, path)
                guard code == 0 || code == EEXIST else { throw lmdbError(code) }
                if code == EEXIST { unlink(other) }
            } catch {
                unlink(other)
                throw error
            }
        }
    }

    /// Makes the name of a store durable, which a sync of the file does not.
    static func syncFolder(of path: String) throws {
        let name = (path as NSString).deletingLastPathComponent
        let folder = open(name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // One that only takes names cannot be opened.
        if folder < 0, errno == EACCES { return }
        guard folder >= 0 else { throw lmdbError(errno) }
        defer { close(folder) }
        // Some file systems have no such thing.
        guard fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw lmdbError(errno)
        }
    }

    /// Has LMDB write a store with the tables that every store has, in one commit.
    private static func writeTables(_ path: String) throws {
        var created: OpaquePointer?
        try check(mdb_env_create(&created))
        guard let handle = created else { throw lmdbError(ENOMEM) }
        defer { mdb_env_close(handle) }
        let names = [Catalog.tableName, Journal.tableName, WatcherTable.tableName]
        try check(mdb_env_set_maxdbs(handle, UInt32(names.count)))
        // Nobody else has this file open.
        try check(mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR | MDB_NOLOCK), 0o600))
        _ = try Environment.openTables(names, handle, mayMake: true)
    }

    private static func exists(_ path: String) -> Bool {
        var file = clmdb_file()
        return clmdb_file_at(path, &file) != ENOENT
    }

    private static func isFile(_ file: Int32, at path: String) -> Bool {
        var found = clmdb_file()
        var status = stat()
        return clmdb_file_at(path, &found) == 0 && fstat(file, &status) == 0
            && found.inode == UInt64(status.st_ino) && found.device == UInt64(status.st_dev)
    }
}
