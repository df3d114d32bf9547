/// The rows of an entity, page by page in the order of the primary key.
///
/// Each page is a query of its own: however long the other store takes to write one, no statement of this
/// one runs meanwhile, which a server would end in the middle of a large table.
struct RowPages {
    private let source: ReadTransaction
    private let entity: EntitySchema
    private let types: [FieldType]
    /// The primary key of the last row.
    private var place: [StorageValue]?
    private var isAtEnd = false

    /// As many rows as are worth a statement of the other store.
    static let rowLimit = 8_192
    /// The bytes of text and data after which a page ends, so that it fits into memory.
    static let byteLimit = 8 << 20

    init(of entity: EntitySchema, in source: ReadTransaction) {
        self.entity = entity
        self.source = source
        types = entity.fields.map(\.type)
    }

    /// Puts the next page in the place of the rows of a buffer, and returns whether there was one.
    ///
    /// - Throws: `.invalidValue` and `.constraintViolation` for a row that no engine would have taken, such
    ///   as another program may have written.
    mutating func next(into rows: RowBuffer) throws -> Bool {
        rows.removeAll()
        if isAtEnd { return false }
        var query = RowQuery(entity, limit: Self.rowLimit)
        if let place { query.condition = .after(place, in: query.totalOrder, of: entity) }
        var byteCount = 0
        try source.scan(query) { batch in
            for row in 0..<batch.count where byteCount < Self.byteLimit {
                byteCount += try rows.append(batch, row, checking: types)
            }
            return byteCount < Self.byteLimit
        }
        guard rows.count > 0 else { return false }
        isAtEnd = rows.count < Self.rowLimit && byteCount < Self.byteLimit
        try rows.checkKeyLengths()
        place = rows.withBatch { batch in
            entity.primaryKey.map { StorageValue(batch[batch.count - 1, $0]) }
        }
        return true
    }
}

extension RowBuffer {
    /// Appends a copy of a row, checked as if a model had written it, and returns how many bytes of text and
    /// data it has.
    ///
    /// Not that text is JSON or a URL, which would take as long as decoding it.
    fileprivate func append(
        _ batch: RowBatch,
        _ index: Int,
        checking types: [FieldType]
    ) throws -> Int {
        var byteCount = 0
        var row = try beginRow()
        for column in 0..<batch.columnCount {
            let slot = batch[index, column]
            guard types[column].holds(slot) else {
                throw row.invalidValue("The stored value must be \(types[column].name).")
            }
            switch slot.kind {
            case .real: try row.put(real: slot.real)
            case .text, .data:
                byteCount += slot.bytes.count
                try row.put(copying: slot)
            default: try row.put(slot)
            }
        }
        try endRow(row)
        return byteCount
    }
}
