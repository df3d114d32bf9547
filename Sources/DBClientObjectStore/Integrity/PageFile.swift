import DBClientCore
import Foundation

/// A store's file, read page by page without mapping it: a damaged page is an error here, where in
/// the map it would be a fault that ends the process.
///
/// The layout is that of LMDB 0.9 on a 64-bit machine.
struct PageFile: ~Copyable {
    let pageSize: Int
    /// The number of pages that the newest commit uses.
    let pageCount: Int
    /// The number of the newest commit's transaction.
    let transaction: UInt64
    /// The tree of the pages that are free.
    let free: Tree
    /// The tree of the tables' names.
    let main: Tree
    private let file: Int32

    /// A tree of pages, as LMDB describes it in 48 bytes.
    struct Tree: Equatable {
        static let size = 48

        /// The size of the values on pages that have nothing else.
        var pad: UInt32
        var flags: UInt16
        var depth: Int
        var pages: PageCounts
        var entries: UInt64
        /// All ones for an empty tree.
        var root: UInt64

        init(_ bytes: UnsafeRawBufferPointer) {
            pad = bytes.loadUnaligned(as: UInt32.self)
            flags = bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
            depth = Int(bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
            pages = PageCounts(
                branch: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                leaf: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                overflow: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
            entries = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
            root = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        }

        var isEmpty: Bool { root == .max }

        /// Whether what it says of itself goes together.
        var isSound: Bool {
            isEmpty == (depth == 0) && isEmpty == (entries == 0)
                && isEmpty == (pages.leaf == 0) && (depth > 1) == (pages.branch > 0)
        }
    }

    /// How many pages of each kind a tree has.
    struct PageCounts: Equatable {
        var branch: UInt64 = 0
        var leaf: UInt64 = 0
        var overflow: UInt64 = 0
    }

    /// Opens the file of a store that no process is writing.
    init(_ path: String) throws {
        guard let newest = try StoreFile.newestMeta(path) else {
            throw PageFile.damaged("The file is not an object store.")
        }
        try self.init(path, newest)
    }

    /// Opens the file of a store as one of its meta pages describes it.
    init(_ path: String, _ meta: StoreFile.Meta) throws {
        file = try StoreFile.open(path)
        pageSize = meta.pageSize
        pageCount = meta.lastPage + 1
        transaction = meta.transaction
        free = meta.free
        main = meta.main
    }

    /// The number of pages that the file has room for.
    func storedPageCount() throws -> Int {
        let size = lseek(file, 0, SEEK_END)
        guard size >= 0 else { throw DBClientError.lmdb(errno) }
        return Int(size) / pageSize
    }

    deinit {
        close(file)
    }

    /// Reads pages from a number on.
    func read(_ number: UInt64, count: Int = 1) throws -> [UInt8] {
        guard count > 0, number >= 2, number < pageCount, count <= pageCount - Int(number) else {
            throw PageFile.damaged("A page is named that is not in the file.")
        }
        let wanted = pageSize * count
        let bytes = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = 0
            while filled < wanted {
                let place = off_t(Int(number) * pageSize + filled)
                let got = pread(
                    file,
                    buffer.baseAddress.map { $0 + filled },
                    wanted - filled,
                    place
                )
                if got < 0 { throw DBClientError.lmdb(errno) }
                if got == 0 { throw PageFile.damaged("A page is beyond the end of the file.") }
                filled += got
            }
        }
        let own = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        guard own == number else { throw PageFile.damaged("A page has another page's number.") }
        return bytes
    }

    static func damaged(_ message: String) -> DBClientError {
        DBClientError(.corrupt, message, hint: "Restore the store from a copy.")
    }
}
