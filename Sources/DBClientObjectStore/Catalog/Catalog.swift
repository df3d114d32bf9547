import CLMDB
import DBClientCore
import Synchronization

/// The entities of a store: what the file says of them, and their open tables.
///
/// The file's own catalog is a table of entity names and JSON descriptions. Tables are opened once and
/// stay open with the environment; LMDB asks that no two transactions open tables at the same time,
/// which the writer's exclusiveness and the lock see to.
final class Catalog: Sendable {
    private let stores = Mutex<[ObjectIdentifier: EntityStore]>([:])
    private let table: MDB_dbi
    /// Serialises the opening of tables by readers.
    private let opening = Mutex(())

    static let tableName = "catalog"

    init(table: MDB_dbi) {
        self.table = table
    }

    /// Returns the open tables of an entity, or nil when they are not open yet.
    @inline(__always)
    func openStore(for entity: EntitySchema) -> EntityStore? {
        stores.withLock { $0[ObjectIdentifier(entity)] }
    }

    /// Makes the tables that a committed transaction opened known to all.
    func publish(_ opened: [EntityStore]) {
        stores.withLock { stores in
            for store in opened { stores[ObjectIdentifier(store.entity)] = store }
        }
    }

    /// Opens the tables of an entity for reading, or returns nil when the store has none or lacks an
    /// index of the model's, which the next write makes.
    func openForReading(
        _ entity: EntitySchema,
        in environment: OpaquePointer
    ) throws -> EntityStore? {
        try opening.withLock { _ in
            if let store = openStore(for: entity) { return store }
            var transaction: OpaquePointer?
            try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
            guard let transaction else { throw lmdbError(MDB_PANIC) }
            do {
                guard let stored = try read(entity.name, transaction) else {
                    try checkName(of: entity, transaction)
                    mdb_txn_abort(transaction)
                    return nil
                }
                let store = try open(entity, stored, transaction, flags: 0)
                // Committing a reader keeps the tables that it opened.
                try check(mdb_txn_commit(transaction))
                publish([store])
                return store
            } catch {
                mdb_txn_abort(transaction)
                throw error
            }
        }
    }

    /// Opens the tables of an entity for writing, making what is missing.
    ///
    /// Calls `fill` for each index that had to be made beside a table with rows.
    ///
    /// - Returns: The tables, and whether any was made.
    func openForWriting(
        _ entity: EntitySchema,
        in transaction: OpaquePointer,
        fill: (EntityStore, IndexStore) throws -> Void
    ) throws -> (store: EntityStore, hasMade: Bool) {
        try entity.validate()
        return try opening.withLock { _ in
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
            for index in entity.indexes where !known.contains(where: { $0.matches(index, columns) })
            {
                stored.indexes.append(
                    StoredEntity.Index(
                        number: stored.nextIndex,
                        fields: index.fields.map { columns.firstIndex(of: $0) ?? 0 },
                        isUnique: index.isUnique
                    )
                )
                stored.nextIndex += 1
            }
            let store = try open(entity, stored, transaction, flags: UInt32(MDB_CREATE))
            let hasMade = stored.indexes.count > known.count || isNew
            if hasMade {
                try write(stored, name: entity.name, transaction)
                for (position, index) in store.indexes.enumerated() where position >= known.count {
                    if !isNew { try fill(store, index) }
                }
            }
            return (store, hasMade)
        }
    }

    private func open(
        _ entity: EntitySchema,
        _ stored: StoredEntity,
        _ transaction: OpaquePointer,
        flags: UInt32
    ) throws -> EntityStore {
        let columns = try stored.columns(of: entity)
        let hasIntegerKey = entity.integerKey != nil
        var table = MDB_dbi()
        try check(
            mdb_dbi_open(
                transaction,
                "d\(stored.number)",
                flags | (hasIntegerKey ? UInt32(MDB_INTEGERKEY) : 0),
                &table
            ),
            entity
        )
        let indexFlags =
            flags | UInt32(MDB_DUPSORT)
            | (hasIntegerKey ? UInt32(MDB_DUPFIXED | MDB_INTEGERDUP) : 0)
        let indexes = try stored.indexes.map { index in
            var table = MDB_dbi()
            let name = "i\(stored.number).\(index.number)"
            try check(mdb_dbi_open(transaction, name, indexFlags, &table), entity)
            return IndexStore(
                IndexSchema(fields: index.fields.map { columns[$0] }, isUnique: index.isUnique),
                of: entity,
                name: name,
                table: table
            )
        }
        let fields = columns.map { entity.fields[$0] }
        return EntityStore(
            entity,
            number: stored.number,
            table: table,
            layout: RecordLayout(fields, columns: columns, version: stored.version),
            indexes: indexes
        )
    }
}

// The catalog's table: "e" and the entity's name to its description; "n" to the next entity's number;
// "k" and an entity's number to the next generated key; "l" and an index's table to nothing, when the
// index has keys that were shortened.
extension Catalog {
    private func read(_ name: String, _ transaction: OpaquePointer) throws -> StoredEntity? {
        try get("e" + name, transaction) { bytes in
            guard let stored = StoredEntity(coded: bytes) else {
                throw DBClientError(
                    .corrupt,
                    "The store's description of an entity is damaged.",
                    entity: name
                )
            }
            return stored
        }
    }

    /// Throws when the store has an entity whose name differs in case alone.
    private func checkName(of entity: EntitySchema, _ transaction: OpaquePointer) throws {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, table, &cursor))
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
            let name = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
            guard name.first == UInt8(ascii: "e") else { continue }
            let other = String(decoding: name.dropFirst(), as: UTF8.self)
            if EntitySchema.differInCaseAlone(other, entity.name) {
                throw EntitySchema.nameTaken(entity.name, as: other)
            }
        }
    }

    private func write(
        _ stored: StoredEntity,
        name: String,
        _ transaction: OpaquePointer
    ) throws {
        try put("e" + name, stored.coded(), transaction)
    }

    private func nextNumber(_ transaction: OpaquePointer) throws -> Int {
        let number = try integer("n", transaction) ?? 0
        try put("n", integer: number + 1, transaction)
        return Int(number)
    }

    /// Returns the next integer that a generated key of an entity may have.
    func nextKey(of store: EntityStore, _ transaction: OpaquePointer) throws -> Int64 {
        try integer("k\(store.number)", transaction) ?? 1
    }

    /// Keeps the next integer that a generated key of an entity may have.
    func setNextKey(
        _ key: Int64,
        of store: EntityStore,
        _ transaction: OpaquePointer
    ) throws {
        try put("k\(store.number)", integer: key, transaction)
    }

    /// Returns whether an index has keys that were shortened, so that its order is not exact.
    func hasShortenedKeys(_ index: IndexStore, _ transaction: OpaquePointer) throws -> Bool {
        try get("l\(index.name)", transaction) { _ in true } ?? false
    }

    /// Keeps that an index has keys that were shortened.
    func setHasShortenedKeys(_ index: IndexStore, _ transaction: OpaquePointer) throws {
        try put("l\(index.name)", [1], transaction)
    }

    private func integer(_ key: String, _ transaction: OpaquePointer) throws -> Int64? {
        try get(key, transaction) { bytes in
            bytes.count == 8 ? bytes.loadUnaligned(as: Int64.self) : nil
        } ?? nil
    }

    private func put(_ key: String, integer: Int64, _ transaction: OpaquePointer) throws {
        try withUnsafeBytes(of: integer) { try put(key, Array($0), transaction) }
    }

    private func get<Value>(
        _ key: String,
        _ transaction: OpaquePointer,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value? {
        var key = key
        return try key.withUTF8 { bytes in
            var name = MDB_val(UnsafeRawBufferPointer(bytes))
            var value = MDB_val()
            let code = mdb_get(transaction, table, &name, &value)
            if code == MDB_NOTFOUND { return nil }
            try check(code)
            return try body(value.bytes)
        }
    }

    private func put(_ key: String, _ value: [UInt8], _ transaction: OpaquePointer) throws {
        var key = key
        try key.withUTF8 { bytes in
            try value.withUnsafeBytes { value in
                var name = MDB_val(UnsafeRawBufferPointer(bytes))
                var value = MDB_val(value)
                try check(mdb_put(transaction, table, &name, &value, 0))
            }
        }
    }
}

extension StoredEntity.Index {
    /// Whether the index is the one that a schema asks for.
    fileprivate func matches(_ index: IndexSchema, _ columns: [Int]) -> Bool {
        isUnique == index.isUnique && fields.map { columns[$0] } == index.fields
    }
}
