extension Stored {
    /// The views that are kept from the model's values, or what it is a view of; nil where there is none.
    static var lazyViews: LazyEntityViews? {
        let types = storedViews
        if let view = self as? any StoredView.Type {
            return LazyEntityViews(isView: true) { view.ownViews }
        }
        if types.isEmpty { return nil }
        return LazyEntityViews { keptViews(types) }
    }

    private static func keptViews(_ types: [any StoredView.Type]) -> EntityViews {
        do {
            let kept = try types.map { try $0.upkeep(from: schema.entity) }
            let marks = kept.map { "\($0.entity.name) \($0.mark)" }.sorted()
            return EntityViews(
                mark: EntityViews.mark(of: marks.joined(separator: ", ")),
                base: nil,
                kept: kept,
                failure: nil
            )
        } catch {
            return EntityViews(mark: nil, base: nil, kept: [], failure: .wrapping(error))
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
            // The entity must name the view, or its writers would not keep it.
            guard definition.base.views.names.contains(schema.entity.name) else {
                throw definition.base.views.failure ?? unnamed(definition.base)
            }
            return EntityViews(
                mark: definition.mark,
                base: definition.base,
                kept: [],
                failure: nil
            )
        } catch {
            return EntityViews(mark: nil, base: nil, kept: [], failure: .wrapping(error))
        }
    }

    fileprivate static func upkeep(from base: EntitySchema) throws -> any ViewUpkeep {
        let definition = try ViewDefinition<Self>()
        guard definition.base === base else {
            throw invalid("A view must be named by the model that its definition is of.")
        }
        return definition
    }

    private static func unnamed(_ base: EntitySchema) -> DBClientError {
        invalid(
            "A view must be in the storedViews of the model that it is kept from, \(base.name)."
        )
    }

    private static func invalid(_ message: String) -> DBClientError {
        DBClientError(.invalidSchema, message, entity: schema.entity.name)
    }
}
