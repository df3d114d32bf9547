extension EntitySchema {
    /// The most bytes of text and data that a primary key has in all its fields, a zero byte of data
    /// counted twice: what fits the keys of every engine with room for their own marks.
    ///
    /// LMDB's keys end at 511 bytes, and have a mark after each zero of data.
    static let maximumKeyLength = 400

    /// The most bytes of a primary key with its numbers and with what LMDB's form of it adds.
    static let maximumEncodedKeyLength = 511
}

extension FieldType {
    /// The most bytes of a value in LMDB's form of a key; nil for text and data of any length.
    package var keyWidth: Int? {
        switch self {
        case .uuid: 16
        // A byte each for the sign and the end, two for the exponent, two digits in each other.
        case .decimal: 23
        case _ where slotKind == .integer || slotKind == .real: 8
        default: nil
        }
    }
}

extension RowBuffer {
    /// Refuses primary keys, from those of some row on, that are longer than every engine takes.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue`.
    @inlinable
    func checkKeyLengths(from first: Int = 0) throws {
        if entity.mayHaveLongKey { try checkLengths(from: first) }
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
            var encoded = 0
            for position in positions {
                let slot = batch[row, position]
                guard slot.kind == .text || slot.kind == .data else {
                    encoded += 8
                    continue
                }
                var bytes = Int(slot.length)
                if slot.kind == .text {
                    encoded += 1
                } else if entity.fields[columns[position]].type == .data {
                    bytes += slot.bytes.count { $0 == 0 }
                    encoded += 2
                }
                length += bytes
                encoded += bytes
            }
            if length > EntitySchema.maximumKeyLength
                || encoded > EntitySchema.maximumEncodedKeyLength
            {
                throw DBClientError(
                    .invalidValue,
                    "A primary key must have at most \(EntitySchema.maximumKeyLength) bytes of text and data, and "
                        + "\(EntitySchema.maximumEncodedKeyLength) in all.",
                    entity: entity.name,
                    field: entity.fields[entity.primaryKey[0]].name
                )
            }
        }
    }
}
