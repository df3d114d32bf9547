import DBClientCore
import Foundation

/// The first two pages of a file, each of which describes a commit: MDB_meta of LMDB 0.9 on a 64-bit machine, after
/// the header of a page.
///
/// LMDB does not detect damage in them. So each byte is checked before LMDB trusts it: a wrong flag
/// of the list of free pages ends the process at the next write, and a wrong number of a commit takes the last one
/// back.
extension StoreFile {
    /// What a meta page says of the file.
    struct Meta: Equatable {
        var pageSize: Int
        var lastPage: Int
        var transaction: UInt64
        var mapSize: UInt64
        /// The tree of the pages that are free.
        var free: PageFile.Tree
        /// The tree of the tables' names.
        var main: PageFile.Tree
    }

    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1
    /// The flags of a page with such content, and of the list of free pages, whose keys are numbers.
    private static let pageFlag: UInt16 = 0x08
    private static let freeFlag: UInt16 = 0x08
    /// That the file is no folder: an option of LMDB's, which it keeps among the flags of the list.
    private static let fileFlag: UInt16 = 0x4000

    /// Returns the newer of the file's two meta pages, or nil when the file is not LMDB's, or one is damaged.
    ///
    /// Only of the newer one are trees and pages held to anything more: a commit that could not be written leaves
    /// those of no commit in the older.
    static func newestMeta(_ path: String) throws -> Meta? {
        var last: [UInt8]?
        while true {
            let bytes = try firstPages(of: path)
            if let metas = metas(bytes) {
                return metas.0.transaction > metas.1.transaction ? metas.0 : metas.1
            }
            // One that is being written may be met half old and half new.
            if bytes == last { return nil }
            last = bytes
        }
    }

    private static let usualPage = 4_096
    private static let largestPage = 65_536

    /// Reads the two pages, however large they are.
    private static func firstPages(of path: String) throws -> [UInt8] {
        let bytes = try start(of: path, count: 2 * usualPage)
        guard bytes.count == 2 * usualPage else { return bytes }
        let size = bytes.withUnsafeBytes {
            Int($0.loadUnaligned(fromByteOffset: 40, as: UInt32.self))
        }
        guard size > usualPage, size <= largestPage else { return bytes }
        return try start(of: path, count: 2 * size)
    }

    private static func metas(_ bytes: [UInt8]) -> (Meta, Meta)? {
        bytes.withUnsafeBytes { bytes in
            guard let first = meta(bytes, page: 0, size: 0),
                let second = meta(bytes, page: 1, size: first.pageSize),
                second.pageSize == first.pageSize,
                isPair(first.transaction, second.transaction)
            else { return nil }
            let (older, newer) =
                first.transaction > second.transaction ? (second, first) : (first, second)
            guard older.mapSize <= newer.mapSize,
                newer.mapSize / UInt64(newer.pageSize) > UInt64(newer.lastPage)
            else { return nil }
            return (first, second)
        }
    }

    /// Whether two commits can be the last two: those with even numbers are described by the first page, and in a
    /// new file neither page describes one.
    private static func isPair(_ first: UInt64, _ second: UInt64) -> Bool {
        if first == 0, second == 0 { return true }
        // Far from where the numbers would overflow.
        guard first & 1 == 0, second & 1 == 1, first < 1 << 62, second < 1 << 62 else {
            return false
        }
        return second &- first == 1 || first &- second == 1
    }

    /// Reads a meta page; the size of the pages is not known before the first one is read.
    private static func meta(_ file: UnsafeRawBufferPointer, page: Int, size: Int) -> Meta? {
        let start = page * size
        guard start + 16 + 136 <= file.count else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: file[start...])
        func number<Number: FixedWidthInteger & BitwiseCopyable>(
            _ offset: Int,
            _: Number.Type
        ) -> Number {
            bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
        }
        // The header: the page's number, nothing, its kind, no bounds. Then an address that is not used.
        let pageSize = Int(number(40, UInt32.self))
        guard number(0, UInt64.self) == UInt64(page), number(8, UInt16.self) == 0,
            number(10, UInt16.self) == pageFlag, number(12, UInt32.self) == 0,
            number(16, UInt32.self) == magic, number(20, UInt32.self) == version,
            number(24, UInt64.self) == 0,
            (512...largestPage).contains(pageSize), pageSize & (pageSize - 1) == 0,
            start + pageSize <= file.count, bytes[152..<pageSize].allSatisfy({ $0 == 0 })
        else { return nil }
        let lastPage = number(136, UInt64.self)
        let free = PageFile.Tree(UnsafeRawBufferPointer(rebasing: bytes[40...]))
        let main = PageFile.Tree(UnsafeRawBufferPointer(rebasing: bytes[88...]))
        guard lastPage >= 1, lastPage < pageLimit, free.flags & ~fileFlag == freeFlag,
            main.flags == 0, number(88, UInt32.self) == 0, free.isSound, main.isSound
        else { return nil }
        return Meta(
            pageSize: pageSize,
            lastPage: Int(lastPage),
            transaction: number(144, UInt64.self),
            mapSize: number(32, UInt64.self),
            free: free,
            main: main
        )
    }
}
