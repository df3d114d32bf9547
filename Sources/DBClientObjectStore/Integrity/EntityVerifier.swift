import DBClientCore

/// Checks the tables of one entity: that every record is sound and stored under its own key, and that each
/// index has the entries of the records and no others.
struct EntityVerifier {
    private let store: EntityStore
    private let outdatedTables: [String]

    /// Creates a verifier for an entity that no model has to be known of.
    init(_ stored: StoredEntity) throws {
        let fields = try stored.fields.map { field in
            guard let type = FieldType(named: field.type) else {
                throw PageFile.damaged("The description of an entity is damaged.")
            }
            return FieldSchema(name: field.name, type: type, isOptional: field.isOptional)
        }
        let schemas = stored.indexes.map { IndexSchema(fields: $0.fields, isUnique: $0.isUnique) }
        let entity = EntitySchema(
            name: stored.name,
            fields: fields,
            primaryKey: stored.primaryKey,
            keyGeneration: .given,
            indexes: schemas,
            failure: nil
        )
        store = EntityStore(
            entity,
            number: stored.number,
            table: 0,
            layout: RecordLayout(
                fields,
                columns: Array(fields.indices),
                version: stored.version
            ),
            indexes: zip(stored.indexes, schemas).map { index, schema in
                let name = Catalog.indexTable(index.number, of: stored.number)
                return IndexStore(schema, of: entity, name: name, table: 0)
            },
            missingIndexes: [],
            searches: stored.currentSearches.map { search in
                SearchStore(
                    name: Catalog.searchTable(search.number, of: stored.number),
                    table: 0,
                    columns: search.fields
                )
            }
        )
        // Of other words this program knows no more than where they are.
        outdatedTables = stored.outdatedSearches.map {
            Catalog.searchTable($0.number, of: stored.number)
        }
    }

    func verify(_ verifier: inout some TableContents & ~Copyable) throws {
        var own = KeyWriter()
        defer { own.deallocate() }
        var key = KeyWriter()
        defer { key.deallocate() }
        var expected = [EntrySum](repeating: EntrySum(), count: store.indexes.count)
        var words = [SearchIndexSum](repeating: SearchIndexSum(), count: store.searches.count)
        let changes = store.searches.map { SearchChanges(fieldCount: $0.columns.count) }
        var count = 0
        try verifier.walk(
            Catalog.recordTable(store.number),
            flags: Catalog.recordFlags(store.entity)
        ) { stored, value in
            let record: Record
            do {
                record = try Record(value, store.layout)
                try record.verify()
                try record.verifyFixedPart()
            } catch {
                throw store.entity.naming(error)
            }
            store.writeKey(ofRow: record, to: &own)
            guard own.bytes.elementsEqual(stored) else {
                throw PageFile.damaged("A record stands under another record's key.")
            }
            for (position, index) in store.indexes.enumerated() {
                _ = index.writeKey(ofRow: record, to: &key)
                expected[position].add(key.bytes, own.bytes)
            }
            for (position, search) in store.searches.enumerated() {
                words[position].add(own.bytes, search.texts(of: record), by: changes[position])
            }
            count += 1
        }
        for (index, expected) in zip(store.indexes, expected) {
            var found = EntrySum()
            let flags = Catalog.indexFlags(store.entity)
            try verifier.walk(index.name, flags: flags) { found.add($0, $1) }
            guard found == expected else {
                throw PageFile.damaged("An index has other entries than the records.")
            }
        }
        for (search, expected) in zip(store.searches, words) {
            var found = SearchIndexEntries(
                fieldCount: search.columns.count,
                hasNumbers: !store.hasIntegerKey
            )
            try verifier.walk(search.name, flags: 0) { try found.take($0, $1) }
            try found.check(rowCount: count)
            guard found.sum == expected else {
                throw PageFile.damaged("An index of words has other words than the records.")
            }
        }
        for table in outdatedTables { try verifier.walk(table, flags: 0) { _, _ in } }
    }
}

/// What a number of index entries come to, in any order.
private struct EntrySum: Equatable {
    private var count = 0
    private var sum = 0

    mutating func add(_ key: UnsafeRawBufferPointer, _ primaryKey: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(key.count)
        hasher.combine(bytes: key)
        hasher.combine(bytes: primaryKey)
        count += 1
        sum &+= hasher.finalize()
    }
}

extension FieldType {
    private static let all: [FieldType] =
        [.boolean, .double, .float, .text, .data, .date, .uuid, .decimal, .url, .json]
        + [8, 16, 32, 64].flatMap { bits in
            [true, false].map { .integer(bits: bits, signed: $0) }
        }

    /// Returns the type with a name.
    fileprivate init?(named name: String) {
        guard let type = Self.all.first(where: { $0.name == name }) else { return nil }
        self = type
    }
}
