/// The modification that a partial update makes to the stored value of a field.
struct FieldModification {
    enum Change {
        /// What a function makes of the value.
        case function((StorageValue) throws -> StorageValue)
        /// What is computed from the fields as they are stored.
        case expression(RowExpression)
    }

    let column: Int
    let change: Change
}

extension [FieldModification] {
    /// The modifications as computations; nil where one of them is a function.
    var computations: [RowComputation]? {
        var computations: [RowComputation] = []
        for modification in self {
            guard case .expression(let expression) = modification.change else { return nil }
            computations.append(RowComputation(column: modification.column, expression))
        }
        return computations
    }
}

extension EngineWriter {
    /// Writes to the rows of a query what is assigned, and what modifications make of their fields.
    ///
    /// The rows are read first: what changes may be what the query asks for, and the functions of the
    /// modifications may use the transaction. They are written in the query's order.
    ///
    /// - Returns: How many rows there were.
    func update(
        _ query: RowQuery,
        setting assigned: RowAssignments?,
        modifying modifications: [FieldModification]
    ) throws -> Int {
        let entity = query.entity
        let modified = Set(modifications.map(\.column)).sorted()
        let computed = ComputedModifications(modifications, of: entity)
        let written = entity.primaryKey + modified
        let others = computed.columns.filter { !written.contains($0) }
        let stored = RowBuffer(entity, columns: written + others)
        try select(stored.columns, of: query) { batch in
            stored.append(copying: batch)
            return true
        }
        // Where a field stands in what was read; nil for one that is assigned, or left as it is.
        var places = [Int?](repeating: nil, count: entity.fields.count)
        for (place, column) in written.enumerated() { places[column] = place }
        let rows = RowBuffer(entity, capacity: stored.count)
        rows.lenders = [stored]
        for row in 0..<stored.count {
            var values = try computed.values(of: stored, row).makeIterator()
            for modification in modifications {
                guard let place = places[modification.column] else { continue }
                let value =
                    switch modification.change {
                    case .function(let change): try change(StorageValue(stored.batch[row, place]))
                    case .expression: values.next() ?? .null
                    }
                let kept = try entity.rounded(value, of: modification.column)
                stored.replace(row: row, column: place, with: kept.slot(in: stored))
            }
            rows.append { column in
                if let place = places[column] { return stored.batch[row, place] }
                return assigned?.values[0, column] ?? .null
            }
        }
        let columns = (modified + (assigned?.columns ?? [])).sorted()
        let chunk = 131_072
        for start in stride(from: 0, to: rows.count, by: chunk) {
            let range = start..<min(start + chunk, rows.count)
            try rows.withBatch { batch in
                try update(batch.rows(range), of: entity, setting: columns) { _ in
                    throw entity.nothingToUpdate()
                }
            }
        }
        return rows.count
    }
}

extension EngineWriter {
    /// Replaces fields of whole rows by what is computed from each as it is.
    func compute(_ computations: [RowComputation], in rows: RowBuffer) throws {
        if computations.isEmpty { return }
        let computed = ComputedModifications(
            computations.map {
                FieldModification(column: $0.column, change: .expression($0.expression))
            },
            of: rows.entity
        )
        for row in 0..<rows.count {
            let values = try computed.values(of: rows, row)
            for (computation, value) in zip(computations, values) {
                let kept = try rows.entity.rounded(value, of: computation.column)
                rows.replace(row: row, column: computation.column, with: kept.slot(in: rows))
            }
        }
    }
}

/// The computed ones among modifications, made ready.
private struct ComputedModifications {
    /// The fields that they look at, ascending.
    let columns: [Int]
    private let programs: [(column: Int, program: ExpressionProgram)]
    private let entity: EntitySchema

    init(_ modifications: [FieldModification], of entity: EntitySchema) {
        var columns = Set<Int>()
        programs = modifications.compactMap { modification in
            guard case .expression(let expression) = modification.change else { return nil }
            expression.insertColumns(into: &columns, of: entity)
            return (modification.column, ExpressionProgram(expression, of: entity))
        }
        self.columns = columns.sorted()
        self.entity = entity
    }

    /// Returns what is computed for a row of a buffer, in the order of the modifications.
    func values(of stored: RowBuffer, _ row: Int) throws -> [StorageValue] {
        if programs.isEmpty { return [] }
        let row = StoredFields(batch: stored.batch, row: row, columns: stored.columns)
        return try programs.map { column, program in
            try entity.naming(column) { StorageValue(try program.value(for: row)) }
        }
    }
}

/// A row of some fields of an entity.
private struct StoredFields: SlotSource {
    let batch: RowBatch
    let row: Int
    let columns: [Int]

    func slot(_ column: Int) -> Slot { batch[row, columns.firstIndex(of: column) ?? 0] }
}
