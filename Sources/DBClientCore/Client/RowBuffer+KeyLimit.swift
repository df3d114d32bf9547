extension EntitySchema {
    /// The most bytes of text and data that a primary key has in all its fields, a zero byte of data
    /// counted twice: what fits the keys of every engine with room for their own marks.
    ///
    /// LMDB's keys end at 511 bytes, and have a mark after each zero of data.
    static let maximumKeyLength = 400
}

extension RowBuffer {
    /// Refuses primary keys, from those of some row on, that are longer than every engine takes.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue`.
    @inlinable
    func checkKeyLengths(from first: Int = 0) throws {
        if entity.hasKeyOfAnyLength { try checkLengths(from: first) }
    }

    @usableFromInline
    func checkLengths(from first: Int) throws {
        // A buffer of keys has the key's columns alone.
        let positions =
            columns.count == entity.fields.count
            ? entity.primaryKey : Array(columns.indices)
        let batch = batch
        for row in first..<count {
            var length = 0
            for position in positions {
                let slot = batch[row, position]
                guard slot.kind == .text || slot.kind == .data else { continue }
                length += Int(slot.length)
                if slot.kind == .data, entity.fields[columns[position]].type == .data {
                    length += slot.bytes.count { $0 == 0 }
                }
            }
            if length > EntitySchema.maximumKeyLength {
                throw DBClientError(
                    .invalidValue,
                    "A primary key has at most \(EntitySchema.maximumKeyLength) bytes.",
                    entity: entity.name,
                    field: entity.fields[entity.primaryKey[0]].name
                )
            }
        }
    }
}
