/// Fields of rows, and the values of window functions beside them, which the library computes.
struct WindowRows {
    private enum Source {
        /// A field that is selected, by its place.
        case selected(Int)
        /// A window function, by its position in `windows`.
        case window(Int)
    }

    /// The fields that are selected, each once.
    private var selected: [RowGrouping.Key] = []
    private var windows: [PlacedWindow] = []
    private var sources: [Source] = []
    private let entity: EntitySchema

    init(_ fields: [RowGrouping.Key], of entity: EntitySchema) {
        self.entity = entity
        for field in fields {
            guard let window = field.window else {
                sources.append(.selected(place(of: field)))
                continue
            }
            sources.append(.window(windows.count))
            windows.append(
                PlacedWindow(
                    function: window.function,
                    operand: window.operand.first.map {
                        (field: $0.field(of: entity), place: place(of: $0))
                    },
                    partition: window.partition.map { place(of: $0) },
                    orderings: window.orderings.map {
                        (ordering: $0.rowOrdering, place: place(of: $0.key))
                    }
                )
            )
        }
    }

    private mutating func place(of field: RowGrouping.Key) -> Int {
        if let place = selected.firstIndex(of: field) { return place }
        selected.append(field)
        return selected.count - 1
    }

    /// Visits the fields and the values of the window functions for the rows of a query, in the query's order.
    ///
    /// The functions are computed over all rows that fulfil the condition, before the limit and the offset take some.
    func select(
        in reader: some EngineReader,
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        if query.limit == 0 { return }
        var whole = query
        whole.limit = nil
        whole.offset = 0
        // What is of no field still needs the rows.
        let fields = selected.isEmpty ? [RowGrouping.Key(entity.primaryKey[0])] : selected
        let rows = RowBuffer(EntitySchema(holding: fields, of: entity))
        try reader.select(fields, of: whole) { batch in
            rows.append(copying: batch)
            return true
        }
        let end = query.limit.map { min(rows.count, query.offset.addingLimit($0)) } ?? rows.count
        guard query.offset < end else { return }
        let bytes = RowBuffer(.constant, columns: [])
        let columns = try windows.map { try $0.values(of: rows.batch, bytes, entity) }
        var slots: [Slot] = []
        slots.reserveCapacity((end - query.offset) * sources.count)
        for row in query.offset..<end {
            for source in sources {
                switch source {
                case .selected(let place): slots.append(rows.batch[row, place])
                case .window(let position): slots.append(columns[position][row])
                }
            }
        }
        try withExtendedLifetime((rows, bytes)) {
            try slots.withUnsafeBufferPointer { slots in
                guard let start = slots.baseAddress else { return }
                _ = try visit(
                    RowBatch(
                        slots: start,
                        columnCount: sources.count,
                        count: end - query.offset,
                        entity: entity
                    )
                )
            }
        }
    }
}

extension Int {
    /// Returns the position that a limit from this offset ends at; the greatest integer where the sum overflows.
    fileprivate func addingLimit(_ limit: Int) -> Int {
        let (sum, hasOverflown) = addingReportingOverflow(limit)
        return hasOverflown ? .max : sum
    }
}

extension EntitySchema {
    /// Creates the entity of rows that hold fields of others, or what is computed from them, of which no engine knows.
    convenience init(holding fields: [RowGrouping.Key], of entity: EntitySchema) {
        self.init(holding: fields.map { $0.field(of: entity) }, of: entity)
    }

    /// Creates the entity of rows that hold such fields, of which no engine knows.
    convenience init(holding fields: [FieldSchema], of entity: EntitySchema) {
        self.init(
            name: entity.name,
            fields: fields,
            primaryKey: [],
            keyGeneration: .given,
            indexes: [],
            failure: nil
        )
    }
}
