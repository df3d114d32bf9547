/// The groups of a query's rows, kept in their order for all their observers: confined to the hub.
final class LiveGroups<Row: Sendable>: LiveFold<KeptGroups, ResultSubscriber>, @unchecked Sendable {
    private let groups: GroupedRows<Row>
    private let shape: GroupShape
    /// What says which groups of the order are shown.
    private let windowQuery: RowQuery
    private var rows = ResultTree()
    private var version: ResultVersion?
    /// The state that the rows are made of; another one has been read since where it is not the present one.
    private weak var shown: KeptGroups?
    /// How many entries have no row.
    private var failures = 0

    init(_ groups: GroupedRows<Row>, _ grouping: RowGrouping, _ hub: ChangeHub) {
        self.groups = groups
        let window = groups.plan.resolvedWindow
        let shape = GroupShape(grouping, window)
        self.shape = shape
        windowQuery = RowQuery(grouping.query.entity, limit: window.limit, offset: window.offset)
        super.init(grouping.query, hub) { try KeptGroups(shape, in: $0) }
    }

    override func didEnd() {
        rows = ResultTree()
        version = nil
        shown = nil
        failures = 0
    }

    override func show(_ state: KeptGroups, to subscribers: [ResultSubscriber]) throws {
        if state !== shown {
            try readAll(state)
        } else if state.hasChanged {
            try apply(state)
        } else {
            if let version { for subscriber in subscribers { subscriber.show(version) } }
            return
        }
    }

    /// Shows what was read, with the entries of before where they are the same.
    private func readAll(_ state: KeptGroups) throws {
        var entries: [ResultEntry] = []
        failures = 0
        try visitChanges(of: state) { _, new in if let new { entries.append(new) } }
        entries.sort { $0.key < $1.key }
        var fresh = ResultRows(entries, bound: nil)
        if version != nil {
            fresh = fresh.reusing(ResultRows(sharing: rows), ValuesComparison())
        }
        rows = fresh.tree
        shown = state
        try show(nil)
    }

    /// Changes the groups that rows were added to or taken from.
    private func apply(_ state: KeptGroups) throws {
        var change = ResultChange()
        try visitChanges(of: state) { old, new in
            if let old, let new, old.key == new.key, ValuesEntry.isSame(old, new) { return }
            var step = RowStep()
            if let old, old.key != new?.key {
                step.old = rows.remove(old.key)
                change.add(old.key)
            }
            if let new {
                let (position, replaced) = rows.put(new)
                if let replaced { step.old = PlacedEntry(entry: replaced, position: position) }
                step.new = PlacedEntry(entry: new, position: position)
                change.add(new.key)
            }
            change.add(step)
        }
        if change.isVisible(in: version) { try show(change.step) }
    }

    private func visitChanges(
        of state: KeptGroups,
        _ visit: (ResultEntry?, ResultEntry?) -> Void
    ) throws {
        let keyCount = shape.keys.count
        try state.visitChanges { slots, bytes in
            RowEntry(GroupShape.key(of: slots, keyCount, shape.window, bytes), slots, of: groups)
        } _: { old, new in
            if let old, Self.failure(of: old) != nil { failures -= 1 }
            if let new, Self.failure(of: new) != nil { failures += 1 }
            visit(old, new)
        }
    }

    private static func failure(of entry: ResultEntry) -> (any Error)? {
        unsafeDowncast(entry, to: ValuesEntry.self).failure
    }

    private func show(_ step: RowStep?) throws {
        let new = ResultVersion(rows, windowQuery, after: version, step)
        if failures > 0 {
            for position in new.range {
                if let failure = Self.failure(of: new.tree[position]) { throw failure }
            }
        }
        version = new
        for subscriber in subscribers { subscriber.show(new) }
    }
}

extension ResultSubscriber: KeptSubscriber {}
