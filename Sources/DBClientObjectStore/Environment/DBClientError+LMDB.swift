import CLMDB
import DBClientCore
import Foundation

/// Throws the error of an LMDB return code other than zero.
@inline(__always)
func check(_ code: Int32, _ entity: EntitySchema? = nil) throws {
    if code != 0 { throw DBClientError.lmdb(code, entity) }
}

/// Whether LMDB refuses whatever a transaction is asked for after a return code of a write.
func endsTransaction(_ code: Int32) -> Bool {
    [
        MDB_MAP_FULL, MDB_TXN_FULL, MDB_BAD_TXN, MDB_PANIC, EIO, ENOSPC, EDQUOT, EFBIG, EROFS,
    ].contains(code)
}

extension DBClientError {
    /// Returns the error of a return code of LMDB's or the operating system's.
    @inline(never)
    static func lmdb(_ code: Int32, _ entity: EntitySchema? = nil) -> DBClientError {
        let (kind, message, hint): (DBClientError.Code, String, String?) =
            switch code {
            case MDB_MAP_FULL: (.full, "The store's memory map is full.", nil)
            case MDB_TXN_FULL: (.full, "The transaction changes too many pages.", "Write in parts.")
            case MDB_READERS_FULL: (.busy, "Every reader of the store is taken.", nil)
            case MDB_DBS_FULL:
                (
                    .full, "The store has no room for another entity or index in this process.",
                    """
                    Close every client of the store in this process and open it again: there is then room for twice \
                    as many as it has.
                    """
                )
            case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
                (.corrupt, "The store's file is damaged.", nil)
            case MDB_PANIC:
                (
                    .io, "Writing failed where the engine cannot tell what is stored.",
                    "Close every client of the store in this process and open it again."
                )
            case MDB_INVALID, MDB_VERSION_MISMATCH, MDB_INCOMPATIBLE:
                (.corrupt, "The file is not an object store of this version.", nil)
            case MDB_BAD_VALSIZE: (.invalidValue, "A key is too long for the engine.", nil)
            case EACCES, EPERM:
                (
                    .permission, "The operating system refuses access to the store.",
                    "The file and its folder must be readable and writable."
                )
            case EROFS: (.readOnly, "The store is on a read-only file system.", nil)
            case ENOENT, ENOTDIR: (.io, "The store's folder does not exist.", "Create it first.")
            case ENOSPC, EDQUOT: (.full, "No space is left on the disk.", nil)
            case EAGAIN, EBUSY: (.busy, "Another process holds the store.", nil)
            case EFBIG:
                (
                    .full,
                    "A file of the store is as large as this process or the file system allows.",
                    nil
                )
            case EIO: (.io, "Reading or writing the store's file failed.", nil)
            default: (.engine, "The engine failed.", nil)
            }
        return DBClientError(
            kind,
            message,
            entity: entity?.name,
            hint: hint,
            engineCode: .number(Int(code)),
            engineMessage: String(cString: mdb_strerror(code))
        )
    }
}
