import CLMDB
import DBClientCore
import Foundation

/// The write transaction: LMDB's one writer, on one thread from begin to commit.
final class StoreWriter: StoreReader, EngineWriter, @unchecked Sendable {
    /// The transactions that savepoints have set aside, and what each had open.
    private var outer: [Level] = []
    @exclusivity(unchecked) private var level: Level
    /// What made the transaction useless, whatever was thrown after it.
    private(set) var failure: (any Error)?
    var hasFailed: Bool { failure != nil }
    /// The second key at work beside `key`.
    @exclusivity(unchecked) var otherKey = KeyWriter()
    /// A record on its way from one place in the map to another.
    @exclusivity(unchecked) var record = RecordBuffer()
    /// What an insert has to write in key order: rows that came in another, and the entries of each index.
    @exclusivity(unchecked) var unsortedRows = IndexEntries()
    @exclusivity(unchecked) var entries: [IndexEntries] = []
    /// What a call changes in the indexes of words of an entity.
    @exclusivity(unchecked) var searchChanges: (store: EntityStore, changes: [SearchChanges])?
    /// Whether the tables of a stored view are made, which is not built yet.
    var makesView = false
    /// How many rows have no entries yet.
    @exclusivity(unchecked) var rowsWithoutEntries = 0
    /// What was written since LMDB's changed pages were looked at.
    @exclusivity(unchecked) var unwritten = Unwritten()
    /// Whether rows of the insert came in another order than that of their keys.
    @exclusivity(unchecked) var sortsInsert = false

    /// The state of one transaction: the outermost, or that of a savepoint within it.
    private struct Level {
        var stores: [ObjectIdentifier: EntityStore] = [:]
        /// The store that was asked for last.
        var lastStore: EntityStore?
        /// The open cursors, each at the number of its table.
        var cursors: [Cursor?] = []
        /// The greatest keys that there were, zero for none above it, by the entities' numbers: several models may
        /// be of one entity.
        var greatestKeys: [Int: Int64] = [:]
        /// Nothing was read or written yet, so that a savepoint costs nothing and is undone by
        /// restarting the transaction.
        var isPristine = true
        /// Whether anything was written, so that the commit takes a number.
        var hasWritten = false
        /// Whether a savepoint covers the whole transaction.
        var isMarker = false
    }

    override init(_ environment: Environment) throws {
        level = Level()
        super.init(environment, try Self.begin(environment))
    }

    /// Begins a transaction that knows every table.
    private static func begin(_ environment: Environment) throws -> Transaction {
        while true {
            try environment.beginWrite()
            do {
                if let begun = try beginUnlessNew(environment) { return begun }
            } catch {
                environment.endWrite()
                throw error
            }
            environment.endWrite()
            try environment.catalog.openTables()
        }
    }

    /// Begins a transaction, or returns nil when there are tables that it does not know.
    private static func beginUnlessNew(_ environment: Environment) throws -> Transaction? {
        let begun = try Transaction(writingTo: environment.handle, environment.sealed)
        var isComplete = false
        defer { if !isComplete { begun.abort() } }
        try environment.checkContent(begun.number &- 1)
        isComplete = try environment.catalog.isComplete(in: begun)
        return isComplete ? begun : nil
    }

    deinit {
        otherKey.deallocate()
        record.deallocate()
        unsortedRows.deallocate()
        for entries in entries { entries.deallocate() }
    }

    override var mustCopyRows: Bool { true }

    override func store(for entity: EntitySchema) throws -> EntityStore? {
        level.isPristine = false
        if let store = level.lastStore, store.entity === entity { return store }
        if entity.isView, !makesView { try checkMayRead(entity) }
        let store =
            try level.stores[ObjectIdentifier(entity)]
            ?? completeStore(for: entity) ?? guarded(entity) { try makeStore(for: entity) }
        level.lastStore = store
        return store
    }

    override func viewMark(of entity: EntitySchema) throws -> String? {
        try storedMark(of: entity) ?? nil
    }

    /// Returns the tables of an entity if there is nothing to make.
    private func completeStore(for entity: EntitySchema) throws -> EntityStore? {
        // What this transaction made, it alone knows.
        if opensTables { return nil }
        let catalog = environment.catalog
        guard let store = try catalog.store(for: entity, in: transaction, catalog.openCount) else {
            return nil
        }
        if store.hasOutdatedSearch { return nil }
        let isComplete = try !store.lacksIndexes || catalog.isLarge(store.table, in: transaction)
        return isComplete ? store : nil
    }

    private func makeStore(for entity: EntitySchema) throws -> EntityStore {
        beginOpeningTables()
        // What cannot be made whole, such as an index of values that are not unique, leaves nothing.
        try beginSavepoint()
        let (store, hasMade): (EntityStore, Bool)
        do {
            (store, hasMade) = try environment.catalog.makeStore(
                for: entity,
                in: transaction,
                isMigrating: changesShapes,
                fill: { try fill($1, of: $0) },
                fillSearch: { try fill($1, of: $0) }
            )
        } catch {
            try rollbackSavepoint()
            throw error
        }
        try releaseSavepoint()
        if hasMade { noteWrite() }
        // Another model of the same entity would not know an index that was made.
        level.stores = level.stores.filter { $0.value.number != store.number }
        level.stores[ObjectIdentifier(entity)] = store
        return store
    }

    private func beginOpeningTables() {
        if opensTables { return }
        environment.catalog.beginOpening()
        opensTables = true
    }

    /// Goes on without what is known of the tables, since they change their shape.
    func beginChangingShapes() {
        beginOpeningTables()
        changesShapes = true
        level.stores = [:]
        level.lastStore = nil
    }

    // MARK: Cursors

    /// The transaction's own cursor of a table, for writing.
    @inline(__always)
    func cursor(_ table: MDB_dbi) throws -> Cursor {
        let number = Int(table)
        if number < level.cursors.count, let cursor = level.cursors[number] {
            return cursor
        }
        return try openCursor(table)
    }

    @inline(never)
    private func openCursor(_ table: MDB_dbi) throws -> Cursor {
        let cursor = try takeCursor(table)
        while level.cursors.count <= Int(table) { level.cursors.append(nil) }
        level.cursors[Int(table)] = cursor
        return cursor
    }

    override func takeCursor(_ table: MDB_dbi) throws -> Cursor {
        try transaction.openCursor(table)
    }

    override func giveBack(_ cursor: Cursor, _ table: MDB_dbi) {
        cursor.close()
    }

    private func closeCursors() {
        for case .some(let cursor) in level.cursors { cursor.close() }
        level.cursors = []
    }

    // MARK: Transaction

    /// The greatest keys that there were, zero for none above it, by the entities' numbers.
    @inline(__always)
    var greatestKeys: [Int: Int64] {
        get { level.greatestKeys }
        _modify { yield &level.greatestKeys }
    }

    /// Whether anything was written: only then does the commit take a number.
    var hasWritten: Bool { level.hasWritten }

    /// Notes a write, so that the commit takes a number.
    @inline(__always)
    func noteWrite() {
        level.hasWritten = true
    }

    /// Runs a write, noting when it leaves the transaction unusable.
    ///
    /// An error about a record names the entity.
    func guarded<Value>(_ entity: EntitySchema? = nil, _ body: () throws -> Value) throws -> Value {
        level.isPristine = false
        do {
            return try body()
        } catch {
            let error = noted(error)
            throw entity?.naming(error) ?? error
        }
    }

    /// Returns the error of a write, and notes it when it leaves the transaction unusable.
    @inline(never)
    private func noted(_ error: any Error) -> any Error {
        guard case .number(let number)? = (error as? DBClientError)?.engineCode else {
            // A page that cannot be opened may have been one of several that a change needs.
            if environment.sealed != nil, (error as? DBClientError)?.code == .corrupt,
                failure == nil
            {
                failure = error
            }
            return error
        }
        let code = Int32(truncatingIfNeeded: number)
        var error = error
        // LMDB writes pages before the commit when there are too many.
        if code == EIO {
            do { try environment.checkWritten(code) } catch let known { error = known }
        }
        if endsTransaction(code) {
            // What follows says no more than that the transaction is useless.
            if failure == nil { failure = error }
        }
        return error
    }

    func commit() throws {
        try Fork.check()
        // In the last moment before something is acknowledged that would be lost.
        try environment.place.check()
        closeCursors()
        // LMDB frees the transaction whether or not the commit succeeds.
        isOpen = false
        defer { environment.endWrite() }
        try environment.commit(transaction)
        environment.noteCommit()
        environment.catalog.publish(Array(level.stores.values))
        endOpening()
    }

    private func endOpening() {
        guard opensTables else { return }
        opensTables = false
        environment.catalog.endOpening()
    }

    func abort() {
        if Fork.isChild { return }
        while !outer.isEmpty {
            closeCursors()
            if !level.isMarker { transaction.abort() }
            level = outer.removeLast()
            transaction = parents.removeLast()
        }
        closeCursors()
        if isOpen {
            transaction.abort()
            environment.endWrite()
        }
        isOpen = false
        endOpening()
    }

    private var isOpen = true
    /// Whether the transaction made or opened tables, which no other may do meanwhile.
    private(set) var opensTables = false
    /// Whether the transaction migrates, so that it builds missing indexes of tables of any size.
    private var changesShapes = false
    private var parents: [Transaction] = []

    func beginSavepoint() throws {
        parents.append(transaction)
        if level.isPristine && outer.isEmpty {
            outer.append(level)
            level.isMarker = true
            return
        }
        do {
            transaction = try Transaction(within: transaction, environment.handle)
        } catch {
            parents.removeLast()
            throw error
        }
        outer.append(level)
        level.cursors = []
        level.isPristine = false
        level.isMarker = false
    }

    func releaseSavepoint() throws {
        guard let previous = outer.popLast() else { return }
        let parent = parents.removeLast()
        var merged = level
        if level.isMarker {
            merged.isMarker = false
        } else {
            closeCursors()
            let nested = transaction
            transaction = parent
            try nested.commit()
            merged.cursors = previous.cursors
            merged.isMarker = previous.isMarker
        }
        merged.isPristine = false
        level = merged
    }

    func rollbackSavepoint() throws {
        guard let previous = outer.popLast() else { return }
        let parent = parents.removeLast()
        closeCursors()
        if level.isMarker {
            // Nothing was done before the savepoint, so the whole transaction is what it undoes.
            transaction.abort()
            isOpen = false
            endOpening()
            if let begun = try? Self.beginUnlessNew(environment) {
                // The lock was kept, so that no other process came between.
                transaction = begun
            } else {
                environment.endWrite()
                transaction = try Self.begin(environment)
            }
            isOpen = true
        } else {
            transaction.abort()
            transaction = parent
        }
        level = previous
    }

    /// Inserts few rows at a time, which stay in the processor's cache, but where they have to be sorted.
    override func hints(for entity: EntitySchema) -> EngineHints {
        EngineHints(rowsOfInsert: sortsInsert ? nil : 1_024, upsertsRowByRow: true)
    }
}
