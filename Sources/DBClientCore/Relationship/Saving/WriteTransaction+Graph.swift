// Writing values that hold others. What flat values need of each verb stands beside the verb.
extension WriteTransaction {
    func insertGraph<Model: Stored>(_ values: [Model]) throws -> [Model] {
        guard !values.isEmpty else { return [] }
        let entity = Model.schema.entity
        return try writeGraph(of: entity) { graph in
            let saved = try graph.rows(of: values, makesKeys: true)
            try graph.writer.insert(saved.rows)
            if saved.rows.isNormalized { graph.call.differs = true }
            try graph.writeLinks(
                of: saved,
                isNew: [Bool](repeating: true, count: values.count)
            )
            graph.call.note(saved, of: entity)
            try graph.checkReferences()
            try graph.checkCircles(through: saved.rows)
            return graph.call.differs ? try stored(Model.self, saved.rows) : values
        }
    }

    /// Inserts the values that conflict with none; of the others nothing is saved.
    func insertAbsentGraph<Model: Stored>(_ values: [Model]) throws -> [Model] {
        guard !values.isEmpty else { return [] }
        let writer = try writer()
        try registry.register(Model.schema.entity, with: writer)
        let absent = try writer.absentRows(of: try rows(of: values))
        return try insertGraph(absent.map { values[$0] })
    }

    /// Replaces the values that are found by some columns, with the keys that those have, and inserts the others.
    func upsertGraph<Model: Stored>(
        _ values: [Model],
        by columns: [Int]
    ) throws -> UpsertOutcome<Model> {
        let kept = try rows(of: values).keepLast(of: columns)
        return try upsertGraph(kept.map { $0.map { values[$0] } } ?? values, byColumns: columns)
    }

    func upsertGraph<Model: Stored>(_ values: [Model]) throws -> UpsertOutcome<Model> {
        try upsertGraph(values, byColumns: nil)
    }

    /// Returns the rows of values before what they hold is saved; keys that are to be made are absent.
    private func rows<Model: Stored>(of values: [Model]) throws -> RowBuffer {
        let encoded = try EncodedModels(values)
        let rows = RowBuffer(Model.schema.entity, capacity: values.count)
        for index in values.indices {
            let row = encoded.values(of: index)
            rows.append { row[$0].slot(in: rows) }
        }
        return rows
    }

    /// - Parameters:
    ///   - values: The values.
    ///   - columns: By what stored ones are found, of which no two values have the same; nil for the primary key.
    /// - Returns: Which were inserted and which updated.
    /// - Throws: What a write throws.
    private func upsertGraph<Model: Stored>(
        _ values: [Model],
        byColumns columns: [Int]?
    ) throws -> UpsertOutcome<Model> {
        guard !values.isEmpty else { return UpsertOutcome(inserted: [], updated: []) }
        let entity = Model.schema.entity
        return try writeGraph(of: entity) { graph in
            let saved = try graph.rows(of: values, makesKeys: true, keepsLast: columns == nil)
            var isNew = [Bool](repeating: false, count: saved.rows.count)
            if let columns {
                try graph.writer.upsert(saved.rows, by: columns) { isNew[$0] = $1 }
            } else {
                try graph.writer.upsert(saved.rows) { isNew[$0] = $1 }
            }
            if saved.rows.isNormalized { graph.call.differs = true }
            if isNew.contains(false) { graph.call.hasMetAgain = true }
            try graph.writeLinks(of: saved, isNew: isNew)
            graph.call.note(saved, of: entity)
            try graph.checkReferences()
            try graph.checkCircles(through: saved.rows)
            let models =
                graph.call.differs
                ? try stored(Model.self, saved.rows)
                : saved.kept.map { $0.map { values[$0] } } ?? values
            return UpsertOutcome(
                inserted: models.indices.filter { isNew[$0] }.map { models[$0] },
                updated: models.indices.filter { !isNew[$0] }.map { models[$0] }
            )
        }
    }

    func updateExistingGraph<Model: Stored>(_ values: [Model]) throws -> [Model] {
        try Model.schema.entity.validate()
        var missing = Set<Int>()
        let differs = try updateGraph(values) { missing.insert($0) }
        let found =
            missing.isEmpty
            ? values : values.indices.filter { !missing.contains($0) }.map { values[$0] }
        return differs ? try findStored(Model.self, keys: found.map(\.primaryKey)) : found
    }

    /// Returns whether something is stored otherwise than it was given.
    func updateGraph<Model: Stored>(
        _ values: [Model],
        missing: (Int) throws -> Void
    ) throws -> Bool {
        guard !values.isEmpty else { return false }
        let entity = Model.schema.entity
        return try writeGraph(of: entity) { graph in
            // What is missing holds nothing that is to be saved.
            var found: [Model] = []
            for (index, isThere) in try exist(values, graph.writer).enumerated() {
                if isThere { found.append(values[index]) } else { try missing(index) }
            }
            if found.isEmpty { return false }
            let saved = try graph.rows(of: found, makesKeys: false, keepsLast: true)
            try saved.rows.withBatch {
                try graph.writer.update($0, of: entity, setting: entity.columnsBesideKey) {
                    try missing($0)
                }
            }
            try graph.writeLinks(
                of: saved,
                isNew: [Bool](repeating: false, count: saved.rows.count)
            )
            graph.call.note(saved, of: entity)
            try graph.checkReferences()
            graph.call.hasMetAgain = true
            try graph.checkCircles(through: saved.rows)
            return graph.call.differs || saved.rows.isNormalized
        }
    }

    /// Writes some fields, relationships among them, of the values of a query.
    func updateGraph(_ query: RowQuery, _ buffer: AssignmentBuffer) throws -> Int {
        let entity = query.entity
        return try writeGraph(of: entity) { graph in
            let writer = graph.writer
            // The keys first: the condition may ask for what is about to change.
            let keys = try writer.keys(of: query)
            if keys.count == 0 {
                _ = try buffer.finish()
                return 0
            }
            let deeper = try graph.deeper(than: entity)
            for branch in buffer.relationships {
                try branch.collection?.save(with: deeper)
                try buffer.fillKeys(of: branch)
            }
            let written = RowQuery(entity, where: .keys(entity.primaryKey, in: keys))
            let assigned = try buffer.finish()
            if let assigned { try entity.checkShards(of: keys, setting: assigned) }
            if !buffer.modifications.isEmpty {
                let modifications = buffer.modifications
                _ = try writer.update(written, setting: assigned, modifying: modifications)
            } else if let assigned {
                _ = try writer.update(written, setting: assigned)
            }
            for branch in buffer.relationships {
                if let link = branch.relationship.link {
                    try graph.writeLinks(of: keys, link, like: branch)
                }
                if branch.mustBeThere, let referenced = branch.keys {
                    try graph.checkThere(referenced, of: branch.relationship, entity)
                }
            }
            try graph.checkReferences()
            graph.call.hasMetAgain = true
            try graph.checkCircles(throughKeys: keys)
            return keys.count
        }
    }

    private func writeGraph<Value>(
        of entity: EntitySchema,
        _ body: (GraphWriter) throws -> Value
    ) throws -> Value {
        let writer = try writer()
        defer { openContext?.noteWrite() }
        try registry.register(entity, with: writer)
        return try atomically { try body(GraphWriter(writer, registry)) }
    }

    /// Returns the values as they are stored, in the order of their rows.
    private func stored<Model: Stored>(
        _ type: Model.Type,
        _ rows: RowBuffer
    ) throws -> [Model] {
        let owned = RowBuffer(rows.entity, capacity: rows.count)
        rows.withBatch { owned.append(copying: $0) }
        return try RelationshipLoader(reader()).models(type, of: owned)
    }

    /// Returns for each value whether its key is stored.
    private func exist<Model: Stored>(
        _ values: [Model],
        _ writer: any EngineWriter
    ) throws -> [Bool] {
        let entity = Model.schema.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        var table = KeyTable(entity)
        var positions: [Int] = []
        for value in values {
            var row = try keys.beginRow()
            try value.primaryKey.write(to: &row)
            try keys.endRow(row)
        }
        try keys.checkKeyLengths()
        for row in 0..<keys.count {
            positions.append(Int(table.insert(keys, row: row)))
        }
        var isThere = [Bool](repeating: false, count: table.count)
        let keyColumns = KeyColumns(entity.primaryKey)
        try writer.lookUp(table.keys) { batch in
            for row in 0..<batch.count {
                let key = keyColumns.key(of: batch.slots + row * batch.columnCount)
                if let position = table.position(of: key) { isThere[Int(position)] = true }
            }
        }
        return positions.map { isThere[$0] }
    }
}
