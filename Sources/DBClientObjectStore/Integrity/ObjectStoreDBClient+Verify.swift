public import DBClientCore
public import Foundation

extension ObjectStoreDBClient {
    /// Checks the file of a store from its first page to its last.
    ///
    /// The check covers the structure and the order of every table, the checksum and the key of every record,
    /// the entries of each index against the records, and pages that are used twice.
    ///
    /// The file is read, never mapped, so that damage is an error and not the end of the process. Use it
    /// on a store that no client has open, after a suspicious crash or before trusting a copy.
    ///
    /// Of an encrypted store the check covers with the key that each sealed page is the one that was written last, and
    /// the rest as of any store; for that the store is opened. Without the key it covers the structure of the file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - key: The key of an encrypted store.
    /// - Throws: `.corrupt`, saying what is damaged; `.wrongKey`, and `.notEncrypted` for a store without a key.
    public static func verify(at url: URL, key: StoreKey? = nil) throws {
        _ = try StoreFile.prepare(url.path)
        try StoreVerifier.verify(url.path)
        guard let key else { return }
        let client = try ObjectStoreDBClient(at: url, key: key, verification: .never)
        defer { try? client.close() }
        let environment = try client.session.environment()
        if let sealed = environment.sealed { try Environment.verify(sealed, environment.handle) }
    }
}
