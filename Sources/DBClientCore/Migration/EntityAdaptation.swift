/// Adapts what is stored of an entity without a model to it: new fields are absent from the stored values.
struct EntityAdaptation: Sendable {
    private let shape: ShapeAdaptation

    init(_ entity: EntitySchema, removing removed: [String]) {
        shape = ShapeAdaptation(entity: entity, removed: removed, words: entity.name)
    }

    /// Returns what would be changed.
    ///
    /// - Throws: `.migrationRequired` when the stored values cannot be adapted.
    func change(in reader: any EngineReader) throws -> MigrationChange? {
        try shape.change(in: reader) { missing in
            try check(missing)
            return []
        }
    }

    /// Returns the statements that would change the shape.
    func statements(in reader: any EngineReader) throws -> [String] {
        guard let difference = try reader.difference(from: shape.entity) else { return [] }
        return try withAbsent(difference.missing) {
            try reader.statements(
                of: shape.change(difference, adding: $0),
                to: shape.entity
            )
        }
    }

    func run(_ run: MigrationRun) throws {
        guard let difference = try run.writer.difference(from: shape.entity) else { return }
        try check(difference.missing)
        if try shape.isNeeded(for: difference) {
            try withAbsent(difference.missing) {
                try shape.reshape(difference, adding: $0, run.writer)
            }
        }
        try shape.finish(run)
        run.transaction.registry.forget()
    }

    private func check(_ missing: [Int]) throws {
        let fields = shape.entity.fields
        guard let field = missing.first(where: { !fields[$0].isOptional }) else { return }
        throw shape.entity.migrationRequired(
            "A new field that is not optional needs a value for the stored values, which only a model has.",
            fields[field].name,
            hint: "Migrate with the program that has the model, or make the field optional."
        )
    }

    private func withAbsent<Value>(
        _ fields: [Int],
        _ body: (RowAssignments) throws -> Value
    ) rethrows -> Value {
        let nulls = RowBuffer(shape.entity)
        nulls.append { _ in .null }
        return try nulls.withBatch { try body(RowAssignments(columns: fields, values: $0)) }
    }
}
