/// A key as consecutive slots, equal by kind and bytes, without owning them.
struct SlotKey: Hashable {
    let slots: UnsafePointer<Slot>
    let count: Int

    static func == (left: SlotKey, right: SlotKey) -> Bool {
        for index in 0..<left.count
        where Slot.compare(left.slots[index], right.slots[index]) != 0 { return false }
        return true
    }

    func hash(into hasher: inout Hasher) {
        for index in 0..<count {
            switch slots[index].kind {
            case .text, .data: hasher.combine(bytes: slots[index].bytes)
            default: hasher.combine(slots[index].bits)
            }
        }
    }

    var isNull: Bool { (0..<count).contains { slots[$0].isNull } }
}

/// Different keys in the order in which they came, and the position of each.
///
/// A key of one integer, the commonest, is found by its number alone.
struct KeyTable {
    /// A row of the key's columns for each key.
    let keys: RowBuffer
    private var positions: [SlotKey: Int32] = [:]
    private var integers: [Int64: Int32] = [:]
    private let width: Int
    /// Whether a key is one integer.
    let isInteger: Bool

    /// Creates an empty table for primary keys of an entity.
    init(_ entity: EntitySchema) {
        keys = RowBuffer(entity, columns: entity.primaryKey)
        width = entity.primaryKey.count
        isInteger = entity.integerKey != nil
    }

    var count: Int { keys.count }

    /// Returns the position of a key, or nil.
    func position(of slots: UnsafePointer<Slot>) -> Int32? {
        isInteger
            ? integers[slots[0].integer] : positions[SlotKey(slots: slots, count: width)]
    }

    /// Returns the position of the key in a row of a buffer of keys, which is added when it is new.
    mutating func insert(_ keys: RowBuffer, row: Int) -> Int32 {
        keys.withBatch { insert($0.slots + row * $0.columnCount) }
    }

    /// Returns the position of a key, which is added when it is new.
    mutating func insert(_ slots: UnsafePointer<Slot>) -> Int32 {
        if let found = position(of: slots) { return found }
        let position = Int32(keys.count)
        let row = keys.append(copying: slots)
        if isInteger {
            integers[slots[0].integer] = position
        } else {
            // The buffer may move its slots as it grows, so the table keeps its own copy of the key.
            positions[SlotKey(slots: copies.keep(row, width), count: width)] = position
        }
        return position
    }

    /// Adds a key and returns whether it is new.
    mutating func note(_ slots: UnsafePointer<Slot>) -> Bool {
        let known = count
        return insert(slots) == known
    }

    private let copies = SlotArena()
}

/// The columns of a key in rows of an entity, brought together where they lie apart.
package struct KeyColumns {
    private let columns: [Int]
    private let isContiguous: Bool
    private let scratch: SlotScratch

    /// Brings columns together, in their order.
    package init(_ columns: [Int]) {
        self.columns = columns
        isContiguous = zip(columns, columns.dropFirst()).allSatisfy { $1 == $0 + 1 }
        scratch = SlotScratch(columns.count)
    }

    /// Returns the key of a row, valid until the next is asked for.
    package func key(of row: UnsafePointer<Slot>) -> UnsafePointer<Slot> {
        if isContiguous { return row + columns[0] }
        for (index, column) in columns.enumerated() { scratch.slots[index] = row[column] }
        return UnsafePointer(scratch.slots)
    }
}

private final class SlotScratch {
    let slots: UnsafeMutablePointer<Slot>

    init(_ count: Int) {
        slots = .allocate(capacity: count)
        slots.initialize(repeating: .null, count: count)
    }

    deinit { slots.deallocate() }
}

/// Slots that stay where they are.
private final class SlotArena {
    private var chunks: [UnsafeMutablePointer<Slot>] = []
    private var used = SlotArena.chunkSize

    private static let chunkSize = 4_096

    func keep(_ slots: UnsafePointer<Slot>, _ count: Int) -> UnsafePointer<Slot> {
        if used + count > Self.chunkSize {
            chunks.append(.allocate(capacity: max(Self.chunkSize, count)))
            used = 0
        }
        let place = chunks[chunks.count - 1] + used
        place.initialize(from: slots, count: count)
        used += count
        return UnsafePointer(place)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }
}
