/// A field of the rows that rows lead to, looked up once for each key: what an engine that looks at rows
/// one by one sorts by.
public final class RelatedField {
    private let reader: any EngineReader
    private let hop: RelatedRows
    private let column: Int
    private let next: RelatedField?
    private var keys: KeyTable
    /// The field's value for each key.
    private var values: [Slot] = []
    private let bytes: RowBuffer
    private let key: UnsafeMutablePointer<Slot>

    /// Prepares a key of a sort that is not the row's own; nil for one that is.
    public convenience init?(_ ordering: RowOrdering, in reader: some EngineReader) {
        self.init(ordering.path[...], ordering.column, reader)
    }

    private init?(_ path: ArraySlice<RelatedRows>, _ column: Int, _ reader: any EngineReader) {
        guard let hop = path.first else { return nil }
        self.reader = reader
        self.hop = hop
        self.column = column
        next = RelatedField(path.dropFirst(), column, reader)
        keys = KeyTable(hop.entity)
        bytes = RowBuffer(hop.entity, columns: [])
        key = .allocate(capacity: hop.matching.count)
        key.initialize(repeating: .null, count: hop.matching.count)
    }

    deinit {
        key.deallocate()
    }

    /// Returns the field of the row that a row leads to; it lives as long as this object.
    public func slot(of row: some SlotSource) throws -> Slot {
        for (index, column) in hop.matching.enumerated() {
            key[index] = row.slot(column)
            if key[index].isNull { return .null }
        }
        let position = Int(keys.insert(key))
        if position < values.count { return values[position] }
        var value = Slot.null
        let batch = RowBatch(
            slots: key,
            columnCount: hop.matching.count,
            count: 1,
            entity: hop.entity
        )
        try reader.get(hop.entity, keys: batch) { _, found in
            let row = BatchRow(batch: found, row: 0)
            value = try next?.slot(of: row) ?? bytes.owned(row.slot(column))
        }
        values.append(value)
        return value
    }
}

/// A row of a batch.
struct BatchRow: SlotSource {
    let batch: RowBatch
    let row: Int

    func slot(_ column: Int) -> Slot { batch[row, column] }
}
