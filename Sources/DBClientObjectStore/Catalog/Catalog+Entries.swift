import CLMDB
import DBClientCore

// The catalog's table: "e" and the entity's name to its description; "n" to the next entity's number;
// "k" and an entity's number to the next generated key; "l" and an index's table to nothing, when the
// index has keys that were shortened; "o" and a table that no entity has any more to its flags.
extension Catalog {
    /// What an entry describes, by the first byte of its key.
    enum EntryKind: UInt8 {
        case entity = 0x65
        case nextNumber = 0x6E
        case nextKey = 0x6B
        case shortenedIndex = 0x6C
        case leftOverTable = 0x6F

        /// Nil for an entry that no store has: of another kind, or a value of another size.
        init?(key: UnsafeRawBufferPointer, size: Int) {
            guard let first = key.first, let kind = Self(rawValue: first) else { return nil }
            let isSound =
                switch kind {
                case .entity: size > 4
                case .nextNumber: size == 8 && key.count == 1
                case .nextKey: size == 8
                case .shortenedIndex: size == 1
                case .leftOverTable: size == 4
                }
            if !isSound { return nil }
            self = kind
        }
    }

    /// Returns the flags that a table of a name may have; nil when no store has such a table.
    static func possibleFlags(ofTable name: String) -> [Int32]? {
        func isNumber(_ digits: Substring) -> Bool {
            !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        if [tableName, Journal.tableName, WatcherTable.tableName].contains(name) { return [0] }
        if name == SealedStore.headerTable { return [0] }
        if name == SealedStore.pagesTable { return [SealedStore.pagesFlags] }
        let numbers = name.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.allSatisfy(isNumber) else { return nil }
        switch (name.first, numbers.count) {
        case ("d", 1): return [0, MDB_INTEGERKEY]
        case ("i", 2): return [MDB_DUPSORT, MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP]
        case ("s", 2): return [0]
        default: return nil
        }
    }

    func read(_ name: String, _ transaction: Transaction) throws -> StoredEntity? {
        try get("e" + name, transaction) { bytes in
            guard let stored = StoredEntity(coded: bytes, of: name.utf8) else {
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
    func checkName(of entity: EntitySchema, _ transaction: Transaction) throws {
        for other in try entityNames(transaction)
        where EntitySchema.differInCaseAlone(other, entity.name) {
            throw EntitySchema.nameTaken(entity.name, as: other)
        }
    }

    /// Returns the names of all entities, by their bytes.
    func entityNames(_ transaction: Transaction) throws -> [String] {
        let cursor = try transaction.openCursor(table)
        defer { cursor.close() }
        var names: [String] = []
        var key = MDB_val()
        var value = MDB_val()
        while (try? cursor.move(MDB_NEXT, &key, &value)) == true {
            let name = key.bytes
            guard name.first == UInt8(ascii: "e") else { continue }
            names.append(String(decoding: name.dropFirst(), as: UTF8.self))
        }
        return names
    }

    func write(
        _ stored: StoredEntity,
        name: String,
        _ transaction: Transaction
    ) throws {
        try put("e" + name, stored.coded(), transaction)
    }

    func nextNumber(_ transaction: Transaction) throws -> Int {
        let number = try integer("n", transaction) ?? 0
        // More than any store has, and far from where adding one would end the process.
        guard (0..<1 << 32).contains(number) else {
            throw DBClientError(.corrupt, "The store's number of the next entity is damaged.")
        }
        try put("n", integer: number + 1, transaction)
        return Int(number)
    }

    /// Returns an integer above which every generated key of an entity is.
    func greatestKey(ofEntity number: Int, _ transaction: Transaction) throws -> Int64 {
        (try integer("k\(number)", transaction) ?? 1) &- 1
    }

    /// Keeps an integer above which every generated key of an entity is.
    ///
    /// The one after it is what is stored, and none comes after the last one but, over the edge, the first.
    func setGreatestKey(
        _ key: Int64,
        of store: EntityStore,
        _ transaction: Transaction
    ) throws {
        try put("k\(store.number)", integer: key &+ 1, transaction)
    }

    /// Returns whether an index has keys that were shortened, so that its order is not exact.
    func hasShortenedKeys(_ index: IndexStore, _ transaction: Transaction) throws -> Bool {
        try get("l\(index.name)", transaction) { _ in true } ?? false
    }

    /// Keeps that an index has keys that were shortened.
    func setHasShortenedKeys(_ index: IndexStore, _ transaction: Transaction) throws {
        try put("l\(index.name)", [1], transaction)
    }

    /// Notes that no entity has a table any more, which stays and is empty.
    func setIsLeftOver(_ name: String, flags: UInt32, _ transaction: Transaction) throws {
        try put("o\(name)", withUnsafeBytes(of: flags) { Array($0) }, transaction)
    }

    /// Takes an entity's description out, and what is kept of its keys.
    func removeDescription(of stored: StoredEntity, _ transaction: Transaction) throws {
        try remove("e" + stored.name, transaction)
        try remove("k\(stored.number)", transaction)
        for index in stored.indexes {
            try remove("l" + Self.indexTable(index.number, of: stored.number), transaction)
        }
    }

    private func remove(_ key: String, _ transaction: Transaction) throws {
        var key = key
        try key.withUTF8 { bytes in
            _ = try transaction.delete(table, MDB_val(UnsafeRawBufferPointer(bytes)))
        }
    }

    private func integer(_ key: String, _ transaction: Transaction) throws -> Int64? {
        try get(key, transaction) { bytes in
            bytes.count == 8 ? bytes.loadUnaligned(as: Int64.self) : nil
        } ?? nil
    }

    private func put(_ key: String, integer: Int64, _ transaction: Transaction) throws {
        try withUnsafeBytes(of: integer) { try put(key, Array($0), transaction) }
    }

    private func get<Value>(
        _ key: String,
        _ transaction: Transaction,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value? {
        var key = key
        return try key.withUTF8 { bytes in
            try transaction.get(table, MDB_val(UnsafeRawBufferPointer(bytes))).map {
                try body($0.bytes)
            }
        }
    }

    private func put(_ key: String, _ value: [UInt8], _ transaction: Transaction) throws {
        var key = key
        try key.withUTF8 { bytes in
            try value.withUnsafeBytes { value in
                let name = MDB_val(UnsafeRawBufferPointer(bytes))
                _ = try transaction.put(table, name, MDB_val(value))
            }
        }
    }
}
