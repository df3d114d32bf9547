import CLMDB
import DBClientCore
import Foundation

extension ObjectStoreDBClient {
    /// When the whole file is read and checked before a client opens it, as `verify(at:)` does.
    ///
    /// LMDB believes what it finds in a file, and damage may end the process or make it read wrong rows.
    public enum Verification: Sendable {
        /// When something may have written to the file that was no client of this library: its time says so, a client
        /// ended in the middle of a commit, or nothing is known of it, as after a power cut, after a copy was put
        /// back, and when the file of the locks is gone. Not while another process writes to the store.
        case whenChanged
        /// Each time.
        case always
        /// Never: the beginning of the file and the first page of each table are checked, and each record as it is
        /// read.
        case never
    }
}

extension Environment {
    /// Checks a store's file, as far as is asked for, before LMDB maps it.
    ///
    /// - Returns: Whether the file is known to be sound.
    /// - Throws: `.corrupt`, saying what is damaged.
    static func verify(
        _ path: String,
        _ record: WriteRecord?,
        _ options: Options
    ) throws -> Bool {
        if options.isTemporary || options.verification == .never { return false }
        var file = clmdb_file()
        var descriptor: Int32 = -1
        let code = clmdb_open(path, false, false, &descriptor, &file)
        if code == ENOENT { return true }
        if code != 0 { throw StoreFile.refusal(code, path) }
        defer { StoreFile.close(descriptor) }
        if file.size == 0 || options.verification == .whenChanged && record?.tellsOf(file) == true {
            return true
        }
        // A process that writes has opened the store before, and what it writes cannot be checked meanwhile. It is
        // not waited for; what comes after it waits until this is done. Several may check at the same time.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            return false
        }
        return try StoreVerifier.isSound(unlessWritten: path)
    }
}

extension StoreVerifier {
    /// Checks a store; false for one that goes on being written by programs which take no part in this library's
    /// locks.
    fileprivate static func isSound(unlessWritten path: String) throws -> Bool {
        for _ in 0..<3 {
            let before = try StoreFile.newestMeta(path)
            do {
                try verify(path)
                return true
            } catch {
                guard let before, try StoreFile.newestMeta(path) != before else { throw error }
            }
        }
        return false
    }
}
