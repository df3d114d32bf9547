// Rows that are made from others, on an engine that makes none itself.
extension EngineWriter {
    /// Reads the rows of the query, makes the new ones of them, and inserts these.
    public func insert(_ insertion: RowInsertion) throws -> Int {
        try insertByRows(insertion)
    }

    /// Reads the rows of the query before it inserts what becomes of them: for an engine that has a way of its own, but
    /// not for every insertion.
    public func insertByRows(_ insertion: RowInsertion) throws -> Int {
        let rows = try rows(of: insertion)
        rows.fillGeneratedKeys()
        if rows.count > 0 { try insert(rows) }
        return rows.count
    }
}

extension EngineReader {
    /// Returns the new rows of an insertion; a key that the store is to make has its type's zero.
    func rows(of insertion: RowInsertion) throws -> RowBuffer {
        let entity = insertion.entity
        let rows = RowBuffer(entity)
        var places = [Int?](repeating: nil, count: entity.fields.count)
        for (place, column) in insertion.columns.enumerated() { places[column] = place }
        try select(insertion.values, of: insertion.source) { batch in
            for index in 0..<batch.count {
                var row = try rows.beginRow()
                for (column, place) in places.enumerated() {
                    if let place {
                        try row.put(copying: batch[index, place])
                    } else {
                        try row.put(entity.fields[column].type.zero.slot(in: rows))
                    }
                }
                try rows.endRow(row)
            }
            return true
        }
        try rows.checkKeyLengths()
        return rows
    }
}

extension FieldType {
    /// The value that stands for a key which is to be made.
    fileprivate var zero: StorageValue {
        switch slotKind {
        case .text: .text("")
        case .data: .data([UInt8](repeating: 0, count: 16))
        default: .integer(0)
        }
    }
}
