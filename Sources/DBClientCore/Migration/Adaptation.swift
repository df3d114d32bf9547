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
        if let field = try reader.unfitRelationship(of: entity) {
            throw entity.migrationRequired("The relationship must be of the stored kind.", field)
        }
        func names(_ fields: [Int]) -> [String] { fields.map { entity.fields[$0].name } }
        var kinds: [MigrationChange.Kind] = []
        let added = try AddedValues<Model>(difference.missing, assign)
        let lists = try added.newLists(in: reader).map(\.relationship.name)
        if !difference.missing.isEmpty || !lists.isEmpty {
            kinds.append(.added(names(difference.missing) + lists))
        }
        if !difference.relaxed.isEmpty { kinds.append(.relaxed(names(difference.relaxed))) }
        if !removed.isEmpty { kinds.append(.removed(removed)) }
        // One over a new field comes with it.
        let indexed = difference.unindexed.map { entity.indexes[$0].fields }
            .filter { !$0.contains(where: difference.missing.contains) }
        if !indexed.isEmpty { kinds.append(.indexed(indexed.map(names))) }
        let ruled = try RelationshipRegistry().changedRules(of: entity, in: reader)
        if !ruled.isEmpty { kinds.append(.ruled(ruled)) }
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
        let added = try AddedValues<Model>(difference.missing, assign)
        let lists = try added.newLists(in: run.writer)
        if !difference.fits || !difference.unindexed.isEmpty || !removed.isEmpty {
            try added.withValues(run.writer) { values in
                try run.writer.reshape(
                    entity,
                    ShapeChange(added: values, relaxed: difference.relaxed, removed: removed)
                )
            }
        }
        guard let left = try run.writer.difference(from: entity), left.fits else {
            throw DBClientError(
                .engine,
                "The entity must fit its model after it was adapted; it does not.",
                entity: entity.name
            )
        }
        // Rules of deletion go by what the store keeps of its relationships.
        try RelationshipRegistry().adapt(to: entity, surplus: left.surplus, with: run.writer)
        try added.writeHeld(lists, run.writer)
        run.transaction.registry.forget()
    }

    /// Returns the stored fields to be taken away, after everything that cannot be adapted has been thrown.
    private func removable(_ difference: ShapeDifference) throws -> [String] {
        if difference.hasOtherKey {
            throw entity.migrationRequired(
                "The primary key must have the fields of the stored one; it has others.",
                entity.keyName
            )
        }
        if let field = difference.unfit.first {
            let names = difference.unfit.map { entity.fields[$0].name }
            throw entity.migrationRequired(
                names.count == 1
                    ? "The stored values of the field must be of its type, and present unless it is optional."
                    : "The stored values of the fields \(names.joined(separator: ", ")) must be of their types,"
                        + " and present unless they are optional.",
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
