/// What a value depends on, as commits are compared with it.
struct WatchedReads {
    /// The rows of one entity that were read, and how to tell whether a changed row is among them.
    private struct Part {
        let entity: EntitySchema
        /// Whether a row counts, by itself; nil where each does.
        let predicate: RowPredicate?
        let bounds: RowBounds?

        init(_ entity: EntitySchema, _ condition: RowCondition?) {
            self.entity = entity
            predicate = condition.map { RowPredicate($0, of: entity) }
            bounds = condition.flatMap { RowBounds(RowQuery(entity, where: $0)) }
        }
    }

    /// What was read; empty where a query says what the value depends on.
    let reads: ReadDependencies
    /// The names of the entities that were read.
    let names: Set<EntityName>
    /// The field and the value that a row must have; nil when others count as well.
    let selector: RowSelector?
    private let parts: [EntityName: [Part]]

    /// Depends on the rows of a query, and on what its values hold.
    init(_ query: RowQuery) {
        self.init(
            ReadDependencies(),
            query.isOfOwnRows
                ? [Part(query.entity, query.condition)] : query.dependencies.map { Part($0, nil) },
            query.isOfOwnRows ? RowSelector(query) : nil
        )
    }

    /// Depends on what a function has read, which is recorded while it runs.
    init(_ reads: ReadDependencies) {
        self.init(
            reads,
            reads.rows.values.flatMap { rows in
                rows.filters.map { $0.map { Part(rows.entity, $0) } } ?? [Part(rows.entity, nil)]
            },
            nil
        )
    }

    private init(_ reads: ReadDependencies, _ parts: [Part], _ selector: RowSelector?) {
        self.reads = reads
        self.selector = selector
        self.parts = Dictionary(grouping: parts) { $0.entity.exactName }
        names = Set(self.parts.keys)
    }

    /// Whether all that was read is watched.
    func covers(_ other: ReadDependencies) -> Bool { reads.covers(other) }

    /// Has what is committed from here on captured, so that it comes or is in what is read.
    func begin(through hub: ChangeHub) {
        changeWatches(of: hub) { $0.add(within: $1) }
    }

    /// Stops capturing what `begin(through:)` had captured.
    func end(through hub: ChangeHub) {
        changeWatches(of: hub) { $0.remove(within: $1) }
    }

    private func changeWatches(
        of hub: ChangeHub,
        _ change: (inout WatchList.Watch, RowBounds?) -> Void
    ) {
        hub.changeWatches { watches in
            parts.values.joined().reduce(watches) { watches, part in
                watches.changing([part.entity]) { change(&$0, part.bounds) }
            }
        }
    }

    /// Whether a unit touched a row that counts.
    func concerns(_ unit: CapturedUnit) -> Bool {
        names.contains(where: unit.unseen.contains)
            || unit.logs.contains { log in
                (parts[log.name] ?? []).contains { Self.concerns(log, $0) }
            }
    }

    private static func concerns(_ log: RowLog, _ part: Part) -> Bool {
        guard let predicate = part.predicate else { return true }
        if log.entity !== part.entity, log.entity.fields != part.entity.fields { return true }
        return log.entries.contains { entry in
            guard log.matches(entry.before, predicate) || log.matches(entry.after, predicate)
            else { return false }
            guard let before = log.row(entry.before), let after = log.row(entry.after) else {
                return true
            }
            return !before.isSame(after)
        }
    }
}
