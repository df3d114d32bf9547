// Fields of what rows hold, looked up at once for many rows: the same on every engine.
extension EngineReader {
    /// Visits fields of the rows of a query and of those that they lead to, what is computed from them, and what each row
    /// gets from those that are like it, in the query's order.
    ///
    /// `visit` returns false to stop early.
    func select(
        _ fields: [RowGrouping.Key],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        if fields.contains(where: { $0.window != nil }) {
            return try WindowRows(fields, of: query.entity).select(in: self, of: query, visit)
        }
        if fields.contains(where: { $0.expression != nil }) {
            return try ComputedFields(fields, of: query.entity).select(in: self, of: query, visit)
        }
        guard fields.contains(where: { !$0.path.isEmpty }) else {
            return try select(fields.map(\.column), of: query, visit)
        }
        // Kept until what they lead to is looked up, since an engine may be amid a statement while it visits.
        let rows = RowBuffer(query.entity, columns: fields.ownColumns)
        try select(rows.columns, of: query) {
            rows.append(copying: $0)
            return true
        }
        guard rows.count > 0 else { return }
        let sources = try fields.map { try HeldField($0, of: rows, in: self) }
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: rows.count * fields.count)
        defer { slots.deallocate() }
        for row in 0..<rows.count {
            for (index, source) in sources.enumerated() {
                (slots + row * fields.count + index).initialize(to: source.slot(row))
            }
        }
        try withExtendedLifetime((rows, sources)) {
            _ = try visit(
                RowBatch(
                    slots: slots,
                    columnCount: fields.count,
                    count: rows.count,
                    entity: query.entity
                )
            )
        }
    }

    /// Visits the different values of a field of the rows of a query, or of those that they lead to, ascending, nil
    /// first.
    func distinct(
        _ field: RowGrouping.Key,
        of query: RowQuery,
        _ visit: (Slot) throws -> Void
    ) throws {
        if field.path.isEmpty && field.expression == nil {
            return try distinct(column: field.column, of: query, visit)
        }
        try groups(RowGrouping(query, by: [field], terms: [])) { try visit($0[0]) }
    }

    /// Computes a function over what is computed from the fields of the rows of a query; null of none.
    func aggregate(
        _ function: AggregateFunction,
        computing field: RowGrouping.Key,
        of query: RowQuery
    ) throws -> StorageValue {
        var result = StorageValue.null
        try groups(RowGrouping(query, by: [], terms: [.heldFunction(function, field)])) {
            result = StorageValue($0[0])
        }
        return result
    }

    /// Visits groups as `group` does, those of functions over what the rows hold and of what is computed as well.
    func groups(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let isOfRelatedKeysAlone =
            grouping.keys.allSatisfy { $0.expression == nil }
            && grouping.allTerms.allSatisfy { $0.operand?.isOwnField ?? true }
        if try isOfRelatedKeysAlone || canGroup(grouping) { return try group(grouping, visit) }
        let entity = grouping.query.entity
        var fields = grouping.keys
        var columns: [RowGrouping.Term: Int] = [:]
        func flat(_ term: RowGrouping.Term) -> RowGrouping.Term {
            guard let field = term.operand else { return term }
            let column = columns[term] ?? fields.count
            if columns.updateValue(column, forKey: term) == nil { fields.append(field) }
            return term.over(RowGrouping.Key(column))
        }
        let terms = grouping.terms.map(flat)
        let condition = grouping.condition.mapped(flat)
        // The fields as the rows of an entity of their own.
        let row = EntitySchema(holding: fields, of: entity)
        var grouper = RowGrouper(
            RowGrouping(
                RowQuery(row),
                by: grouping.keys.indices.map { RowGrouping.Key($0) },
                terms: terms,
                where: condition
            ),
            over: Array(fields.indices),
            in: self
        )
        try select(fields, of: grouping.query.unorderedUnlessLimited) { batch in
            try grouper.add(batch)
            return true
        }
        try grouper.forEach(visit)
    }
}

/// A field of rows, or of the rows that they lead to.
private struct HeldField {
    /// The rows that have the field.
    private let source: RowBuffer
    /// Where each row's is among them, -1 where there is none; nil where they are the rows themselves.
    private let places: [Int32]?
    private let column: Int

    init(_ field: RowGrouping.Key, of rows: RowBuffer, in reader: some EngineReader) throws {
        var source = rows
        var places: [Int32]?
        for hop in field.path {
            (source, places) = try Self.rows(of: hop, from: source, places, rows.count, in: reader)
        }
        self.source = source
        self.places = places
        column = source.columns.firstIndex(of: field.column) ?? 0
    }

    func slot(_ row: Int) -> Slot {
        let place = places.map { Int($0[row]) } ?? row
        return place < 0 ? .null : source.batch[place, column]
    }

    /// Looks up the rows that others lead to, each once.
    private static func rows(
        of hop: RelatedRows,
        from source: RowBuffer,
        _ places: [Int32]?,
        _ count: Int,
        in reader: some EngineReader
    ) throws -> (RowBuffer, [Int32]) {
        let columns = hop.matching.map { source.columns.firstIndex(of: $0) ?? 0 }
        var keys = KeyTable(hop.entity)
        let key = UnsafeMutablePointer<Slot>.allocate(capacity: columns.count)
        defer { key.deallocate() }
        defer { withExtendedLifetime(source) {} }
        let batch = source.batch
        let keyOfRow = (0..<count).map { row -> Int32 in
            let place = places.map { Int($0[row]) } ?? row
            if place < 0 { return -1 }
            for (index, column) in columns.enumerated() {
                (key + index).initialize(to: batch[place, column])
                if key[index].isNull { return -1 }
            }
            return keys.insert(key)
        }
        let found = RowBuffer(hop.entity)
        var placeOfKey = [Int32](repeating: -1, count: keys.count)
        let primaryKey = KeyColumns(hop.entity.primaryKey)
        if keys.count > 0 {
            try reader.lookUp(keys.keys) { rows in
                for row in 0..<rows.count {
                    let slots = rows.slots + row * rows.columnCount
                    guard let position = keys.position(of: primaryKey.key(of: slots)) else {
                        continue
                    }
                    placeOfKey[Int(position)] = Int32(found.count)
                    found.append(copying: slots)
                }
            }
        }
        return (found, keyOfRow.map { $0 < 0 ? -1 : placeOfKey[Int($0)] })
    }
}

extension [RowGrouping.Key] {
    /// The columns of the rows themselves that fields are in or lead through, each once.
    fileprivate var ownColumns: [Int] {
        var columns: [Int] = []
        for field in self {
            for column in field.path.first?.matching ?? [field.column]
            where !columns.contains(column) { columns.append(column) }
        }
        return columns
    }
}
