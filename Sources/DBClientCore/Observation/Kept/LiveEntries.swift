/// Rows that are made of what is kept, in their order, for all their observers: confined to the hub.
final class LiveEntries: LiveFold<KeptEntries, ResultSubscriber>, @unchecked Sendable {
    /// What says which rows of the order are shown.
    private let window: RowQuery
    private var rows = ResultTree()
    private var version: ResultVersion?
    /// The state that the rows are made of; another one has been read since where it is not the present one.
    private weak var shown: KeptEntries?
    /// How many entries have no row.
    private var failures = 0

    /// Creates rows that are made of those of a query.
    ///
    /// - Parameters:
    ///   - query: The query, without a limit and an offset.
    ///   - limit: The greatest number of rows that are shown; nil for all.
    ///   - offset: The number of rows that are skipped first.
    ///   - hub: The hub that serves the observers.
    ///   - read: Reads the rows, all of them in one snapshot.
    init(
        _ query: RowQuery,
        limit: Int?,
        offset: Int,
        _ hub: ChangeHub,
        read: @escaping @Sendable (any EngineReader) throws -> KeptEntries
    ) {
        window = RowQuery(query.entity, limit: limit, offset: offset)
        super.init(query, hub, read: read)
    }

    override func didEnd() {
        rows = ResultTree()
        version = nil
        shown = nil
        failures = 0
    }

    override func show(_ state: KeptEntries, to subscribers: [ResultSubscriber]) throws {
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
    private func readAll(_ state: KeptEntries) throws {
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

    /// Changes the rows that have changed in the state.
    private func apply(_ state: KeptEntries) throws {
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
        of state: KeptEntries,
        _ visit: (ResultEntry?, ResultEntry?) -> Void
    ) throws {
        try state.visitChanges { old, new in
            let (old, new) = (Self.shown(old), Self.shown(new))
            if old == nil, new == nil { return }
            if let old, Self.failure(of: old) != nil { failures -= 1 }
            if let new, Self.failure(of: new) != nil { failures += 1 }
            visit(old, new)
        }
    }

    /// Returns an entry, or nil where it is filtered out.
    private static func shown(_ entry: ResultEntry?) -> ResultEntry? {
        guard let entry, !unsafeDowncast(entry, to: ValuesEntry.self).isLeftOut else { return nil }
        return entry
    }

    private static func failure(of entry: ResultEntry) -> (any Error)? {
        unsafeDowncast(entry, to: ValuesEntry.self).failure
    }

    private func show(_ step: RowStep?) throws {
        let new = ResultVersion(rows, window, after: version, step)
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
