import CLMDB
import DBClientCore
import Foundation

/// The file beside a store in which LMDB keeps its locks and its list of readers.
///
/// LMDB opens it by its name, follows links, gives it its length without room on the disk, and maps it: on a full
/// disk the first touch of a page would end the process. So it is made here, whole, before LMDB sees it.
struct LockFile {
    /// The file's identity, whatever its name.
    let id: FileID
    /// What is kept behind LMDB's part; nil where there is no room for it.
    let record: WriteRecord?

    /// What LMDB puts after the name of the store's file.
    private static let suffix = "-lock"

    /// The sizes of what LMDB 0.9 has at the beginning and for each reader.
    private static let headerSize = 192
    private static let readerSize = 64
    /// A longer file is not given room to its end: it has more readers than any store of this library.
    private static let largestSize: Int64 = 1 << 20

    /// The path of the file that belongs to a store's.
    static func path(of store: String) -> String { store + suffix }

    /// Checks what has the file's name, if anything has.
    static func check(of store: String) throws {
        try StoreFile.checkKind(path(of: store))
    }

    /// Makes a store's file as long as a number of readers needs it, with room on the disk for all of it.
    ///
    /// Nothing else in this process may have the file open: with the descriptor that is closed here would go the
    /// process's locks on it.
    ///
    /// - Throws: `.full` when the disk has no room, `.permission` for a link, `.invalidRequest` for what is no file.
    init(of store: String, readers: UInt32) throws {
        let path = Self.path(of: store)
        var descriptor: Int32 = -1
        var file = clmdb_file()
        let code = clmdb_open(path, true, true, &descriptor, &file)
        if code != 0 { throw StoreFile.refusal(code, path) }
        defer { close(descriptor) }
        try StoreFile.checkPermissions(file, path)
        let recordStart = Self.headerSize + (Int(readers) - 1) * Self.readerSize
        let usual = Int64(recordStart + WriteRecord.size)
        let size = max(usual, min(file.size, Self.largestSize))
        try DBClientObjectStore.check(clmdb_allocate(descriptor, off_t(size)))
        id = FileID(file)
        // In a longer one LMDB has a reader there.
        record = size == usual ? WriteRecord(descriptor, at: recordStart) : nil
    }
}
