// Writing the stored shapes of a query, and returning them.
extension WriteTransaction {
    /// Writes some fields of the values of a query, and returns the values as they are then, in its order.
    func updateReturningStored<Model: Stored>(
        _ type: Model.Type,
        _ query: RowQuery,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws -> [Model] {
        let writer = try writer()
        let entity = query.entity
        try validate(entity, writer)
        defer { openContext?.noteWrite(to: entity) }
        return try writer.buffers.withAssignments(to: entity) { buffer in
            var assignments = Assignments<Model>(buffer)
            try assign(&assignments)
            let assigned = try buffer.finish()
            let rows = RowBuffer(entity)
            return try atomically {
                if buffer.relationships.isEmpty, let computed = buffer.modifications.computations {
                    try writer.update(
                        query,
                        setting: assigned,
                        computing: computed,
                        returning: rows
                    )
                    return try models(type, of: rows)
                }
                let keys = try writer.keys(of: query)
                if keys.count == 0 { return [] }
                let found = RowQuery(entity, where: .keys(entity.primaryKey, in: keys))
                _ = try update(found, buffer)
                try keys.withBatch { keys in
                    try writer.get(entity, keys: keys) { rows.append(copying: $1) }
                }
                return try models(type, of: rows)
            }
        }
    }

    /// Deletes the values of a query, and returns them as they were, in its order.
    func deleteReturningStored<Model: Stored>(
        _ type: Model.Type,
        _ query: RowQuery
    ) throws -> [Model] {
        let writer = try writer()
        let entity = query.entity
        try validate(entity, writer)
        defer { openContext?.noteWrite() }
        let deletion = Deletion(writer, registry)
        let isPlain = try deletion.isPlain(entity)
        return try atomically {
            if isPlain {
                let rows = RowBuffer(entity)
                try writer.delete(query, returning: rows)
                return try models(type, of: rows)
            }
            let found = try fetchStored(type, query)
            let keys = try writer.keys(found.map(\.primaryKey), of: entity).copied()
            _ = try deletion.delete(entity, keys: keys)
            return found
        }
    }

    private func models<Model: Stored>(
        _ type: Model.Type,
        of rows: RowBuffer
    ) throws -> [Model] {
        if !Model.schema.entity.isFlat {
            return try RelationshipLoader(reader()).models(type, of: rows)
        }
        var models: [Model] = []
        models.reserveCapacity(rows.count)
        try rows.withBatch { try Model.decode($0, appendingTo: &models) }
        return models
    }
}
