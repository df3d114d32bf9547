/// Adapts what is stored of a model to it, as far as every stored value stays what it is.
struct Adaptation<Model: Stored>: Sendable {
    private let removed: [String]
    private let assign: @Sendable (inout Assignments<Model>) throws -> Void

    init(
        _ model: Model.Type,
        removing removed: [String],
        _ assign: @escaping @Sendable (inout Assignments<Model>) throws -> Void
    ) {
        self.removed = removed
        self.assign = assign
    }

    private var entity: EntitySchema { Model.schema.entity }

    /// Returns what would be changed.
    ///
    /// - Throws: `.migrationRequired` when the stored values cannot be adapted.
    func change(in reader: any EngineReader) throws -> MigrationChange? {
        try entity.validate()
        reader.usage?.note(entity)
        guard let difference = try reader.difference(from: entity) else { return nil }
        let removed = try removable(difference)
        func names(_ fields: [Int]) -> [String] { fields.map { entity.fields[$0].name } }
        var kinds: [MigrationChange.Kind] = []
        if !difference.missing.isEmpty { kinds.append(.added(names(difference.missing))) }
        if !difference.relaxed.isEmpty { kinds.append(.relaxed(names(difference.relaxed))) }
        if !removed.isEmpty { kinds.append(.removed(removed)) }
        let ruled = try RelationshipRegistry().changedRules(of: entity, in: reader)
        if !ruled.isEmpty { kinds.append(.ruled(ruled)) }
        try withValues(of: difference.missing) { _ in }
        if kinds.isEmpty { return nil }
        let left = difference.surplus.filter { name in
            !removed.contains { $0.utf8.elementsEqual(name.utf8) }
        }
        try RelationshipRegistry().checkAdaptation(to: entity, surplus: left, in: reader)
        return MigrationChange(entity.name, kinds)
    }

    func run(_ run: MigrationRun) throws {
        guard let difference = try run.writer.difference(from: entity) else { return }
        let removed = try removable(difference)
        if !difference.missing.isEmpty || !difference.relaxed.isEmpty || !removed.isEmpty {
            try withValues(of: difference.missing) { values in
                try run.writer.reshape(
                    entity,
                    ShapeChange(added: values, relaxed: difference.relaxed, removed: removed)
                )
            }
        }
        guard let left = try run.writer.difference(from: entity), left.fits else {
            throw DBClientError(
                .engine,
                "The entity does not fit its model after it was adapted.",
                entity: entity.name
            )
        }
        // Rules of deletion go by what the store keeps of its relationships.
        try RelationshipRegistry().adapt(to: entity, surplus: left.surplus, with: run.writer)
        run.transaction.forgetRelationships()
    }

    /// Returns the stored fields to be taken away, after everything that cannot be adapted has been thrown.
    private func removable(_ difference: ShapeDifference) throws -> [String] {
        if difference.hasOtherKey {
            throw entity.migrationRequired(
                "The primary key is made of other fields.",
                entity.keyName
            )
        }
        if let field = difference.unfit.first {
            throw entity.migrationRequired(
                "The stored values of the field are of another type, or may be absent.",
                entity.fields[field].name
            )
        }
        let removed = difference.surplus.filter { name in
            self.removed.contains { $0.utf8.elementsEqual(name.utf8) }
        }
        if let field = difference.required.first(where: { !removed.contains($0) }) {
            throw entity.migrationRequired(
                "The store has a field that the model lacks.",
                field,
                hint: "Name it to be removed: .adapt(\(Model.self).self, removing: [\"\(field)\"])."
            )
        }
        return removed
    }

    /// Calls a function with what the stored values get for some fields.
    private func withValues(
        of fields: [Int],
        _ body: (RowAssignments) throws -> Void
    ) throws {
        let buffer = try AssignmentBuffer(entity)
        // What is not set is nil, so it is set first.
        for field in fields where entity.fields[field].isOptional {
            try buffer.set(field) { try $0.put(.null) }
        }
        var assignments = Assignments<Model>(buffer)
        Model.schema.defaults?(&assignments)
        // An empty list of other values needs no assignment.
        buffer.removeRelationships()
        try assign(&assignments)
        if let modification = buffer.modifications.first {
            throw DBClientError(
                .invalidRequest,
                "A new property has no stored value to be modified.",
                entity: entity.name,
                field: entity.fields[modification.column].name,
                hint: "Set it, or modify what is stored in a step of its own."
            )
        }
        guard buffer.relationships.isEmpty else {
            throw DBClientError(
                .invalidRequest,
                "A new property cannot be set to a value of another model while the store is adapted.",
                entity: entity.name,
                hint: "Leave it optional and set it in a step of its own, or convert the values."
            )
        }
        let assigned = try buffer.finish()
        if let field = fields.first(where: { assigned?.columns.contains($0) != true }) {
            throw entity.migrationRequired(
                "The stored values lack a field that is not optional.",
                entity.fields[field].name,
                hint: "Set it: .adapt(\(Model.self).self) { $0.set(…, to: …) }."
            )
        }
        guard let assigned else {
            return try body(RowAssignments(columns: [], values: entity.noRow))
        }
        try withExtendedLifetime(buffer) {
            try body(RowAssignments(columns: fields, values: assigned.values))
        }
    }
}

extension EntitySchema {
    /// A batch of no rows.
    fileprivate var noRow: RowBatch { RowBuffer(self).batch }

    /// Returns the error of stored values that fit no model without being told what becomes of them.
    func migrationRequired(
        _ message: String,
        _ field: String?,
        hint: String = "Convert the values from the model as it was: .convert(Former.self, to: …)."
    ) -> DBClientError {
        DBClientError(.migrationRequired, message, entity: name, field: field, hint: hint)
    }
}
