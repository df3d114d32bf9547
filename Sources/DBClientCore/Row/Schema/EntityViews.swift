import Synchronization

/// What an entity has to do with stored views: those that are kept from its rows, or that it is one itself.
package struct EntityViews: Sendable {
    /// What tells writers that keep the same views in the same way from others; nil for an entity without views.
    package let mark: String?
    /// The entity whose rows the view is kept from; nil for an entity that is no view.
    package let base: EntitySchema?
    /// The views that are kept from the entity's rows.
    let kept: [any KeptView]
    /// What is wrong with a definition, if anything is; every use throws it.
    let failure: DBClientError?

    static let none = EntityViews(mark: nil, base: nil, kept: [], failure: nil)

    /// The stored names of the views that are kept from the entity's rows.
    var names: [String] { kept.map(\.entity.name) }
}

/// A view that is kept from the rows of another entity.
protocol KeptView: Sendable {
    /// The entity of the view's own rows.
    var entity: EntitySchema { get }
}

/// The views of an entity, found when they are first asked for: a definition names models whose schemas may be under way.
package final class LazyEntityViews: Sendable {
    /// Whether the entity is a view itself.
    let isView: Bool
    private let find: @Sendable () -> EntityViews
    private let found = Mutex<EntityViews?>(nil)

    init(isView: Bool = false, _ find: @escaping @Sendable () -> EntityViews) {
        self.isView = isView
        self.find = find
    }

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
    ///   - markOfBase: Returns the mark that the store has of the entity that the view is kept from; nil where nothing of that
    ///     is stored.
    /// - Throws: `.migrationRequired` where it does not; what is wrong with the definition.
    package func checkMayRead(markedAs mark: String?, markOfBase: () throws -> String??) throws {
        guard isView else { return }
        let views = views
        if let failure = views.failure { throw failure }
        let found = try markOfBase()
        if mark == views.mark, let found, found == views.base?.views.mark { return }
        if mark == nil, found == nil { return }
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
