import CLMDB
import DBClientCore
import Foundation

/// When a client of this library wrote to the store's file last, and whether it was writing when it ended.
///
/// It shows at the next opening whether another program has changed the file since, for which the file's own time is
/// compared. It lies in the file of LMDB's locks, behind what LMDB has there and too short for another reader of
/// LMDB's, is mapped, and costs a commit two stores and a look at the clock. Nothing makes it durable: after a power
/// cut, as after the file of the locks was deleted, the store counts as changed.
final class WriteRecord: @unchecked Sendable {
    static let size = 63

    private let map: UnsafeMutableRawPointer
    private let mapSize: Int
    private let fields: UnsafeMutableRawPointer

    private enum Field {
        static let form = 0
        static let device = 8
        static let inode = 16
        /// Nanoseconds since 1970, by the clock that file systems take times of files from.
        static let time = 24
        static let isWriting = 32
    }

    /// What the record begins with, so that zeros are none.
    private static let form: UInt64 = 0x4442_5752_0000_0001

    /// Maps the record of an open file of locks, which need not stay open; nil where there is no room for the map.
    init?(_ descriptor: Int32, at offset: Int) {
        let page = max(sysconf(Int32(_SC_PAGESIZE)), 1)
        let start = offset / page * page
        mapSize = offset + Self.size - start
        let mapped = mmap(
            nil,
            mapSize,
            PROT_READ | PROT_WRITE,
            MAP_SHARED,
            descriptor,
            off_t(start)
        )
        guard let mapped, mapped != MAP_FAILED else { return nil }
        map = mapped
        fields = mapped + (offset - start)
    }

    deinit {
        munmap(map, mapSize)
    }

    /// Whether nothing but this library's clients can have written to a file since the record was made.
    func tellsOf(_ file: clmdb_file) -> Bool {
        self[Field.form] == Self.form && self[Field.device] == file.device
            && self[Field.inode] == file.inode && self[Field.isWriting] == 0
            && UInt64(bitPattern: file.modified) <= self[Field.time]
    }

    /// Notes that the file is about to be written to.
    func beginWrite() {
        self[Field.isWriting] = 1
    }

    /// Notes that the write has ended, and when: a later change of the file is another program's.
    func endWrite() {
        self[Field.time] = UInt64(bitPattern: clmdb_file_time())
        self[Field.isWriting] = 0
    }

    /// Notes that a file is sound as it is now.
    func begin(_ file: clmdb_file) {
        self[Field.form] = 0
        self[Field.device] = file.device
        self[Field.inode] = file.inode
        endWrite()
        self[Field.form] = Self.form
    }

    private subscript(offset: Int) -> UInt64 {
        get { fields.load(fromByteOffset: offset, as: UInt64.self) }
        set { fields.storeBytes(of: newValue, toByteOffset: offset, as: UInt64.self) }
    }
}
