// Views are built as indexes are: of few rows by the write that first needs them, of many by a migration.
extension EngineReader {
    /// Whether the store keeps other views of an entity's rows than its model says, so that a migration builds them.
    func lacksViews(of entity: EntitySchema) throws -> Bool {
        let views = entity.views
        if let failure = views.failure { throw failure }
        guard let mark = views.mark, !entity.isView else { return false }
        return try difference(from: entity) != nil && viewMark(of: entity) != mark
    }
}

extension EngineWriter {
    /// Makes sure that the views of an entity are there before its rows are written.
    ///
    /// - Throws: `.migrationRequired` where there are many rows, or views of another definition.
    func requireViews(of entity: EntitySchema) throws {
        let mark = try viewMark(of: entity)
        if mark == entity.views.mark { return }
        if mark != nil { throw entity.keptOtherwise }
        guard try count(RowQuery(entity, limit: Self.rowsOfBuild + 1)) <= Self.rowsOfBuild else {
            throw DBClientError(
                .migrationRequired,
                "Many values are stored, and the views that are kept from them are not built yet.",
                entity: entity.name,
                hint: "Migrate the store to the model, which builds them: client.migrate(to:)."
            )
        }
        try buildViews(of: entity)
    }

    /// Builds every view that is kept from an entity's rows anew.
    func buildViews(of entity: EntitySchema) throws {
        let views = entity.views
        if let failure = views.failure { throw failure }
        guard let mark = views.mark, !entity.isView else { return }
        try setViewMark(mark, of: entity)
        for case let view as any ViewUpkeep in views.kept { try build(view) }
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
