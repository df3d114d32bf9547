import CLMDB
import DBClientCore
import Foundation

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
