extension Stored {
    /// The views that are kept from the model's values, or what it is a view of; nil where there is none.
    static var lazyViews: LazyEntityViews? {
        let types = storedViews
        if let view = self as? any StoredView.Type {
            return LazyEntityViews(isView: true) { view.ownViews }
        }
        if types.isEmpty { return nil }
        return LazyEntityViews(
            naming: { types.map { $0.viewEntity } },
            { keptViews(types) }
        )
    }

    private static func keptViews(_ types: [any StoredView.Type]) -> EntityViews {
        do {
            let kept = try types.map { try $0.upkeep(from: schema.entity) }
            let marks = kept.map { "\($0.entity.name) \($0.mark)" }.sorted()
            return EntityViews(
                mark: EntityViews.mark(of: marks.joined(separator: ", ")),
                kept: kept
            )
        } catch {
            return EntityViews(failure: .wrapping(error))
        }
    }
}

extension StoredView {
    /// What the view is kept from.
    fileprivate static var ownViews: EntityViews {
        do {
            guard storedViews.isEmpty else {
                throw invalid("No view is kept from a stored view.")
            }
            let definition = try ViewDefinition<Self>()
            try checkIsNamed(by: definition.sources)
            return EntityViews(mark: definition.mark, sources: definition.sources.entities)
        } catch {
            return EntityViews(failure: .wrapping(error))
        }
    }

    fileprivate static var viewEntity: EntitySchema { schema.entity }

    fileprivate static func upkeep(from entity: EntitySchema) throws -> any ViewUpkeep {
        let definition = try ViewDefinition<Self>()
        guard definition.sources.entities.contains(where: { $0 === entity }) else {
            throw invalid(
                "A view must be named by the models that its definition is of alone; got \(entity.name)."
            )
        }
        try checkIsNamed(by: definition.sources)
        return definition
    }

    /// Throws where a model does not name the view, whose writers would not keep it.
    private static func checkIsNamed(by sources: ViewSources) throws {
        let entity = schema.entity
        for source in sources.entities where !source.names(view: entity) {
            throw invalid(
                "A view must be in the storedViews of every model that it is kept from, as of \(source.name)."
            )
        }
    }

    private static func invalid(_ message: String) -> DBClientError {
        DBClientError(.invalidSchema, message, entity: schema.entity.name)
    }
}
