import Foundation

extension RowBuffer {
    /// Fills in the keys that the store makes: a random UUID for the zero of UUID and String, and a
    /// null slot, for which the engine makes an integer.
    func fillGeneratedKeys() {
        guard entity.keyGeneration == .generated else { return }
        let key = entity.primaryKey[0]
        // A buffer of keys has the key's columns alone.
        let column = columns.count == entity.fields.count ? key : 0
        let batch = batch
        for row in 0..<count {
            let slot = batch[row, column]
            switch entity.fields[key].type {
            case .integer where slot.integer == 0:
                replace(row: row, column: column, with: .null)
            case .uuid where slot.bytes.allSatisfy { $0 == 0 }:
                let uuid = withUnsafeBytes(of: UUID().uuid) { copy($0) }
                replace(row: row, column: column, with: .data(uuid))
            case .text where slot.length == 0:
                var text = UUID().uuidString
                let copied = text.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
                replace(row: row, column: column, with: .text(copied))
            default: break
            }
        }
    }

    /// The greatest integer key that a row was given; nil where the store makes all, or keys are no integers.
    public var greatestKey: Int64? {
        guard let column = entity.integerKey else { return nil }
        let batch = batch
        return (0..<count).lazy.map { batch[$0, column] }.filter { !$0.isNull }.map(\.integer).max()
    }

    /// Drops every row whose key comes again later, and returns which were kept; nil when all were.
    func keepLastOfEachKey() -> [Int]? { keepLastOfEachKey { _, _ in } }

    /// Drops every row whose key comes again later.
    ///
    /// - Parameter again: Called with each such row and the next of its key, before any is dropped.
    /// - Returns: Which rows were kept, by their positions before; nil when all were.
    func keepLastOfEachKey(_ again: (Int, Int) throws -> Void) rethrows -> [Int]? {
        guard count > 1, !isStrictlyAscending else { return nil }
        var last: [RowKey: Int] = [:]
        last.reserveCapacity(count)
        var lone: [Int] = []
        for row in 0..<count {
            // Keys that the engine will make differ from each other.
            if batch[row, entity.primaryKey[0]].isNull {
                lone.append(row)
            } else {
                let key = RowKey(batch: batch, row: row, columns: entity.primaryKey)
                if let earlier = last.updateValue(row, forKey: key) { try again(earlier, row) }
            }
        }
        guard last.count + lone.count < count else { return nil }
        let kept = (Array(last.values) + lone).sorted()
        keep(rows: kept)
        return kept
    }

    /// Returns the rows in parts, one after another, of which none has a key twice.
    func partsWithEachKeyOnce() -> [Range<Int>] {
        guard count > 1, !isStrictlyAscending else { return [0..<count] }
        var parts: [Range<Int>] = []
        var start = 0
        var keys = Set<RowKey>(minimumCapacity: count)
        for row in 0..<count {
            let key = RowKey(batch: batch, row: row, columns: entity.primaryKey)
            if keys.insert(key).inserted { continue }
            parts.append(start..<row)
            start = row
            keys = [key]
        }
        return parts + [start..<count]
    }

    private var isStrictlyAscending: Bool {
        let batch = batch
        if let key = entity.integerKey {
            for row in 1..<count {
                let (last, next) = (batch[row - 1, key], batch[row, key])
                // A key that is still to be made is null, and no greater than any other.
                if next.isNull || next.integer <= last.integer { return false }
            }
            return true
        }
        for row in 1..<count {
            var order = 0
            for column in entity.primaryKey where order == 0 {
                order = Slot.compare(batch[row - 1, column], batch[row, column])
            }
            if order >= 0 { return false }
        }
        return true
    }
}

extension EntitySchema {
    /// Returns how many rows a call has to be able to undo: a single one as well where the key that the store
    /// makes may be none of the model's type, which is found out when the row is there.
    func countToUndo(_ count: Int) -> Int {
        guard count == 1, keyGeneration == .generated, let key = integerKey,
            case .integer(let bits, _) = fields[key].type, bits < 64
        else { return count }
        return 2
    }
}

/// The primary key of a row in a buffer, equal by value and by bytes.
private struct RowKey: Hashable {
    let batch: RowBatch
    let row: Int
    let columns: [Int]

    static func == (left: RowKey, right: RowKey) -> Bool {
        left.columns.allSatisfy {
            Slot.compare(left.batch[left.row, $0], right.batch[right.row, $0]) == 0
        }
    }

    func hash(into hasher: inout Hasher) {
        for column in columns {
            let slot = batch[row, column]
            switch slot.kind {
            case .text, .data: hasher.combine(bytes: slot.bytes)
            default: hasher.combine(slot.bits)
            }
        }
    }
}
