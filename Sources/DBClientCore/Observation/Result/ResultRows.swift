/// The rows that a result keeps: all of them, or the first of those of a request with a limit.
struct ResultRows {
    var tree = ResultTree()
    /// The last key up to which every row is kept; nil when all are.
    private(set) var bound: OrderKey?

    init() {}

    /// Takes rows that were read with the query of the rows to keep.
    init(_ entries: [ResultEntry], _ window: ResultWindow) {
        self.init(entries, bound: entries.count == window.query.limit ? entries.last?.key : nil)
    }

    init(_ entries: [ResultEntry], bound: OrderKey?) {
        tree = ResultTree(entries)
        self.bound = bound
    }

    /// Takes the rows of a tree, all of which are kept.
    init(sharing tree: ResultTree) {
        self.tree = tree
        bound = nil
    }

    /// Whether a row with a key is kept if it exists.
    func reaches(_ key: OrderKey) -> Bool {
        guard let bound else { return true }
        return key <= bound
    }

    /// Whether rows that the request shows may be missing.
    func isShort(for window: ResultWindow) -> Bool {
        bound != nil && tree.count < window.shown
    }

    /// Lets rows go that are far beyond what the request shows, and returns them.
    @discardableResult
    mutating func trim(to window: ResultWindow) -> [ResultEntry] {
        guard let kept = window.query.limit, tree.count > kept + window.margin else { return [] }
        let removed = tree.keepFirst(kept)
        bound = tree.last?.key
        return removed
    }

    /// Applies what happened to a row, given as it was and as it is where it fulfils the condition.
    ///
    /// - Returns: Whether the row was where it should have been.
    mutating func apply(
        before: RowBatch?,
        after: RowBatch?,
        _ orderKeys: OrderKeyEncoder,
        _ coder: any EntryCoder,
        _ change: inout ResultChange
    ) throws -> Bool {
        if let before, let after, before.isSame(after) { return true }
        let oldKey = before.map { orderKeys.key(of: $0) }
        let newKey = after.map { orderKeys.key(of: $0) }
        var step = RowStep()
        if let oldKey, oldKey != newKey, reaches(oldKey) {
            guard let old = tree.remove(oldKey) else { return false }
            change.add(oldKey)
            step.old = old
        }
        if let newKey, let after, reaches(newKey) {
            let new = try coder.entry(newKey, after)
            let (position, replaced) = tree.put(new)
            if let replaced { step.old = PlacedEntry(entry: replaced, position: position) }
            change.add(newKey)
            step.new = PlacedEntry(entry: new, position: position)
        }
        change.add(step)
        return true
    }

    /// Returns the rows with the entries of earlier ones in the place of those that have the same
    /// value, so that a comparison of both steps over them.
    func reusing(_ old: ResultRows, _ comparison: any EntryComparison) -> ResultRows {
        if old.tree.count == 0 { return self }
        var left = ResultWalk(old.tree, 0..<old.tree.count)
        var entries: [ResultEntry] = []
        entries.reserveCapacity(tree.count)
        var right = ResultWalk(tree, 0..<tree.count)
        while true {
            switch (left.item, right.item) {
            case (_, .end): return ResultRows(entries, bound: bound)
            case (_, .node): right.descend()
            case (.node, _): left.descend()
            case (.end, .entry(let entry)):
                entries.append(entry)
                right.advance()
            case (.entry(let known), .entry(let entry)):
                let order = known.key.compare(entry.key)
                if order < 0 {
                    left.advance()
                } else {
                    let isSame = order == 0 && comparison.isSame(known, entry)
                    entries.append(isSame ? known : entry)
                    right.advance()
                }
            }
        }
    }

    /// Checks the tree, unless it is so large that the check would be what a test measures.
    func checkInvariants() {
        guard tree.count <= 4_096 else { return }
        tree.checkInvariants()
        if let last = tree.last { precondition(reaches(last.key), "a row is beyond the bound") }
    }
}

/// The range of a query's rows that is kept: up to the last that the request shows, and a margin beyond.
struct ResultWindow: Sendable {
    /// The query of the rows that are kept.
    let query: RowQuery
    /// How many of them the request needs for what it shows.
    let shown: Int
    /// How many more are read than are needed.
    let margin: Int

    init(_ query: RowQuery) {
        var kept = query
        kept.offset = 0
        if let limit = query.limit {
            shown =
                query.offset.addingReportingOverflow(limit).overflow ? .max : query.offset + limit
            margin = Swift.min(Swift.max(limit / 2, 32), 1_024)
            kept.limit = limit == 0 ? 0 : shown > .max - 2 * margin ? nil : shown + margin
        } else {
            shown = 0
            margin = 0
        }
        self.query = kept
    }
}

/// The changes of a unit to a result.
struct ResultChange {
    /// How far to the front of the result it reached.
    private(set) var first: OrderKey?
    /// The one row that it changed, unless it changed more.
    private(set) var step: RowStep?
    private var stepCount = 0
    /// Whether every row may have changed, so that whole results are compared.
    private let isOfAll: Bool

    init(all: Bool = false) {
        isOfAll = all
    }

    mutating func add(_ key: OrderKey) {
        if let first, first <= key { return }
        first = key
    }

    mutating func add(_ row: RowStep) {
        stepCount += 1
        step = stepCount == 1 ? row : nil
    }

    /// Whether subscribers that got a version have to be told.
    func isVisible(in version: ResultVersion?) -> Bool {
        guard let version, !isOfAll else { return true }
        return first.map(version.shows) ?? false
    }
}

extension RowBatch {
    /// Whether two rows hold the same values.
    func isSame(_ other: RowBatch) -> Bool {
        for column in 0..<columnCount
        where Slot.compare(self[0, column], other[0, column]) != 0 { return false }
        return true
    }
}
