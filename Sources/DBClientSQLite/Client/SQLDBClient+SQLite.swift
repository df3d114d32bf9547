public import DBClientCore
@_exported public import DBClientSQL
public import Foundation

extension SQLDBClient {
    /// Where a store without a file is kept.
    public enum SQLiteLocation: Sendable {
        /// In the memory of this process, until the client is closed.
        case inMemory
    }

    /// Opens a SQLite file, or creates it, readable by its owner alone.
    ///
    /// The file is an ordinary SQLite database with ordinary tables, in write-ahead mode unless another program made it
    /// in another one.
    ///
    /// With a key the file is encrypted by SQLCipher, which the product `DBClientSQLCipher` puts in the place of SQLite
    /// in a program. Every file beside it is encrypted as well, and a page that was changed by anything else is found.
    /// SQLite.md says what can still be learnt from the files.
    ///
    /// ```swift
    /// let client = try SQLDBClient.sqlite(at: url, key: .passphrase(text))
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - key: The key that the file is encrypted with, or will be where there is none yet; nil for a plain file.
    ///   - configuration: How it is opened.
    /// - Returns: The client.
    /// - Throws: `.keyRequired`, `.wrongKey` and `.notEncrypted` where the key does not go with the file;
    ///   `.unsupported` for a key in a program without SQLCipher; `.invalidValue` for a key of another length than 32
    ///   bytes and an empty passphrase; `.io` when the folder is missing; `.permission` when access is refused, the path is a symbolic link or
    ///   every user may write to the file; `.corrupt` when the file is damaged or not a SQLite database; `.full` when
    ///   the disk has no room for the files beside it; `.invalidRequest` when the URL is not one of a file, or another
    ///   file had its name that is still open in this process; `.unsupported` in a process that was forked after a
    ///   store was opened.
    public static func sqlite(
        at url: URL,
        key: StoreKey? = nil,
        configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) throws -> SQLDBClient {
        guard url.isFileURL else {
            throw DBClientError(
                .invalidRequest,
                "The store's URL is not one of a file.",
                hint: "Make it with URL(fileURLWithPath:)."
            )
        }
        return SQLDBClient(try SQLiteEngine.opening(url.path, configuration, key))
    }

    /// Opens a SQLite file with a durability.
    ///
    /// - Throws: What ``sqlite(at:key:configuration:)`` throws.
    public static func sqlite(
        at url: URL,
        key: StoreKey? = nil,
        durability: Durability
    ) throws -> SQLDBClient {
        try sqlite(at: url, key: key, configuration: SQLiteConfiguration(durability: durability))
    }

    /// Opens a store in memory.
    ///
    /// Reads and writes take turns on its one connection.
    public static func sqlite(_ location: SQLiteLocation) throws -> SQLDBClient {
        SQLDBClient(try SQLiteEngine(inMemory: SQLiteConfiguration()))
    }
}
