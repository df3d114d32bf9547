import DBClientCore

/// The names of tables in which a dot is a part of the name and ends that of no schema, as far as a connection knows.
package final class WholeTableNames: Sendable {
    private struct State {
        /// The names of tables that the database was found to have.
        var found: Set<String> = []
        /// Those of links whose owner's name names no schema.
        var links: Set<String> = []
    }

    private let state = UnfairMutex(State())

    /// Creates the names of a database in which no table is known yet.
    package init() {}

    /// Notes whether the database has a table of this whole name.
    package func note(_ name: String, isThere: Bool) {
        state.withLock { state in
            if isThere { state.found.insert(name) } else { state.found.remove(name) }
        }
    }

    /// Notes that links have this name, in which the dot is that of a relationship's name.
    package func note(links name: String) {
        state.withLock { _ = $0.links.insert(name) }
    }

    /// Whether a name names no schema.
    func contains(_ name: String) -> Bool {
        state.withLock { $0.found.contains(name) || $0.links.contains(name) }
    }
}
