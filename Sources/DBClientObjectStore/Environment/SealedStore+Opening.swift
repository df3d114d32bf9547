import CLMDB
import DBClientCore

extension SealedStore {
    /// LMDB's table of the header, and its key there.
    static let headerTable = "header"
    private static let headerKey = Array("h".utf8)
    /// The tables that LMDB has of an encrypted store.
    static let tableNames = [headerTable, pagesTable]

    /// Makes an encrypted store in an environment that has no tables, in one commit.
    static func make(_ environment: OpaquePointer, _ key: StoreKey, tables: [String]) throws {
        try Cipher.checkPresence()
        let dataKey = try Cipher.makeKey()
        let header = try StoreHeader(dataKey, with: key)
        let transaction = try Transaction(writingTo: environment)
        do {
            let headers = try transaction.openTable(headerTable, UInt32(MDB_CREATE))
            let pages = try transaction.openTable(
                pagesTable,
                UInt32(MDB_CREATE | pagesFlags)
            )
            let store = SealedStore(SealingKeys(dataKey), pages: pages, header: headers)
            try store.write(header, transaction)
            try store.writeRoot(transaction.handle, SealedRoot())
            let sealed = SealedTransaction(store, transaction.handle, isWriting: true)
            for table in tables { _ = try sealed.openTable(table, UInt32(MDB_CREATE)) }
            _ = try sealed.sealChanges()
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }

    /// Opens the encrypted store in an environment; nil for a store without a key, which none must be given for.
    ///
    /// - Throws: `.keyRequired`, `.wrongKey`, `.notEncrypted`; `.unsupported` where the library has no cipher.
    static func open(
        _ environment: OpaquePointer,
        _ key: StoreKey?,
        _ lock: ProcessLock?,
        tables: [String]
    ) throws -> SealedStore? {
        try key?.validate()
        if key != nil { try Cipher.checkPresence() }
        while true {
            if let (header, pages) = try read(environment) {
                guard let key else { throw keyRequired() }
                return SealedStore(
                    SealingKeys(try header.dataKey(key)),
                    pages: pages.pages,
                    header: pages.header
                )
            }
            guard let key else { return nil }
            guard try isEmpty(environment) else { throw notEncrypted() }
            // LMDB has made the file under its own name, where no other can be given to one that is ready.
            try lock?.take()
            defer { lock?.release() }
            if try isEmpty(environment) { try make(environment, key, tables: tables) }
        }
    }

    /// Throws unless a key is that of the store that is open.
    ///
    /// - Parameters:
    ///   - key: The key; nil for none.
    ///   - read: Runs a body with a transaction that reads, and no longer than that: deriving the key takes a while.
    /// - Throws: `.keyRequired`, `.wrongKey`, and what `read` throws.
    func checkKey(
        _ key: StoreKey?,
        _ read: ((Transaction) throws -> StoreHeader) throws -> StoreHeader
    ) throws {
        guard let key else { throw Self.keyRequired() }
        let header = try read { try self.readHeader($0) }
        guard try keys.isDataKey(header.dataKey(key)) else { throw StoreHeader.wrongKey() }
    }

    /// Reads the header and opens the table of pages; nil where there is no header.
    private static func read(
        _ environment: OpaquePointer
    ) throws -> (StoreHeader, (pages: MDB_dbi, header: MDB_dbi))? {
        let transaction = try Transaction(reading: environment)
        let found: (StoreHeader, (pages: MDB_dbi, header: MDB_dbi))
        do {
            let header = try openTable(headerTable, transaction)
            let pages = try openTable(pagesTable, transaction)
            if header == nil, pages == nil {
                transaction.abort()
                return nil
            }
            guard let header, let pages,
                let bytes = try headerKey.withUnsafeBytes({
                    try transaction.get(header, MDB_val($0))
                })
            else { throw StoreHeader.damaged() }
            found = (try StoreHeader(bytes.bytes), (pages, header))
        } catch {
            transaction.abort()
            throw error
        }
        // Committing a reader keeps the tables that it opened.
        try transaction.commit()
        return found
    }

    /// Opens a table of LMDB's; nil where there is none.
    private static func openTable(_ name: String, _ transaction: Transaction) throws -> MDB_dbi? {
        do {
            return try transaction.openTable(name)
        } catch {
            guard (error as? DBClientError)?.engineCode == .number(Int(MDB_NOTFOUND)) else {
                throw error
            }
            return nil
        }
    }

    private static func isEmpty(_ environment: OpaquePointer) throws -> Bool {
        let transaction = try Transaction(reading: environment)
        defer { transaction.abort() }
        return try transaction.statistics(of: transaction.openTable(nil)).ms_entries == 0
    }

    private func readHeader(_ transaction: Transaction) throws -> StoreHeader {
        try header(transaction.handle, Self.headerKey)
    }

    /// A header that has the store's data key sealed with a key.
    func header(for key: StoreKey) throws -> StoreHeader {
        try keys.withDataKey { try StoreHeader($0, with: key) }
    }

    /// Writes another header, in the transaction of LMDB's in which sealed pages are written.
    func write(_ header: StoreHeader, _ transaction: Transaction) throws {
        try write(header.coded, transaction.handle, Self.headerKey)
    }

    static func keyRequired() -> DBClientError {
        DBClientError(
            .keyRequired,
            "The store is encrypted, and no key was given.",
            hint: "Open it with ObjectStoreDBClient(at:key:)."
        )
    }

    static func notEncrypted() -> DBClientError {
        DBClientError(
            .notEncrypted,
            "A key was given for a store that is not encrypted.",
            hint: "Open it without a key, and copy it into a store with one."
        )
    }
}
