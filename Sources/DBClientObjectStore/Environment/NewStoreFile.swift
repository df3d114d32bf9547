import CLMDB
import DBClientCore
import Foundation

/// Creates the file of a new store so that after a power cut it exists whole or not at all.
///
/// LMDB writes its first pages in place, and takes a file with half of them for another program's. So a store
/// without entities is written to a file beside it, and synced, before that takes the store's name.
///
/// No process waits for another: each has a file of its own, under a random name, and the first whose file takes
/// the store's name has made the store.
enum NewStoreFile {
    /// The text between the store's name and the random digits.
    private static let mark = "-new-"
    private static let digitCount = 16
    /// More than a store without entities has.
    private static let largestSize: Int64 = 1 << 20

    /// Makes the file where there is none.
    ///
    /// Where a name cannot be given on the condition that nothing has it, none is made here: LMDB then makes
    /// the file under its name.
    static func make(_ path: String, _ key: StoreKey?) throws {
        while !exists(path) {
            let digits = String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
            let other = path + mark + digits
            let file = open(other, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                switch errno {
                case EEXIST: continue
                case ENAMETOOLONG: return
                case let code: throw DBClientError.lmdb(code)
                }
            }
            close(file)
            // Nothing has this name once the file has the store's, unless it was given by a link.
            defer { unlink(other) }
            do {
                try writeTables(other, key)
            } catch {
                // A process that opened the finished store may have removed this file as one that was left over.
                if exists(path) { continue }
                throw error
            }
            switch clmdb_rename_new(other, path) {
            case 0, EEXIST, ENOENT: continue
            case ENOTSUP: return
            case let code: throw DBClientError.lmdb(code)
            }
        }
    }

    /// Removes what processes have left that were killed while they made a store.
    ///
    /// A process that is making one now does so in vain, since the store exists, and does not miss its file. A file
    /// whose content is not that of a new store stays, whatever its name is.
    static func removeLeftOvers(of path: String) {
        let folder = folder(of: path)
        let start = Array(((path as NSString).lastPathComponent + mark).utf8)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.utf8.starts(with: start) {
            let digits = name.utf8.dropFirst(start.count)
            let isDrawn = digits.allSatisfy("0123456789abcdef".utf8.contains)
            let other = (folder as NSString).appendingPathComponent(name)
            if digits.count == digitCount, isDrawn, isLeftOver(other, of: path) { unlink(other) }
        }
    }

    /// Whether a file is the store itself, under a second name, or is what one that is being made can be:
    /// nothing but zeros, or a store that has only the commit that it was made with.
    private static func isLeftOver(_ other: String, of path: String) -> Bool {
        var file = clmdb_file()
        var store = clmdb_file()
        guard clmdb_file_at(other, &file) == 0, clmdb_file_at(path, &store) == 0,
            file.is_regular, file.size < largestSize
        else { return false }
        if file.device == store.device, file.inode == store.inode { return true }
        if let meta = try? StoreFile.newestMeta(other) { return meta.transaction <= 1 }
        let content = try? Data(contentsOf: URL(fileURLWithPath: other))
        return content?.allSatisfy { $0 == 0 } ?? false
    }

    /// Makes the name of a store durable, which a sync of the file does not.
    static func syncFolder(of path: String) throws {
        let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // One that only takes names cannot be opened.
        if folder < 0, errno == EACCES { return }
        guard folder >= 0 else { throw DBClientError.lmdb(errno) }
        defer { close(folder) }
        // Some file systems have no such thing.
        guard fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw DBClientError.lmdb(errno)
        }
    }

    /// The tables that every store has.
    static let tables = [Catalog.tableName, Journal.tableName, WatcherTable.tableName]

    /// Has LMDB write a store with the tables that every store has, in one commit.
    private static func writeTables(_ path: String, _ key: StoreKey?) throws {
        var created: OpaquePointer?
        try check(mdb_env_create(&created))
        guard let handle = created else { throw DBClientError.lmdb(ENOMEM) }
        defer { mdb_env_close(handle) }
        try check(mdb_env_set_maxdbs(handle, UInt32(tables.count)))
        // No other process opens this file.
        try check(mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR | MDB_NOLOCK), 0o600))
        if let key { return try SealedStore.make(handle, key, tables: tables) }
        _ = try Environment.openTables(tables, handle, nil, mayMake: true)
    }

    private static func exists(_ path: String) -> Bool {
        var file = clmdb_file()
        return clmdb_file_at(path, &file) != ENOENT
    }

    private static func folder(of path: String) -> String {
        let name = (path as NSString).deletingLastPathComponent
        return name.isEmpty ? "." : name
    }
}
