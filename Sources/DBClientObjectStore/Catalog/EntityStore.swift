import CLMDB
import DBClientCore

/// The open tables of an entity and what it takes to read and write them.
final class EntityStore: Sendable {
    let entity: EntitySchema
    let number: Int
    /// Records by primary key.
    let table: MDB_dbi
    let layout: RecordLayout
    /// Whether the primary key is one integer, which LMDB compares as a number.
    let hasIntegerKey: Bool
    let indexes: [IndexStore]
    let hasUniqueIndex: Bool
    /// Whether the model has indexes that the store does not have yet.
    let lacksIndexes: Bool
    /// The columns of all indexes.
    private let indexedColumns: IndexedColumns

    init(
        _ entity: EntitySchema,
        number: Int,
        table: MDB_dbi,
        layout: RecordLayout,
        indexes: [IndexStore],
        lacksIndexes: Bool
    ) {
        self.entity = entity
        self.number = number
        self.table = table
        self.layout = layout
        self.hasIntegerKey = entity.integerKey != nil
        self.indexes = indexes
        self.lacksIndexes = lacksIndexes
        self.hasUniqueIndex = indexes.contains { $0.schema.isUnique }
        self.indexedColumns = IndexedColumns(Set(indexes.flatMap(\.columns)).sorted())
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

/// The open table of a secondary index: the indexed values to the primary keys that have them.
final class IndexStore: Sendable {
    let schema: IndexSchema
    /// The table's name.
    let name: String
    let table: MDB_dbi
    let columns: [Int]
    private let isFixed: [Bool]
    /// Whether a key can be too long for the engine.
    let canTruncate: Bool

    /// LMDB's limit on a key.
    static let keyLimit = 511
    /// A longer key keeps this much and the hash of the whole.
    static let keptPrefix = keyLimit - 8

    init(_ schema: IndexSchema, of entity: EntitySchema, name: String, table: MDB_dbi) {
        self.schema = schema
        self.name = name
        self.table = table
        columns = schema.fields
        isFixed = schema.fields.map { entity.fields[$0].type.hasFixedData }
        let widths = schema.fields.map { entity.fields[$0].type.keyWidth }
        // A byte before each value says whether it is there.
        canTruncate =
            widths.contains(nil)
            || widths.reduce(0) { $0 + 1 + ($1 ?? 0) } > Self.keyLimit
    }

    /// Writes a row's key and returns whether any value in it is absent.
    @inline(__always)
    func writeKey(ofRow row: some SlotSource, to key: inout KeyWriter) -> Bool {
        key.removeAll()
        var hasNil = false
        for position in columns.indices {
            let slot = row.slot(columns[position])
            if slot.isNull { hasNil = true }
            key.append(indexed: slot, isFixed: isFixed[position])
        }
        if key.count > Self.keyLimit { Self.shorten(&key) }
        return hasNil
    }

    /// Appends the value of one of the index's columns to a bound.
    func append(_ slot: Slot, at position: Int, to key: inout KeyWriter) {
        key.append(indexed: slot, isFixed: isFixed[position])
    }

    /// Makes a long key one that the engine takes: its beginning and a hash of the whole.
    @inline(never)
    static func shorten(_ key: inout KeyWriter) {
        // FNV-1a, in 64 bits: it only has to spread, the row decides.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key.bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        key.truncate(to: keptPrefix)
        key.append(word: hash)
    }
}

extension FieldType {
    /// Whether the field's data tells its own end in a key.
    var hasFixedData: Bool { self == .uuid || self == .decimal }
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

/// A whole row of slots, as a batch has them.
struct SlotRow: SlotSource {
    let slots: UnsafePointer<Slot>

    @inline(__always)
    func slot(_ column: Int) -> Slot { slots[column] }
}
