/// The bytes of some fields of a row, which are different for different values.
struct FieldsKey: Hashable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Makes the key of a row's fields at some positions.
    init(_ row: UnsafePointer<Slot>, _ columns: [Int]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 * columns.count)
        for column in columns { OrderKey.append(row[column], to: &bytes) }
        self.bytes = bytes
    }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// Some fields of a row, in memory of its own.
final class JoinedRow {
    /// The fields, as long as the row is there.
    let slots: UnsafeMutablePointer<Slot>
    private let count: Int
    /// How many rows of the other side belong to it.
    var matches = 0
    /// Where it is among the rows of its key.
    fileprivate(set) var place = 0

    /// Copies the fields of a row at some positions: the slots, then the bytes that they borrow.
    init(_ row: UnsafePointer<Slot>, _ columns: [Int]) {
        count = columns.count
        var length = count * MemoryLayout<Slot>.stride
        for column in columns where row[column].borrowsBytes { length += Int(row[column].length) }
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(length, 1),
            alignment: MemoryLayout<Slot>.alignment
        )
        slots = memory.bindMemory(to: Slot.self, capacity: count)
        var end = memory + count * MemoryLayout<Slot>.stride
        for (index, column) in columns.enumerated() {
            var slot = row[column]
            if slot.borrowsBytes {
                let bytes = slot.bytes
                if let start = bytes.baseAddress {
                    end.copyMemory(from: start, byteCount: bytes.count)
                }
                slot = Slot(
                    kind: slot.kind,
                    borrowing: UnsafeRawBufferPointer(start: end, count: bytes.count)
                )
                end += bytes.count
            }
            slots[index] = slot
        }
    }

    deinit {
        UnsafeMutableRawPointer(slots).deallocate()
    }

    /// Puts the fields where they are in a row.
    func copy(to row: UnsafeMutablePointer<Slot>, _ columns: [Int]) {
        for (index, column) in columns.enumerated() { row[column] = slots[index] }
    }
}

extension Slot {
    fileprivate var borrowsBytes: Bool { (kind == .text || kind == .data) && length > 0 }
}

/// The rows of one side of a join, found by the fields that must be equal, and each by its primary key.
///
/// A row takes some 200 bytes beside its fields.
struct JoinIndex {
    private var rows: [FieldsKey: JoinedRow] = [:]
    private var buckets: [FieldsKey: [JoinedRow]] = [:]

    /// Returns the rows with a key.
    func rows(with key: FieldsKey) -> [JoinedRow] { buckets[key] ?? [] }

    /// Adds a row that is not there yet; false if it is.
    mutating func add(_ row: JoinedRow, _ identity: FieldsKey, key: FieldsKey) -> Bool {
        guard rows.updateValue(row, forKey: identity) == nil else { return false }
        row.place = buckets[key]?.count ?? 0
        buckets[key, default: []].append(row)
        return true
    }

    /// Takes a row away, and returns it if it was there.
    mutating func remove(_ identity: FieldsKey, key: FieldsKey) -> JoinedRow? {
        guard let row = rows.removeValue(forKey: identity), let last = buckets[key]?.last else {
            return nil
        }
        if buckets[key]?.count == 1 {
            buckets[key] = nil
            return row
        }
        buckets[key]?[row.place] = last
        buckets[key]?.removeLast()
        last.place = row.place
        return row
    }
}
