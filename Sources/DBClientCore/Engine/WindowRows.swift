/// Fields of rows, and the values of window functions beside them, which the library computes.
struct WindowRows {
    enum Source {
        /// A field that is selected, by its place.
        case selected(Int)
        /// A window function, by its position in `windows`.
        case window(Int)
    }

    /// The fields that are selected, each once.
    private(set) var selected: [RowGrouping.Key] = []
    private(set) var windows: [PlacedWindow] = []
    /// Where each field of a row comes from.
    private(set) var sources: [Source] = []
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

extension PlacedWindow {
    /// Returns what each row gets; text and data are the rows' own or `bytes` keeps them.
    func values(of batch: RowBatch, _ bytes: RowBuffer, _ entity: EntitySchema) throws -> [Slot] {
        var values = [Slot](repeating: .null, count: batch.count)
        let comparator = RowComparator(orderings.map(\.ordering))
        /// Returns the order of two rows in the sort of the window.
        func compare(_ left: Int, _ right: Int) -> Int {
            for (index, (_, place)) in orderings.enumerated() {
                let order = comparator.compare(batch[left, place], batch[right, place], by: index)
                if order != 0 { return order }
            }
            return 0
        }
        for part in parts(of: batch, entity) {
            let sorted =
                orderings.isEmpty
                ? part
                : part.sorted {
                    let order = compare($0, $1)
                    return order == 0 ? $0 < $1 : order < 0
                }
            try compute(sorted.count, of: entity, bytes) { position in
                operand.map { batch[sorted[position], $0.place] } ?? .null
            } areEqual: {
                compare(sorted[$0], sorted[$1]) == 0
            } put: {
                values[sorted[$0]] = $1
            }
        }
        return values
    }

    /// Returns the rows that belong together, each part in the order of the rows.
    private func parts(of batch: RowBatch, _ entity: EntitySchema) -> [[Int]] {
        if partition.isEmpty { return [Array(0..<batch.count)] }
        let table = GroupTable(entity, partition)
        var parts: [[Int]] = []
        for row in 0..<batch.count {
            let part = table.find(batch.slots + row * batch.columnCount)
            if part == parts.count { parts.append([]) }
            parts[part].append(row)
        }
        return parts
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
