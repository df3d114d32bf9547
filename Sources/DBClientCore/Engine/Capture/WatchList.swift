/// The entities that are observed, here or in other processes.
///
/// A new list is made for each change, so a write unit keeps the one it began with.
final class WatchList: Sendable {
    /// The observers of one entity: how many there are, and which rows concern them.
    struct Watch: Sendable {
        /// The entity as one of them has it.
        let entity: EntitySchema
        /// How many results depend on rows without known bounds.
        private(set) var results = 0
        /// How many feeds deliver its rows, every one of them.
        var feeds = 0
        /// The bounds within which rows concern the other results, and how many have each.
        private(set) var bounds: [RowBounds: Int] = [:]

        init(entity: EntitySchema) {
            self.entity = entity
        }

        /// Adds a result, which rows outside the bounds do not concern.
        mutating func add(within bounds: RowBounds?) {
            if let bounds { self.bounds[bounds, default: 0] += 1 } else { results += 1 }
        }

        /// Takes a result away that was added with the same bounds.
        mutating func remove(within bounds: RowBounds?) {
            guard let bounds else {
                results -= 1
                return
            }
            let count = self.bounds[bounds, default: 1] - 1
            self.bounds[bounds] = count > 0 ? count : nil
        }

        fileprivate var isNeeded: Bool { results > 0 || feeds > 0 || !bounds.isEmpty }
        /// Whether every written row is captured: some observer needs all, or there are too many bounds to look at.
        fileprivate var wantsAll: Bool {
            results > 0 || feeds > 0 || bounds.count > RowFilter.limit
        }
    }

    static let empty = WatchList([:], others: [])

    private let watches: [EntityName: Watch]
    /// The names of the entities that other processes watch.
    private let others: Set<EntityName>

    /// A result that depends on so many rows of one unit is refetched; copies of them would cost more memory
    /// than the result.
    private static let resultLimit = 262_144

    private init(_ watches: [EntityName: Watch], others: Set<EntityName>) {
        self.watches = watches
        self.others = others
    }

    /// The names of the entities that are watched here.
    var names: Set<EntityName> { Set(watches.keys) }

    /// The entities that are watched here, by their names.
    var entities: [EntityName: EntitySchema] { watches.mapValues(\.entity) }

    /// Whether there are no observers in this process.
    var isEmpty: Bool { watches.isEmpty }

    /// Whether there are observers in other processes.
    var hasOthers: Bool { !others.isEmpty }

    /// Whether there are no observers, here or in other processes.
    var needsNothing: Bool { watches.isEmpty && others.isEmpty }

    /// Returns how many rows of an entity a unit copies at most, or nil when it has no observer.
    func rowLimit(of name: EntityName) -> Int? {
        guard let watch = watches[name] else {
            return others.contains(name) ? Self.resultLimit : nil
        }
        return watch.feeds > 0 ? Int(Int32.max) : Self.resultLimit
    }

    /// Returns which rows of an entity concern an observer; nil when all may.
    func filter(of name: EntityName, _ entity: EntitySchema) -> RowFilter? {
        guard let watch = watches[name], !watch.wantsAll, !others.contains(name),
            watch.bounds.keys.allSatisfy({ $0.entity.hasRows(of: entity) })
        else { return nil }
        return RowFilter(watch.bounds.keys, of: entity)
    }

    /// Returns whether rows of an entity may concern an observer here that they did not concern by another
    /// list.
    func wantsMore(than other: WatchList, of name: EntityName) -> Bool {
        guard let watch = watches[name] else { return false }
        guard let old = other.watches[name] else { return true }
        return watch.wantsAll || watch.bounds.keys.contains { old.bounds[$0] == nil }
    }

    /// Returns what of a unit is told here; nil for nothing.
    func told(_ unit: CapturedUnit) -> CapturedUnit? {
        if unit.logs.allSatisfy({ watches[$0.name] != nil }) { return unit }
        let told = CapturedUnit(
            logs: unit.logs.filter { watches[$0.name] != nil },
            unseen: unit.unseen,
            silenced: unit.silenced
        )
        return told.isEmpty ? nil : told
    }

    /// Returns a list in which the watches on entities are changed.
    func changing(
        _ entities: some Sequence<EntitySchema>,
        _ change: (inout Watch) -> Void
    ) -> WatchList {
        var watches = watches
        for entity in entities {
            let name = entity.exactName
            var watch = watches[name] ?? Watch(entity: entity)
            change(&watch)
            watches[name] = watch.isNeeded ? watch : nil
        }
        return WatchList(watches, others: others)
    }

    /// Returns a list in which other processes watch some entities.
    func changing(others: Set<EntityName>) -> WatchList {
        WatchList(watches, others: others)
    }
}
