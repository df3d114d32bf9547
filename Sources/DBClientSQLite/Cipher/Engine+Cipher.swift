import DBClientCore
import Foundation

extension SQLiteEngine {
    /// Opens a file, again while another client makes it at the same moment, with a salt of its own.
    static func opening(
        _ path: String,
        _ configuration: SQLiteConfiguration,
        _ key: StoreKey?
    ) throws -> SQLiteEngine {
        let mayBeNew = key != nil && SQLiteFile.size(path) == 0
        let end = CoarseInstant.now + configuration.busyTimeout
        while true {
            do {
                return try SQLiteEngine(path: path, configuration, key: key)
            } catch let error as DBClientError
                where mayBeNew && (error.code == .wrongKey || error.code == .busy)
            {
                // What is read before the other one has committed tells no more.
                if CoarseInstant.now >= end { throw error }
                usleep(2_000)
            }
        }
    }

    /// Changes the key of the file.
    func rekey(to key: StoreKey) throws {
        try Self.checkProcess()
        try key.validate()
        guard let cipher, let path else {
            throw DBClientError(
                .notEncrypted,
                "The store is not encrypted, so it has no key to change.",
                hint: "Copy it into a store that has a key."
            )
        }
        let change = SQLiteKeyChange(
            of: cipher,
            to: try cipher.withKey(key),
            readers: readers
        ) { [configuration, readers] cipher in
            do {
                let connection = try Self.connection(path, configuration, cipher)
                _ = try connection.prepareJournal(
                    configuration.durability,
                    entersWriteAheadMode: readers != nil
                )
                return connection
            } catch {
                throw SQLiteFile.explained(error, path, cipher)
            }
        }
        try writes.runBlocking { [writer] _ in writer.keyChange = change }
        try change.result?.get()
    }
}
