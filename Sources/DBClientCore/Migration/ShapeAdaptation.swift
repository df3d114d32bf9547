/// Adapts what is stored of an entity to it, whatever gives new fields their values.
struct ShapeAdaptation: Sendable {
    let entity: EntitySchema
    /// The stored names of fields to be taken away.
    let removed: [String]
    /// What stands for the entity in a hint.
    let words: String

    /// Returns what would be changed.
    ///
    /// - Parameters:
    ///   - reader: The engine's side of the transaction.
    ///   - lists: Returns the relationships that get values as well, given the fields that are added; throws where one
    ///     of these has no value.
    /// - Returns: The change; nil where there is none.
    /// - Throws: `.migrationRequired` when the stored values cannot be adapted.
    func change(
        in reader: any EngineReader,
        lists: ([Int]) throws -> [String]
    ) throws -> MigrationChange? {
        try entity.validate()
        reader.usage?.note(entity)
        guard let difference = try reader.difference(from: entity) else { return nil }
        let removed = try removable(difference)
        if let field = try reader.unfitRelationship(of: entity) {
            throw entity.migrationRequired("The relationship must be of the stored kind.", field)
        }
        func names(_ fields: [Int]) -> [String] { fields.map { entity.fields[$0].name } }
        var kinds: [MigrationChange.Kind] = []
        let lists = try lists(difference.missing)
        if !difference.missing.isEmpty || !lists.isEmpty {
            kinds.append(.added(names(difference.missing) + lists))
        }
        if !difference.relaxed.isEmpty { kinds.append(.relaxed(names(difference.relaxed))) }
        if !removed.isEmpty { kinds.append(.removed(removed)) }
        // One over a new field comes with it.
        let searched = difference.lacksSearchIndex ? [entity.searchedFields] : []
        let indexed = (difference.unindexed.map { entity.indexes[$0].fields } + searched)
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

    /// Changes the stored shape, given the values of the fields that are added.
    func reshape(
        _ difference: ShapeDifference,
        adding values: RowAssignments,
        _ writer: any EngineWriter
    ) throws {
        try writer.reshape(entity, change(difference, adding: values))
    }

    /// Returns the change of the stored shape, given the values of the fields that are added.
    func change(
        _ difference: ShapeDifference,
        adding values: RowAssignments
    ) throws -> ShapeChange {
        ShapeChange(
            added: values,
            relaxed: difference.relaxed,
            removed: try removable(difference)
        )
    }

    /// Makes what the store keeps of relationships fit the changed shape.
    func finish(_ run: MigrationRun) throws {
        guard let left = try run.writer.difference(from: entity), left.fits else {
            throw DBClientError(
                .engine,
                "The entity must fit its model after it was adapted; it does not.",
                entity: entity.name
            )
        }
        // Rules of deletion go by what the store keeps of its relationships.
        try RelationshipRegistry().adapt(to: entity, surplus: left.surplus, with: run.writer)
    }

    /// Whether there is anything to change in a shape.
    func isNeeded(for difference: ShapeDifference) throws -> Bool {
        try !difference.fits || !difference.unindexed.isEmpty || difference.lacksSearchIndex
            || !removable(difference).isEmpty
    }

    /// Returns the stored fields to be taken away, after everything that cannot be adapted has been thrown.
    func removable(_ difference: ShapeDifference) throws -> [String] {
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
                hint: "Name it to be removed: .adapt(\(words), removing: [\"\(field)\"])."
            )
        }
        return removed
    }
}
