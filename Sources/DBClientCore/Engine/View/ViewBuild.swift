// Views are built as indexes are: of few rows by the write that first needs them, of many by a migration.
extension EngineReader {
    /// Whether the store keeps other views than the models say of an entity, or of those that have views in common with it,
    /// so that a migration builds them.
    func lacksViews(of entity: EntitySchema) throws -> Bool {
        guard entity.hasViews else { return false }
        let (entities, kept) = try EntityViews.network(of: entity)
        // Where what a view is kept from was deleted, its rows are those of before.
        let isStored = try kept.contains { try viewMark(of: $0.entity) != nil }
        return try entities.contains {
            try (isStored || difference(from: $0) != nil) && viewMark(of: $0) != $0.views.mark
        }
    }
}

extension EngineWriter {
    /// Makes sure that the views of an entity are there before its rows are written.
    ///
    /// - Throws: `.migrationRequired` where there are many rows, or views of another definition.
    func requireViews(of entity: EntitySchema) throws {
        if try viewMark(of: entity) == entity.views.mark { return }
        var left = Self.rowsOfBuild
        for source in try EntityViews.network(of: entity).entities {
            if let mark = try viewMark(of: source), mark != source.views.mark {
                throw source.keptOtherwise
            }
            left -= try count(RowQuery(source, limit: left + 1))
            if left >= 0 { continue }
            throw DBClientError(
                .migrationRequired,
                "Many values are stored, and the views that are kept from them are not built yet.",
                entity: source.name,
                hint: "Migrate the store to the model, which builds them: client.migrate(to:)."
            )
        }
        try buildViews(of: entity)
    }

    /// Builds every view that is kept from an entity's rows anew, with those that are kept from others with them.
    func buildViews(of entity: EntitySchema) throws {
        let (entities, kept) = try EntityViews.network(of: entity)
        for source in entities {
            if let mark = source.views.mark { try setViewMark(mark, of: source) }
        }
        for case let view as any ViewUpkeep in kept { try build(view) }
    }

    private func build(_ view: any ViewUpkeep) throws {
        let entity = view.entity
        try entity.validate()
        // A preview knows no shapes, and keeps what it does to itself.
        if let difference = (try? difference(from: entity)) ?? nil {
            let isView = try viewMark(of: entity) != nil
            // What a copy of the store has made of the view fits it; anything else is not the library's to replace.
            guard isView || difference.fits && difference.surplus.isEmpty else {
                throw DBClientError(
                    .schemaMismatch,
                    "The store has something else under the name of the view.",
                    entity: entity.name,
                    hint: "Give the view another stored name, or delete what has this one."
                )
            }
            try drop(entity)
        }
        try setViewMark(view.mark, of: entity)
        try view.keep(nil, with: self)
    }

    /// How many rows a write builds views of at most: some milliseconds.
    private static var rowsOfBuild: Int { 10_000 }
}
