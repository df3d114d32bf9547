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
                    window: window,
                    operand: window.operand.first.map { place(of: $0) },
                    partition: window.partition.map { place(of: $0) },
                    orderings: window.orderings.map { place(of: $0.key) }
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
        let columns = try windows.map { try $0.values(of: rows, bytes, entity) }
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

/// A window function, with the places of its fields in the rows.
private struct PlacedWindow {
    let window: RowWindow
    let operand: Int?
    let partition: [Int]
    let orderings: [Int]

    /// Returns what each row gets; text and data are the rows' own or `bytes` keeps them.
    func values(of rows: RowBuffer, _ bytes: RowBuffer, _ entity: EntitySchema) throws -> [Slot] {
        var values = [Slot](repeating: .null, count: rows.count)
        let batch = rows.batch
        let comparator = RowComparator(
            window.orderings.map {
                RowOrdering(
                    column: -1,
                    isDescending: $0.isDescending,
                    nilsFirst: $0.nilsFirst,
                    text: $0.text
                )
            }
        )
        /// Returns the order of two rows in the sort of the window.
        func compare(_ left: Int, _ right: Int) -> Int {
            for (index, place) in orderings.enumerated() {
                let order = comparator.compare(batch[left, place], batch[right, place], by: index)
                if order != 0 { return order }
            }
            return 0
        }
        for part in parts(of: rows, entity) {
            let sorted =
                orderings.isEmpty
                ? part
                : part.sorted {
                    let order = compare($0, $1)
                    return order == 0 ? $0 < $1 : order < 0
                }
            try fill(&values, sorted, batch, bytes, entity) { compare($0, $1) == 0 }
        }
        return values
    }

    /// Returns the rows that belong together, each part in the order of the rows.
    private func parts(of rows: RowBuffer, _ entity: EntitySchema) -> [[Int]] {
        if partition.isEmpty { return [Array(0..<rows.count)] }
        let batch = rows.batch
        let table = GroupTable(entity, partition)
        var parts: [[Int]] = []
        for row in 0..<rows.count {
            let part = table.find(batch.slots + row * batch.columnCount)
            if part == parts.count { parts.append([]) }
            parts[part].append(row)
        }
        return parts
    }

    private func fill(
        _ values: inout [Slot],
        _ rows: [Int],
        _ batch: RowBatch,
        _ bytes: RowBuffer,
        _ entity: EntitySchema,
        areEqual: (Int, Int) -> Bool
    ) throws {
        func operand(_ position: Int) -> Slot {
            guard let place = self.operand, rows.indices.contains(position) else { return .null }
            return batch[rows[position], place]
        }
        switch window.function {
        case .rowNumber:
            for (position, row) in rows.enumerated() { values[row] = .integer(Int64(position + 1)) }
        case .rank, .denseRank:
            var rank = 0
            for (position, row) in rows.enumerated() {
                if position == 0 || !areEqual(rows[position - 1], row) {
                    rank = window.function == .rank ? position + 1 : rank + 1
                }
                values[row] = .integer(Int64(rank))
            }
        case .before(let distance):
            for (position, row) in rows.enumerated() {
                let (place, hasOverflown) = position.subtractingReportingOverflow(distance)
                values[row] = hasOverflown ? .null : operand(place)
            }
        case .end(let isFirst):
            for row in rows { values[row] = operand(isFirst ? 0 : rows.count - 1) }
        case .count:
            for (position, row) in rows.enumerated() {
                let count = window.orderings.isEmpty ? rows.count : position + 1
                values[row] = .integer(Int64(count))
            }
        case .aggregate(let function):
            let holding = EntitySchema(holding: window.operand, of: entity)
            var total = FieldAggregate(function)
            if window.orderings.isEmpty {
                for position in rows.indices { total.add(operand(position)) }
                let value = try value(of: total, holding, entity).slot(in: bytes)
                for row in rows { values[row] = value }
            } else {
                for (position, row) in rows.enumerated() {
                    total.add(operand(position))
                    values[row] = try value(of: total, holding, entity).slot(in: bytes)
                }
            }
        case .share:
            var total = FieldAggregate(.sum)
            for position in rows.indices { total.add(operand(position)) }
            for (position, row) in rows.enumerated() {
                var own = FieldAggregate(.sum)
                own.add(operand(position))
                values[row] = own.divided(by: total).map { .real($0) } ?? .null
            }
        }
    }

    /// Returns what a function comes to: a sum of none is zero, one of floats a float, and one that leaves the range of its
    /// field an error.
    private func value(
        of total: FieldAggregate,
        _ holding: EntitySchema,
        _ entity: EntitySchema
    ) throws -> StorageValue {
        let field = holding.fields[0]
        let value = try total.result(holding, 0)
        guard window.function == .aggregate(.sum) else { return value }
        switch value {
        case .null: return .zero(of: field.type)
        case .integer(let sum):
            if let bounds = field.type.bounds, !bounds.contains(sum) { break }
            return value
        case .real(let sum) where field.type == .float:
            if Float(sum).isInfinite && sum.isFinite { break }
            return .real(Double(Float(sum)))
        default: return value
        }
        throw DBClientError.sumOutOfRange(entity, field)
    }
}

extension EntitySchema {
    /// Creates the entity of rows that hold fields of others, or what is computed from them, of which no engine knows.
    convenience init(holding fields: [RowGrouping.Key], of entity: EntitySchema) {
        self.init(
            name: entity.name,
            fields: fields.map { $0.field(of: entity) },
            primaryKey: [],
            keyGeneration: .given,
            indexes: [],
            failure: nil
        )
    }
}
