import CLMDB
import DBClientCore

/// The open table of a secondary index: the indexed values to the primary keys that have them.
final class IndexStore: Sendable {
    let schema: IndexSchema
    /// The name of the index's table.
    let name: String
    let table: MDB_dbi
    let columns: [Int]
    private let isFixed: [Bool]
    /// Whether a key can be too long for the engine.
    let canTruncate: Bool

    /// The most bytes that LMDB takes as a key.
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
    /// Whether the field's data marks its own end in a key.
    var hasFixedData: Bool { self == .uuid || self == .decimal }
}
