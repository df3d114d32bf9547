/// Fields of rows, and what is computed from fields, which no engine is asked for: it gives what they are computed from.
struct ComputedFields {
    private enum Source {
        /// A field that is selected, by its place.
        case selected(Int)
        case computed(ExpressionProgram, FieldPlaces)
    }

    /// The fields that are selected, each once.
    private var selected: [RowGrouping.Key] = []
    private var sources: [Source] = []

    init(_ fields: [RowGrouping.Key], of entity: EntitySchema) {
        for field in fields {
            guard let expression = field.expression else {
                sources.append(.selected(place(of: field)))
                continue
            }
            let owner = field.owner(entity)
            var columns = Set<Int>()
            expression.insertColumns(into: &columns, of: owner)
            var places = FieldPlaces(count: owner.fields.count)
            for column in columns.sorted() {
                places[column] = place(of: RowGrouping.Key(column, through: field.path))
            }
            sources.append(.computed(ExpressionProgram(expression, of: owner), places))
        }
    }

    private mutating func place(of field: RowGrouping.Key) -> Int {
        if let place = selected.firstIndex(of: field) { return place }
        selected.append(field)
        return selected.count - 1
    }

    /// Visits the fields and what is computed for the rows of a query, in the query's order.
    func select(
        in reader: some EngineReader,
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        let bytes = RowBuffer(query.entity, columns: [])
        var slots: [Slot] = []
        // What is computed of constants alone still needs the rows.
        let fields = selected.isEmpty ? [RowGrouping.Key(query.entity.primaryKey[0])] : selected
        try reader.select(fields, of: query) { batch in
            bytes.removeAll()
            slots.removeAll(keepingCapacity: true)
            slots.reserveCapacity(batch.count * sources.count)
            for row in 0..<batch.count {
                for source in sources {
                    switch source {
                    case .selected(let place): slots.append(batch[row, place])
                    case .computed(let program, let places):
                        let row = PlacedRow(batch: batch, row: row, places: places)
                        slots.append(bytes.owned(try program.value(for: row)))
                    }
                }
            }
            return try slots.withUnsafeBufferPointer { slots in
                guard let start = slots.baseAddress else { return true }
                return try visit(
                    RowBatch(
                        slots: start,
                        columnCount: sources.count,
                        count: batch.count,
                        entity: query.entity
                    )
                )
            }
        }
    }
}

/// Where the fields of an entity are among those that were selected.
private struct FieldPlaces {
    private var places: [Int]

    init(count: Int) {
        places = [Int](repeating: 0, count: count)
    }

    subscript(column: Int) -> Int {
        get { places[column] }
        set { places[column] = newValue }
    }
}

/// A row of selected fields, by the columns of its entity.
private struct PlacedRow: SlotSource {
    let batch: RowBatch
    let row: Int
    let places: FieldPlaces

    func slot(_ column: Int) -> Slot { batch[row, places[column]] }
}
