import CLMDB
import DBClientCore

/// The open tables of an entity and what it takes to read and write them.
final class EntityStore: Sendable {
    let entity: EntitySchema
    let number: Int
    /// The table of records by primary key.
    let table: MDB_dbi
    let layout: RecordLayout
    /// Whether the primary key is one integer, which LMDB compares as a number.
    let hasIntegerKey: Bool
    let indexes: [IndexStore]
    let hasUniqueIndex: Bool
    /// The indexes of words that this program reads and keeps.
    let searches: [SearchStore]
    /// Whether the store has an index of words of another version, which no write of this program keeps right.
    let hasOutdatedSearch: Bool
    /// What tells writers that keep the stored views of the entity from others; nil where there are none.
    let viewMark: String?
    /// The indexes of the model that the store does not have yet.
    let missingIndexes: [IndexSchema]
    /// Whether ``missingIndexes`` has any, or the model's index of words is missing; computed once, since every search for the tables asks.
    let lacksIndexes: Bool
    /// The columns that any index is over, which a write compares to leave indexes alone.
    private let indexedColumns: IndexedColumns

    init(
        _ entity: EntitySchema,
        number: Int,
        table: MDB_dbi,
        layout: RecordLayout,
        indexes: [IndexStore],
        missingIndexes: [IndexSchema],
        searches: [SearchStore] = [],
        lacksSearch: Bool = false,
        hasOutdatedSearch: Bool = false,
        viewMark: String? = nil
    ) {
        self.viewMark = viewMark
        self.entity = entity
        self.number = number
        self.table = table
        self.layout = layout
        self.hasIntegerKey = entity.integerKey != nil
        self.indexes = indexes
        self.missingIndexes = missingIndexes
        self.searches = searches
        self.hasOutdatedSearch = hasOutdatedSearch
        lacksIndexes = !missingIndexes.isEmpty || lacksSearch
        self.hasUniqueIndex = indexes.contains { $0.schema.isUnique }
        self.indexedColumns = IndexedColumns(
            Set(indexes.flatMap(\.columns) + searches.flatMap(\.columns)).sorted()
        )
    }

    /// Whether a row and the record that it replaces differ in a column of any index.
    @inline(__always)
    func changesIndexes(_ row: some SlotSource, _ old: Record) -> Bool {
        indexedColumns.differ(row, old)
    }

    /// Whether any of some columns is in an index.
    func indexes(anyOf columns: [Int]) -> Bool { indexedColumns.contain(anyOf: columns) }

    /// Writes the primary key of a row whose columns are the key's own.
    @inline(__always)
    func writeKey(_ slots: UnsafePointer<Slot>, to key: inout KeyWriter) {
        if hasIntegerKey { return key.set(integer: slots[0].bits) }
        key.removeAll()
        for (position, column) in entity.primaryKey.enumerated() {
            key.append(slots[position], isFixed: entity.fields[column].type.hasFixedData)
        }
    }

    /// Writes the primary key of a whole row.
    @inline(__always)
    func writeKey(ofRow row: some SlotSource, to key: inout KeyWriter) {
        if hasIntegerKey { return key.set(integer: row.slot(entity.primaryKey[0]).bits) }
        key.removeAll()
        for column in entity.primaryKey {
            key.append(row.slot(column), isFixed: entity.fields[column].type.hasFixedData)
        }
    }
}

/// Columns in plain memory, which a loop for each row reads without retaining anything.
private final class IndexedColumns: @unchecked Sendable {
    private let columns: UnsafeMutablePointer<Int>
    private let count: Int

    init(_ columns: [Int]) {
        count = columns.count
        self.columns = .allocate(capacity: max(count, 1))
        self.columns.initialize(from: columns, count: count)
    }

    deinit {
        columns.deallocate()
    }

    func contain(anyOf others: [Int]) -> Bool {
        others.contains { other in
            for position in 0..<count where columns[position] == other { return true }
            return false
        }
    }

    @inline(__always)
    func differ(_ left: some SlotSource, _ right: some SlotSource) -> Bool {
        for position in 0..<count {
            let column = columns[position]
            if Slot.compare(left.slot(column), right.slot(column)) != 0 { return true }
        }
        return false
    }
}
