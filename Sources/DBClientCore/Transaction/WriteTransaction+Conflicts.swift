// Writing stored shapes that may have the unique values of stored ones.
extension WriteTransaction {
    /// Inserts the values that conflict with none, and returns these as they are stored.
    func insertAbsentStored<Model: Stored>(_ values: [Model]) throws -> [Model] {
        let writer = try writer()
        let entity = Model.schema.entity
        try validate(entity, writer)
        guard entity.isFlat else { return try insertAbsentGraph(values) }
        let rows = writer.buffers.rows(of: entity)
        try Model.encode(values, in: values.indices, to: rows)
        rows.fillGeneratedKeys()
        try rows.checkKeyLengths()
        var stored: [Model]?
        var written: [Model] = []
        try atomically(entity.countToUndo(rows.count)) {
            var new: [Int] = []
            try writer.insertAbsent(rows) { if $1 { new.append($0) } }
            written = new.count == values.count ? values : new.map { values[$0] }
            rows.keep(rows: new)
            try keepStored(&stored, rows, of: written, written.indices)
        }
        return stored ?? written
    }

    /// Replaces the values that are found by some fields and inserts the others.
    func upsertStored<Model: Stored>(
        _ values: [Model],
        by fields: UniqueFields
    ) throws -> UpsertOutcome<Model> {
        let writer = try writer()
        let entity = Model.schema.entity
        try validate(entity, writer)
        let columns = try fields.columns(of: entity)
        if columns == entity.primaryKey { return try upsertStored(values) }
        guard entity.isFlat else { return try upsertGraph(values, by: columns) }
        defer { openContext?.noteWrite(to: entity) }
        let rows = writer.buffers.rows(of: entity)
        try Model.encode(values, in: values.indices, to: rows)
        rows.fillGeneratedKeys()
        try rows.checkKeyLengths()
        let written = rows.keepLast(of: columns).map { $0.map { values[$0] } } ?? values
        var isInserted = [Bool](repeating: false, count: rows.count)
        var stored: [Model]?
        try atomically(entity.countToUndo(rows.count)) {
            try writer.upsert(rows, by: columns) { isInserted[$0] = $1 }
            try keepStored(&stored, rows, of: written, written.indices)
        }
        return outcome(of: stored ?? written, isInserted)
    }

    /// Inserts new rows that are made from those of a query, and returns how many there were.
    func insertStored(_ insertion: RowInsertion) throws -> Int {
        let writer = try writer()
        try validate(insertion.entity, writer)
        let reader = try reader(of: insertion.source)
        if try reader === self.reader() { return try atomically { try writer.insert(insertion) } }
        // The engine puts no rows together itself.
        let rows = try reader.rows(of: insertion)
        rows.fillGeneratedKeys()
        return try atomically {
            if rows.count > 0 { try writer.insert(rows) }
            return rows.count
        }
    }
}
