public import Foundation

extension ObjectStoreDBClient {
    /// Checks the file of a store from its first page to its last: the structure and the order of every
    /// table, the checksum of every record, that it stands under its own key, that each index has the entries
    /// of the records and no others, and that no page is used twice.
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
