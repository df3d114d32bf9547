/// Adapts what is stored of a model to it, as far as every stored value stays what it is.
struct Adaptation<Model: Stored>: Sendable {
    private let shape: ShapeAdaptation
    private let assign: @Sendable (inout Assignments<Model>) throws -> Void

    init(
        _ model: Model.Type,
        removing removed: [String],
        _ assign: @escaping @Sendable (inout Assignments<Model>) throws -> Void
    ) {
        shape = ShapeAdaptation(
            entity: Model.schema.entity,
            removed: removed,
            words: "\(Model.self).self"
        )
        self.assign = assign
    }

    /// Returns what would be changed.
    ///
    /// - Throws: `.migrationRequired` when the stored values cannot be adapted.
    func change(in reader: any EngineReader) throws -> MigrationChange? {
        try shape.change(in: reader) { missing in
            let added = try AddedValues<Model>(missing, assign)
            return try added.newLists(in: reader).map(\.relationship.name)
        }
    }

    /// Returns the statements that would change the shape; none where values of other models would be saved first.
    func statements(in reader: any EngineReader) throws -> [String] {
        guard let difference = try reader.difference(from: shape.entity) else { return [] }
        let added = try AddedValues<Model>(difference.missing, assign)
        return try added.withValuesOfOwn { values in
            try reader.statements(
                of: shape.change(difference, adding: values),
                to: shape.entity
            )
        } ?? []
    }

    func run(_ run: MigrationRun) throws {
        guard let difference = try run.writer.difference(from: shape.entity) else { return }
        let isNeeded = try shape.isNeeded(for: difference)
        let added = try AddedValues<Model>(difference.missing, assign)
        let lists = try added.newLists(in: run.writer)
        if isNeeded {
            try added.withValues(run.writer) {
                try shape.reshape(difference, adding: $0, run.writer)
            }
        }
        try shape.finish(run)
        try added.writeHeld(lists, run.writer)
        run.transaction.registry.forget()
    }
}

extension EntitySchema {
    /// Returns the error of a write to many rows among which nothing keeps values of a unique index apart yet.
    package func lacksIndex(_ index: IndexSchema) -> DBClientError {
        DBClientError(
            .migrationRequired,
            "Many values are stored, and a unique index of the model is not there yet.",
            entity: name,
            field: index.fields.map { fields[$0].name }.joined(separator: ", "),
            hint: "Migrate the store, which builds the index."
        )
    }

    /// Returns the error of stored values that fit no model unless a step says what becomes of them.
    func migrationRequired(
        _ message: String,
        _ field: String?,
        hint: String = "Convert the values from the model as it was: .convert(Former.self, to: …)."
    ) -> DBClientError {
        DBClientError(.migrationRequired, message, entity: name, field: field, hint: hint)
    }
}
