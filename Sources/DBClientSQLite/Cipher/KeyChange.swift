import DBClientCore
import DBClientSQL

/// A change of the key of a store's file, which the writer runs between two transactions.
///
/// SQLCipher writes every page anew in one transaction: even if the process is killed meanwhile, the file has the one key
/// or the other. Readers go on with the pages of their snapshots, which are under the old key, until their transactions
/// end.
final class SQLiteKeyChange {
    private let cipher: SQLiteCipher
    private let next: SQLiteCipher
    private let readers: SQLiteReaderPool?
    /// Opens a connection that writes, with a key.
    private let open: (SQLiteCipher) throws -> SQLiteConnection
    private(set) var result: Result<Void, any Error>?

    init(
        of cipher: SQLiteCipher,
        to next: SQLiteCipher,
        readers: SQLiteReaderPool?,
        open: @escaping (SQLiteCipher) throws -> SQLiteConnection
    ) {
        self.cipher = cipher
        self.next = next
        self.readers = readers
        self.open = open
    }

    /// Changes the key, and gives the writer a connection that has the new one.
    func run(_ use: (SQLiteConnection) -> Void) {
        result = Result { use(try change()) }
        readers?.closeIdle()
    }

    private func change() throws -> SQLiteConnection {
        cipher.beginChange()
        var done: SQLiteCipher?
        defer { cipher.endChange(to: done) }
        let former = try open(cipher)
        do {
            // SQLCipher would not tell that another process writes.
            try former.run("BEGIN IMMEDIATE")
            try former.handle.changeKey(to: next)
            try? former.run("COMMIT")
        } catch {
            former.close()
            throw error
        }
        // Kept open until there is another: the last one that is closed would empty the log.
        defer { former.close() }
        // Nor does it tell whether it has changed the key.
        let connection: SQLiteConnection
        do {
            connection = try open(next)
        } catch {
            throw DBClientError(
                .io,
                "The key of the store was not changed.",
                hint: "It needs as much space on the disk as the store has."
            )
        }
        done = next
        return connection
    }
}
