import CSQLiteFiles
public import DBClientCore
public import DBClientSQL
public import Foundation

extension SQLDBClient {
    /// Checks a SQLite file from its first page to its last.
    ///
    /// The check covers the structure of every table and index, the entries of each index against the rows, pages that
    /// are used twice, foreign keys that refer to missing rows, and texts that are not UTF-8. In columns that the
    /// library created, each value must have the type that the column was written as. Every row of the models must be
    /// readable.
    ///
    /// SQLite keeps no checksums of its pages. A value that was damaged into another one of its type is found only if
    /// an index contains it as well. SQLCipher does keep them: in an encrypted file each changed bit is found.
    ///
    /// Use it after a suspicious crash or before trusting a copy. Other programs may keep the file open.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - key: The key that it is encrypted with; nil where it is not.
    ///   - trustsSchema: Whether tables, triggers and views of the file may use functions that can have effects: see
    ///     ``SQLiteConfiguration/trustsSchema``.
    ///   - models: The models whose rows are read.
    /// - Throws: `.corrupt`, saying what is damaged; `.io` when there is no such file; `.busy`, and what opening a file
    ///   throws.
    public static func verifySQLite(
        at url: URL,
        key: StoreKey? = nil,
        trustsSchema: Bool = false,
        models: [any Stored.Type] = []
    ) throws {
        try key?.validate()
        if key != nil { try SQLiteHandle.checkCipher() }
        guard url.isFileURL, let file = try SQLiteFile.check(url.path) else {
            throw DBClientError(.io, "There is no file at the URL.")
        }
        // SQLite takes it for an empty one.
        if file.size == 1 { throw DBClientError(.corrupt, "The file is not a SQLite database.") }
        for suffix in SQLiteFile.suffixes { try SQLiteFile.check(url.path + suffix) }
        let cipher = try key.map { try SQLiteCipher($0, for: url.path) }
        defer { cipher?.forget() }
        do {
            try SQLiteVerifier(url.path, cipher, trustsSchema: trustsSchema).verify()
        } catch {
            throw SQLiteFile.explained(error, url.path, cipher)
        }
        if models.isEmpty { return }
        let configuration = SQLiteConfiguration(trustsSchema: trustsSchema)
        let client = try SQLDBClient.sqlite(at: url, key: key, configuration: configuration)
        defer { try? client.close() }
        try client.blocking.read { transaction in
            for model in models { try readRows(of: model, in: transaction) }
        }
    }

    /// Makes a value of every row of a model.
    private static func readRows<Model: Stored>(
        of model: Model.Type,
        in transaction: ReadTransaction
    ) throws {
        do {
            try transaction.forEach(Model.all) { _ in true }
        } catch let error as DBClientError
            where error.code == .decoding || error.code == .danglingReference
        {
            throw SQLiteVerifier.damaged(error, Model.schema.entity.name)
        }
    }
}
