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
    /// - Parameter url: The file.
    /// - Throws: `.corrupt`, saying what is damaged.
    public static func verify(at url: URL) throws {
        _ = try StoreFile.prepare(url.path)
        try StoreVerifier.verify(url.path)
    }
}
