import CLMDB
import DBClientCore
import Foundation

extension Environment {
    /// Gives the room of free pages back; called by the thread whose turn it is to write, with no transaction open.
    ///
    /// - Returns: How many bytes less the file takes on the disk.
    func compact() throws -> Int {
        // Its transaction keeps every other writer out, and writes nothing.
        let writer = try StoreWriter(self)
        defer { writer.abort() }
        // From here on the newest commit is what a power cut leaves.
        try checkWritten(mdb_env_sync(handle, 1))
        let before = try openFile()
        let free = try freePages()
        var descriptor: Int32 = -1
        try check(mdb_env_get_fd(handle, &descriptor))
        var end = Int(before.size) / pageSize
        var runs = Self.runs(free.filter { $0 < end })
        if let last = runs.last, last.upperBound == end {
            end = last.lowerBound
            runs.removeLast()
            guard ftruncate(descriptor, off_t(end * pageSize)) == 0 else {
                throw DBClientError.lmdb(errno)
            }
            noteShortened(to: end * pageSize)
        }
        for run in runs {
            let code = clmdb_punch(
                descriptor,
                off_t(run.lowerBound * pageSize),
                off_t(run.count * pageSize)
            )
            if code == EOPNOTSUPP || code == ENOSYS {
                throw DBClientError(
                    .unsupported,
                    "The file system cannot take back room within a file.",
                    engineCode: .number(Int(code))
                )
            }
            try check(code)
        }
        return max(Int(before.disk_size - (try openFile().disk_size)), 0)
    }

    /// Returns the numbers of the pages that no snapshot has: neither the newest one nor one that is read.
    private func freePages() throws -> [Int] {
        guard pageSize > 0, let readers = listedReaders() else {
            throw DBClientError(.unsupported, "The layout of this system's LMDB is not known.")
        }
        let transaction = try Transaction(reading: handle)
        defer { transaction.abort() }
        let newest = transaction.number
        // A snapshot has every page that a later commit freed. What the newest commit freed is kept for the one before,
        // should the newest not be read from the disk any more.
        let oldest = min(readers.compactMap(\.commit).min() ?? newest, newest &- 1)
        // LMDB's list of free pages.
        let cursor = try transaction.openCursor(0)
        defer { cursor.close() }
        var free: [Int] = []
        var key = MDB_val()
        var value = MDB_val()
        while try cursor.move(MDB_NEXT, &key, &value) {
            guard key.mv_size == 8, value.mv_size >= 8 else {
                throw DBClientError.lmdb(MDB_CORRUPTED)
            }
            if key.bytes.loadUnaligned(as: UInt64.self) > oldest { break }
            let words = value.mv_size / 8
            let count = value.bytes.loadUnaligned(as: UInt64.self)
            guard count < UInt64(words) else { throw DBClientError.lmdb(MDB_CORRUPTED) }
            for place in 1..<1 + Int(count) {
                let page = value.bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self)
                guard page >= 2, page < UInt64(StoreFile.pageLimit) else {
                    throw DBClientError.lmdb(MDB_CORRUPTED)
                }
                free.append(Int(page))
            }
        }
        return free
    }

    /// Returns ranges of numbers that follow each other, in ascending order.
    private static func runs(_ numbers: [Int]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for number in numbers.sorted() {
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
        return runs
    }
}
