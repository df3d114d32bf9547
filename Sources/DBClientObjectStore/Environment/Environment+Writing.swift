import CLMDB
import DBClientCore
import Foundation

extension Environment {
    /// Commits a transaction, which LMDB frees whether or not that succeeds.
    func commit(_ transaction: Transaction) throws {
        try transaction.commit { try checkWritten($0) }
    }

    /// Throws the error of a return code of a call that writes to the file.
    ///
    /// LMDB calls a write that the disk took in part an I/O error; the space that is left tells a full
    /// disk from a broken one, and the file's size a file that this process may not make larger.
    func checkWritten(_ code: Int32) throws {
        guard code == EIO else { return try check(code) }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
        if free < Self.largestWrite { throw DBClientError.lmdb(ENOSPC) }
        let room = clmdb_file_size_limit().subtractingReportingOverflow(
            UInt64(clamping: (try? openFile().size) ?? 0)
        )
        throw DBClientError.lmdb(
            room.overflow || room.partialValue < Self.largestWrite ? EFBIG : EIO
        )
    }

    /// More than one call of LMDB's writes: 64 buffers of a page, or one value.
    private static let largestWrite: Int64 = 1 << 20
}
