import CLMDB
import DBClientCore
import Foundation

extension Environment {
    /// Whether a store's file is to be checked as it is opened.
    static func isCheckDue(
        _ path: String,
        _ record: WriteRecord?,
        _ options: Options
    ) throws -> Bool {
        if options.isTemporary || options.verification == .never { return false }
        var file = clmdb_file()
        let code = clmdb_file_at(path, &file)
        if code == ENOENT { return false }
        if code != 0 { throw StoreFile.refusal(code, path) }
        return file.size > 0
            && (options.verification == .always || record?.tellsOf(file) != true)
    }

    /// Checks the sealed pages of a store, whose file LMDB can be trusted to read.
    static func verify(_ sealed: SealedStore, _ handle: OpaquePointer) throws {
        let transaction = try Transaction(reading: handle, sealed)
        defer { transaction.abort() }
        if let sealed = transaction.sealed?.takeUnretainedValue() {
            try SealedVerifier.verify(sealed)
        }
    }

    /// Checks a store's file, as far as is asked for, before LMDB maps it.
    ///
    /// - Returns: Whether the file is known to be sound.
    /// - Throws: `.corrupt`, saying what is damaged.
    static func verify(_ path: String, _ options: Options, isDue: Bool) throws -> Bool {
        if options.isTemporary || options.verification == .never { return false }
        guard isDue else { return true }
        var file = clmdb_file()
        var descriptor: Int32 = -1
        let code = clmdb_open(path, false, false, &descriptor, &file)
        if code == ENOENT { return true }
        if code != 0 { throw StoreFile.refusal(code, path) }
        defer { StoreFile.close(descriptor) }
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
