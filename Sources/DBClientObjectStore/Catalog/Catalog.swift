import CLMDB
import DBClientCore
import Dispatch
import Synchronization

/// The entities of a store: what the file says of them, and their open tables.
///
/// The file's own catalog is a table of entity names and JSON descriptions. Tables are opened once and
/// stay open with the environment: all that there are when it opens, those that a writer of this
/// process makes with its commit, and those that other processes made before the first read that has
/// them. No table is ever removed, so their number shows whether there are new ones.
final class Catalog: Sendable {
    private struct State {
        /// The open tables by their names.
        var tables: [String: MDB_dbi] = [:]
        /// What the entities have in exactly these tables.
        var stores: [ObjectIdentifier: EntityStore] = [:]
    }

    private let state = Mutex(State())
    /// The models that were used with the store.
    let usage = ModelUsage()
    private nonisolated(unsafe) let environment: OpaquePointer
    /// Nil for a store without a key.
    private let sealed: SealedStore?
    /// LMDB's main table, which lists the others.
    private let tables: MDB_dbi
    let table: MDB_dbi
    /// Held by the one transaction that opens tables, until it has ended and they are known: LMDB
    /// gives two that do so the same handles.
    private let opening = DispatchSemaphore(value: 1)

    static let tableName = "catalog"

    /// Opens the catalog of an environment, making it in a new one, and every table.
    ///
    /// - Parameters:
    ///   - environment: The environment.
    ///   - lock: What is taken to write.
    ///   - sealed: The encrypted store in it; nil for one without a key.
    /// - Throws: `.busy` when another process writes to a new store, and what LMDB says.
    init(_ environment: OpaquePointer, _ lock: ProcessLock?, _ sealed: SealedStore?) throws {
        self.environment = environment
        self.sealed = sealed
        (tables, table) = try Self.open(in: environment, lock, sealed)
        try openTables()
    }

    private static func open(
        in environment: OpaquePointer,
        _ lock: ProcessLock?,
        _ sealed: SealedStore?
    ) throws -> (MDB_dbi, MDB_dbi) {
        func open(_ transaction: Transaction, _ flags: Int32) throws -> (MDB_dbi, MDB_dbi) {
            let opened: (MDB_dbi, MDB_dbi)
            do {
                let tables = try transaction.openTable(nil)
                opened = (tables, try transaction.openTable(tableName, UInt32(flags)))
            } catch {
                transaction.abort()
                throw error
            }
            try transaction.commit()
            return opened
        }
        do {
            return try open(Transaction(reading: environment, sealed), 0)
        } catch let error as DBClientError
            where error.engineCode == .number(Int(MDB_NOTFOUND))
        {
            try lock?.take()
            defer { lock?.release() }
            return try open(Transaction(writingTo: environment, sealed), MDB_CREATE)
        }
    }

    // MARK: Tables

    /// The number of tables that this environment has open; a transaction that sees more opens the others.
    var openCount: Int { state.withLock { $0.tables.count } }

    /// Returns how many tables there are in a transaction.
    @inline(__always)
    func tableCount(in transaction: Transaction) throws -> Int {
        try transaction.statistics(of: tables).ms_entries
    }

    /// Returns how many pages are in use in a transaction, as far as its tables are known.
    func pageCount(in transaction: Transaction) -> Int {
        // LMDB's list of free pages is a table as well, the first.
        let known = [0, tables, table] + state.withLock { Array($0.tables.values) }
        return Set(known).reduce(0) { count, table in
            count + ((try? transaction.statistics(of: table))?.pageCount ?? 0)
        }
    }

    /// Has LMDB write changed pages of a transaction where they take more than some bytes.
    func writePages(beyond limit: Int, in transaction: Transaction) throws {
        try transaction.writePages(beyond: limit, Self.tableName, tables)
    }

    /// Returns whether a transaction that writes knows every table that there is.
    ///
    /// While it runs no other transaction can make a table, so only it opens one.
    func isComplete(in transaction: Transaction) throws -> Bool {
        let (count, newest) = state.withLock { ($0.tables.count, $0.tables.values.max() ?? table) }
        return try tableCount(in: transaction) == count && transaction.knows(newest)
    }

    /// Opens the tables that are not open yet, for transactions that begin afterwards.
    func openTables() throws {
        beginOpening()
        defer { endOpening() }
        let transaction = try Transaction(reading: environment, sealed)
        var opened: [String: MDB_dbi] = [:]
        do {
            let known = state.withLock { $0.tables }
            for name in try transaction.tableNames(tables) where known[name] == nil {
                // What kind of table it is, the file says.
                opened[name] = try transaction.openTable(name)
            }
        } catch {
            transaction.abort()
            throw error
        }
        // Committing a reader keeps the tables that it opened.
        try transaction.commit()
        note(opened, [])
    }

    /// Waits until no transaction of this process opens tables; called before one does.
    func beginOpening() { opening.wait() }

    /// Lets others open tables; called when the transaction has ended and what it made is known.
    func endOpening() { opening.signal() }

    /// Makes the tables that a committed transaction opened known to all.
    func publish(_ made: [EntityStore]) {
        var opened: [String: MDB_dbi] = [:]
        for store in made {
            opened[Self.recordTable(store.number)] = store.table
            for index in store.indexes { opened[index.name] = index.table }
            for search in store.searches { opened[search.name] = search.table }
        }
        note(opened, made)
    }

    private func note(_ opened: [String: MDB_dbi], _ made: [EntityStore]) {
        state.withLock { state in
            let count = state.tables.count
            state.tables.merge(opened) { _, new in new }
            // A new table may be an index that was unknown.
            if state.tables.count != count { state.stores = [:] }
            for store in made { state.stores[ObjectIdentifier(store.entity)] = store }
        }
    }

    static func recordTable(_ number: Int) -> String { "d\(number)" }

    static func indexTable(_ number: Int, of entity: Int) -> String { "i\(entity).\(number)" }

    static func searchTable(_ number: Int, of entity: Int) -> String { "s\(entity).\(number)" }

    /// The flags of a table of records.
    static func recordFlags(_ entity: EntitySchema) -> Int32 {
        entity.integerKey == nil ? 0 : MDB_INTEGERKEY
    }

    /// The flags of an index's table.
    static func indexFlags(_ entity: EntitySchema) -> Int32 {
        MDB_DUPSORT | (entity.integerKey == nil ? 0 : MDB_DUPFIXED | MDB_INTEGERDUP)
    }

    // MARK: Entities

    /// Returns what an entity has in a transaction with so many tables, if that is known.
    @inline(__always)
    func knownStore(for entity: EntitySchema, _ tableCount: Int) -> EntityStore? {
        state.withLock { state in
            state.tables.count == tableCount ? state.stores[ObjectIdentifier(entity)] : nil
        }
    }

    /// Returns what an entity has in a snapshot with so many tables, or nil when it has none there.
    ///
    /// An index of the model's may be missing, which the next write makes where there are few records.
    func store(
        for entity: EntitySchema,
        in transaction: Transaction,
        _ tableCount: Int
    ) throws -> EntityStore? {
        if let store = knownStore(for: entity, tableCount) { return store }
        usage.note(entity)
        guard let stored = try read(entity.name, transaction) else {
            try checkName(of: entity, transaction)
            return nil
        }
        let handles = state.withLock { $0.tables }
        let store = try make(entity, stored) { name, _ in
            guard let handle = handles[name] else {
                throw DBClientError.lmdb(MDB_CORRUPTED, entity)
            }
            return handle
        }
        state.withLock { state in
            if state.tables.count == tableCount {
                state.stores[ObjectIdentifier(entity)] = store
            }
        }
        return store
    }

    /// Returns what an entity has in a write transaction, making what is missing.
    ///
    /// Calls `fill` for each index that had to be made beside a table with rows. Called between
    /// `beginOpening` and `endOpening`.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - transaction: The transaction.
    ///   - isMigrating: Whether indexes are made for a table of any size.
    ///   - fill: Fills an index.
    ///   - fillSearch: Fills an index of words.
    /// - Returns: The tables, and whether any was made.
    /// - Throws: `.schemaMismatch` when what is stored does not fit; what `fill` throws.
    func makeStore(
        for entity: EntitySchema,
        in transaction: Transaction,
        isMigrating: Bool,
        fill: (EntityStore, IndexStore) throws -> Void,
        fillSearch: (EntityStore, SearchStore) throws -> Void
    ) throws -> (store: EntityStore, hasMade: Bool) {
        try entity.validate()
        var stored: StoredEntity
        var isNew = false
        if let found = try read(entity.name, transaction) {
            stored = found
        } else {
            try checkName(of: entity, transaction)
            stored = StoredEntity(entity, number: try nextNumber(transaction))
            isNew = true
        }
        let columns = try stored.columns(of: entity)
        let known = stored.indexes
        var missing = stored.indexesMissing(of: entity, columns)
        var lacksSearch = stored.lacksSearch(of: entity, columns)
        if !isMigrating, !isNew, !missing.isEmpty || lacksSearch {
            let table = try transaction.openTable(
                Self.recordTable(stored.number),
                UInt32(Self.recordFlags(entity) | MDB_CREATE),
                entity
            )
            if try isLarge(table, in: transaction) { (missing, lacksSearch) = ([], false) }
        }
        let hasRetired = try retireOutdatedSearches(of: &stored, transaction)
        for index in missing {
            stored.indexes.append(
                StoredEntity.Index(
                    number: stored.nextIndex,
                    fields: index.fields.map { columns.firstIndex(of: $0) ?? 0 },
                    isUnique: index.isUnique
                )
            )
            stored.nextIndex += 1
        }
        if lacksSearch {
            stored.searches =
                stored.currentSearches + [
                    StoredEntity.Search(
                        number: stored.nextIndex,
                        fields: entity.searchedFields.map { columns.firstIndex(of: $0) ?? 0 },
                        version: SearchIndexVersion.current
                    )
                ]
            stored.nextIndex += 1
        }
        let store = try make(entity, stored) { name, flags in
            try transaction.openTable(name, flags | UInt32(MDB_CREATE), entity)
        }
        let hasMade = stored.indexes.count > known.count || isNew || lacksSearch || hasRetired
        if hasMade {
            try write(stored, name: entity.name, transaction)
            for (position, index) in store.indexes.enumerated() where position >= known.count {
                if !isNew { try fill(store, index) }
            }
            if lacksSearch, !isNew, let search = store.searches.last {
                try fillSearch(store, search)
            }
            // Others that know the tables by their number would go on with what is empty now.
            if hasRetired { try makeMark(transaction) }
        }
        return (store, hasMade)
    }

    /// Whether a table has so many records that a write does not build an index of it: it would keep the writers of
    /// all processes waiting.
    func isLarge(_ table: MDB_dbi, in transaction: Transaction) throws -> Bool {
        try transaction.statistics(of: table).ms_entries > 10_000
    }

    private func make(
        _ entity: EntitySchema,
        _ stored: StoredEntity,
        open: (_ name: String, _ flags: UInt32) throws -> MDB_dbi
    ) throws -> EntityStore {
        let columns = try stored.columns(of: entity)
        let table = try open(
            Self.recordTable(stored.number),
            UInt32(Self.recordFlags(entity))
        )
        let indexFlags = UInt32(Self.indexFlags(entity))
        let indexes = try stored.indexes.map { index in
            let name = Self.indexTable(index.number, of: stored.number)
            return IndexStore(
                IndexSchema(fields: index.fields.map { columns[$0] }, isUnique: index.isUnique),
                of: entity,
                name: name,
                table: try open(name, indexFlags)
            )
        }
        let searches = try stored.currentSearches.map { search in
            let name = Self.searchTable(search.number, of: stored.number)
            return SearchStore(
                name: name,
                table: try open(name, 0),
                columns: search.fields.map { columns[$0] }
            )
        }
        let fields = columns.map { entity.fields[$0] }
        return EntityStore(
            entity,
            number: stored.number,
            table: table,
            layout: RecordLayout(fields, columns: columns, version: stored.version),
            indexes: indexes,
            missingIndexes: stored.indexesMissing(of: entity, columns),
            searches: searches,
            lacksSearch: stored.lacksSearch(of: entity, columns),
            hasOutdatedSearch: !stored.outdatedSearches.isEmpty,
            viewMark: stored.viewMark
        )
    }
}
