import CLMDB
import DBClientCore
import Foundation
import Synchronization

/// The path of a store that is open, and whether its file is still there.
///
/// What is written to a file that was deleted or replaced is lost. A file that was moved has its locks elsewhere than
/// the next program looks for them. So none of these is written to any more, and once that was noticed, the file stays
/// lost to those that have it open, whatever becomes of it.
final class StorePlace: Sendable {
    private let path: String
    private let id: FileID
    /// Whether other processes can have the store open, by its path.
    ///
    /// Nothing is lost with a store that is gone at the end of its process, and a clean-up of its folder takes away
    /// nothing that is needed.
    private let isShared: Bool
    private let isNoted = Atomic(false)

    /// Takes note of an open file, which is at a path.
    init(_ path: String, of file: clmdb_file, isShared: Bool) {
        self.path = path
        self.isShared = isShared
        id = FileID(file)
    }

    /// Whether the file was found to be lost.
    var isLost: Bool { isNoted.load(ordering: .relaxed) }

    /// Whether the file is at its path.
    ///
    /// What this process may not look at any more is taken to be there.
    var hasFile: Bool {
        if !isShared { return true }
        var found = clmdb_file()
        switch clmdb_identity_at(path, &found) {
        case 0: return FileID(found) == id
        case ENOENT, ENOTDIR: return false
        default: return true
        }
    }

    /// Throws `.io` when the file was deleted, moved or replaced.
    func check() throws {
        if isLost || !hasFile { throw loss() }
    }

    /// Checks that the file has a name, without which nothing need be written to it.
    ///
    /// - Parameter file: What the open file is.
    /// - Throws: `.io` when it has none, or was found to be lost.
    func checkBeforeWriting(to file: clmdb_file) throws {
        if isLost || file.names == 0 && isShared { throw loss() }
    }

    /// Notes that the file is lost, and returns what a call throws then.
    func loss() -> DBClientError {
        isNoted.store(true, ordering: .relaxed)
        return DBClientError(
            .io,
            "The store's file was deleted, moved or replaced while it was open.",
            hint: "Close every client of the store in this process and open it again."
        )
    }
}
