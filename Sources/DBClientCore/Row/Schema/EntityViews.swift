import Synchronization

/// What an entity has to do with stored views: those that are kept from its rows, or that it is one itself.
package struct EntityViews: Sendable {
    /// What tells writers that keep the same views in the same way from others; nil for an entity without views.
    package let mark: String?
    /// The entities whose rows the view is kept from; none for an entity that is no view.
    package let sources: [EntitySchema]
    /// The views that are kept from the entity's rows.
    let kept: [any KeptView]
    /// What is wrong with a definition, if anything is; every use throws it.
    let failure: DBClientError?

    init(
        mark: String? = nil,
        sources: [EntitySchema] = [],
        kept: [any KeptView] = [],
        failure: DBClientError? = nil
    ) {
        self.mark = mark
        self.sources = sources
        self.kept = kept
        self.failure = failure
    }

    static let none = EntityViews()

    /// The stored names of the views that are kept from the entity's rows.
    var names: [String] { kept.map(\.entity.name) }

    /// The entities that have views in common with others, from one of them on, and the views, each once: what is built
    /// together.
    ///
    /// - Throws: What is wrong with a definition.
    static func network(
        of entity: EntitySchema
    ) throws -> (entities: [EntitySchema], kept: [any KeptView]) {
        var entities = entity.isView ? entity.views.sources : [entity]
        var kept: [any KeptView] = []
        if let failure = entity.views.failure { throw failure }
        var index = 0
        while index < entities.count {
            let views = entities[index].views
            if let failure = views.failure { throw failure }
            for view in views.kept where !kept.contains(where: { $0.entity === view.entity }) {
                kept.append(view)
                for source in view.sourceEntities
                where !entities.contains(where: { $0 === source }) { entities.append(source) }
            }
            index += 1
        }
        return (entities, kept)
    }
}

/// A view that is kept from the rows of other entities.
protocol KeptView: Sendable {
    /// The entity of the view's own rows.
    var entity: EntitySchema { get }

    /// The entities whose rows the view is kept from, each once.
    var sourceEntities: [EntitySchema] { get }
}

/// The views of an entity, found when they are first asked for: a definition names models whose schemas may be under way.
package final class LazyEntityViews: Sendable {
    /// Whether the entity is a view itself.
    let isView: Bool
    /// Returns the entities of the views that the model names, whatever their definitions are.
    private let named: @Sendable () -> [EntitySchema]
    private let find: @Sendable () -> EntityViews
    private let found = Mutex<EntityViews?>(nil)

    init(
        isView: Bool = false,
        naming named: @escaping @Sendable () -> [EntitySchema] = { [] },
        _ find: @escaping @Sendable () -> EntityViews
    ) {
        self.isView = isView
        self.named = named
        self.find = find
    }

    /// Whether the model names a view.
    func names(_ view: EntitySchema) -> Bool { named().contains { $0 === view } }

    var value: EntityViews {
        if let views = found.withLock({ $0 }) { return views }
        let views = find()
        return found.withLock { found in
            if let views = found { return views }
            found = views
            return views
        }
    }
}

extension EntitySchema {
    /// Throws unless a writer that knows the entity as it is here keeps the views that the store keeps of its rows.
    ///
    /// - Parameter mark: The mark that the store has of the entity; nil where it keeps no view of it.
    /// - Throws: `.schemaMismatch` where it does not.
    package func checkMayWrite(markedAs mark: String?) throws {
        if let mark, mark != views.mark { throw keptOtherwise }
    }

    /// Throws where the entity is a stored view that the store does not keep as it is defined here.
    ///
    /// - Parameters:
    ///   - mark: The mark that the store has of the view.
    ///   - markOf: Returns the mark that the store has of an entity that the view is kept from; nil where nothing of that is
    ///     stored.
    /// - Throws: `.migrationRequired` where it does not; what is wrong with the definition.
    package func checkMayRead(
        markedAs mark: String?,
        markOf: (EntitySchema) throws -> String??
    ) throws {
        guard isView else { return }
        let views = views
        if let failure = views.failure { throw failure }
        var isEmpty = true
        var isKept = mark == views.mark
        for source in views.sources {
            if let failure = source.views.failure { throw failure }
            let found = try markOf(source)
            if found != nil { isEmpty = false }
            if found != .some(source.views.mark) { isKept = false }
        }
        if isKept || mark == nil && isEmpty { return }
        throw DBClientError(
            .migrationRequired,
            mark == nil
                ? "The stored view is not built yet."
                : "The store keeps the view by another definition, or keeps it no longer.",
            entity: name,
            hint: "Migrate the store, which builds the view: client.migrate(to: \(name).self)."
        )
    }

    /// The error of a write to rows of which the store keeps views that the writer does not.
    package var keptOtherwise: DBClientError { Self.keptOtherwise(name) }

    /// The error of a write to rows of which the store keeps views that the writer does not.
    package static func keptOtherwise(_ name: String?) -> DBClientError {
        DBClientError(
            .schemaMismatch,
            "The store keeps views of the entity's rows that this program does not keep as it does.",
            entity: name,
            hint: "Name the views in the model's storedViews, and migrate the store to the model."
        )
    }
}
