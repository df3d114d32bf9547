import DBClientCore

/// The rows of one entity by their primary keys, and the row that has each unique value.
struct MemoryTable: Sendable {
    private let entity: EntitySchema
    private(set) var rows: SortedRows
    /// For each unique index of a model that wrote here, the rows that have an entry.
    private var holders: [(index: IndexSchema, rows: SortedRows)] = []
    private var indexes = SortedIndexes()
    /// The model that wrote here last.
    private var writer: EntitySchema?
    /// The largest integer key there ever was, so that a generated one is never used twice.
    private var lastKey: Int64 = 0
    /// What tells writers that keep the stored views of these rows from others; nil where there are none.
    var viewMark: String?

    init(_ entity: EntitySchema) {
        self.entity = entity
        rows = SortedRows(by: entity.primaryKey)
    }

    /// Whether the rows have a model's fields in its order.
    func isLaidOut(for other: EntitySchema) -> Bool {
        other === entity
            || other.fields.count == entity.fields.count && other.primaryKey == entity.primaryKey
                && zip(other.fields, entity.fields).allSatisfy { $0.holds($1) }
    }

    /// Returns the table with its rows in the layout of a model, whose fields may be in another order.
    ///
    /// - Throws: `.schemaMismatch` when a model of this name has other fields than the rows here.
    func laidOut(for other: EntitySchema) throws -> MemoryTable {
        if isLaidOut(for: other) { return self }
        let columns = other.fields.map { field in
            entity.position(of: field.name).flatMap { entity.fields[$0].holds(field) ? $0 : nil }
        }
        for (field, column) in zip(other.fields, columns) where column == nil {
            guard let place = entity.position(of: field.name) else { continue }
            let stored = entity.fields[place]
            throw field.mismatch(
                of: other,
                writtenAs: stored.form,
                isOptional: stored.isOptional
            )
        }
        let places = entity.fields.compactMap { other.position(of: $0.name) }
        guard !columns.contains(nil), entity.fields.count == columns.count,
            entity.primaryKey.map({ places[$0] }) == other.primaryKey
        else {
            throw DBClientError(
                .schemaMismatch,
                "The stored fields differ from the model's.",
                entity: other.name,
                hint: "Give one of the two models a stored name of its own."
            )
        }
        var table = MemoryTable(other)
        table.lastKey = lastKey
        table.viewMark = viewMark
        table.holders = holders.map { index, _ in
            let index = IndexSchema(
                fields: index.fields.map { places[$0] },
                isUnique: index.isUnique
            )
            return (index, SortedRows(by: index.fields))
        }
        for row in rows.all {
            table.add(MemoryRow(copying: columns.compactMap { $0.map(row.slot) }))
        }
        return table
    }

    /// Returns how the rows differ from what a model needs.
    func difference(from other: EntitySchema) -> ShapeDifference {
        var difference = ShapeDifference()
        for (position, field) in other.fields.enumerated() {
            guard let column = entity.position(of: field.name) else {
                difference.missing.append(position)
                continue
            }
            let stored = entity.fields[column]
            difference.written[position] = stored.form
            if stored.type != field.type || !stored.form.fits(field.form)
                || stored.isOptional && !field.isOptional
            {
                difference.unfit.append(position)
            } else if stored.isOptional != field.isOptional {
                difference.relaxed.append(position)
            }
        }
        difference.surplus = entity.fields.map(\.name).filter { other.position(of: $0) == nil }
        difference.required = difference.surplus
        difference.hasOtherKey =
            entity.primaryKey.map { Array(entity.fields[$0].name.utf8) }
            != other.primaryKey.map { Array(other.fields[$0].name.utf8) }
        return difference
    }

    /// The shape of the rows, with the key and the indexes of the model that wrote last.
    var shape: StoredShape {
        let model = writer ?? entity
        return StoredShape(
            name: model.name,
            fields: model.fields,
            primaryKey: model.primaryKey,
            keyGeneration: model.keyGeneration,
            indexes: model.indexes
        )
    }

    /// Returns the table of another model with these rows, whose new fields have some values.
    func reshaped(to other: EntitySchema, adding added: RowAssignments) throws -> MemoryTable {
        var table = MemoryTable(other)
        let columns = other.fields.map { entity.position(of: $0.name) }
        try table.keepIndexes(of: other)
        for row in rows.all {
            try table.insert(
                MemoryRow(
                    copying: columns.indices.map { column in
                        columns[column].map(row.slot) ?? added.values[0, column]
                    }
                )
            )
        }
        table.lastKey = lastKey
        table.viewMark = viewMark
        return table
    }

    /// Returns an empty table of another model, which makes none of the keys that were here.
    func emptied(for other: EntitySchema) -> MemoryTable {
        var table = MemoryTable(other)
        table.lastKey = lastKey
        return table
    }

    /// Returns the rows in the order of a field, those with the same value by their primary key.
    func rows(by column: Int) -> SortedRows { indexes.rows(by: column, of: entity, rows) }

    /// Sees to it, before rows are written, that the unique indexes of a model are kept from now on.
    ///
    /// - Throws: `.uniqueViolation` when two rows have the same value in one of them.
    mutating func keepIndexes(of other: EntitySchema) throws {
        indexes.beginChange()
        if other === writer { return }
        let missing = other.indexes.filter { index in
            index.isUnique && !holders.contains { $0.index == index }
        }
        holders += try missing.map { index in
            var held = SortedRows(by: index.fields)
            for row in rows.all where row.isHolder(in: index) {
                if held.row(inPlaceOf: row) != nil { throw violation(of: index, by: row) }
                held.put(row)
            }
            return (index, held)
        }
        writer = other
    }

    private func violation(of index: IndexSchema, by row: MemoryRow) -> DBClientError {
        DBClientError(
            .uniqueViolation,
            "Another value has the same unique value.",
            entity: entity.name,
            field: index.fields.map { entity.fields[$0].name }.joined(separator: ", "),
            key: entity.describe(key: row.values(at: entity.primaryKey))
        )
    }

    /// Returns an integer that was never a key here and is above another one.
    func nextKey(above given: Int64?) throws -> Int64 {
        let (next, overflow) = max(lastKey, given ?? 0).addingReportingOverflow(1)
        guard !overflow else {
            throw DBClientError(.full, "Every integer key has been used.", entity: entity.name)
        }
        return next
    }

    /// Adds a row whose key must be new.
    mutating func insert(_ row: MemoryRow) throws {
        guard rows.row(inPlaceOf: row) == nil else {
            throw entity.duplicateKey(row.values(at: entity.primaryKey))
        }
        try put(row, replacing: nil)
    }

    /// Puts a row in the place of the one with its key, if there is one, and returns whether there
    /// was.
    @discardableResult
    mutating func upsert(_ row: MemoryRow) throws -> Bool {
        let old = rows.row(inPlaceOf: row)
        try put(row, replacing: old)
        return old != nil
    }

    /// Removes a row that is here.
    mutating func delete(_ row: MemoryRow) {
        rows.remove(row)
        indexes.remove(row)
        for position in holders.indices where row.isHolder(in: holders[position].index) {
            holders[position].rows.remove(row)
        }
    }

    private mutating func put(_ row: MemoryRow, replacing old: MemoryRow?) throws {
        for (index, rows) in holders where row.isHolder(in: index) {
            if let holder = rows.row(inPlaceOf: row), holder !== old {
                throw violation(of: index, by: row)
            }
        }
        if let old {
            for position in holders.indices where old.isHolder(in: holders[position].index) {
                holders[position].rows.remove(old)
            }
        }
        indexes.put(row, replacing: old)
        add(row)
        if let column = entity.integerKey { lastKey = max(lastKey, row.slot(column).integer) }
    }
}

extension MemoryTable {
    /// Adds a row, which is known to fit.
    private mutating func add(_ row: MemoryRow) {
        for position in holders.indices where row.isHolder(in: holders[position].index) {
            holders[position].rows.put(row)
        }
        rows.put(row)
    }
}

extension MemoryRow {
    /// Whether the row has an entry in a unique index; nil may occur often.
    fileprivate func isHolder(in index: IndexSchema) -> Bool {
        !index.fields.contains { slot($0).isNull }
    }
}
