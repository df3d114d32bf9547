/// The result of one request, kept up to date from commits: confined to the hub.
///
/// It is read once. From then on a commit costs what it changed: the condition is asked of the changed
/// rows alone, and their places are found by search. A request with a limit keeps more rows than it
/// shows, so that it is read again only when those run out.
///
/// While the rows are read, commits go on; those that may or may not be in what was read are applied to
/// it by key, which is right either way, since each tells the whole row (``merge(_:)``). That would be
/// wrong if another process wrote a row after them, so foreign commits are told of first.
final class IncrementalLiveQuery: LiveQuery, @unchecked Sendable {
    private enum Phase {
        /// No subscriber has asked for the result yet.
        case idle
        case loading
        /// Read, and waiting for the commits that began before the reading ended.
        case merging(LoadedRows)
        case live
        case ended
    }

    private let coder: any EntryCoder
    private let predicate: RowPredicate
    @exclusivity(unchecked) private var phase = Phase.idle
    @exclusivity(unchecked) private var rows = ResultRows()
    /// The commits made while the rows were read.
    private var backlog: [CapturedCommit] = []
    private var backlogRows = 0
    /// The observers that made all that changed since the version, while the result is read again.
    private var silence = SuppressedObservers()

    /// More rows than this are not kept while a result is read; it is then read once more.
    static let backlogLimit = 262_144

    init(_ query: RowQuery, _ coder: any EntryCoder, _ hub: ChangeHub) {
        self.coder = coder
        predicate = RowPredicate(query.condition, of: query.entity)
        super.init(query, hub)
    }

    override var isLive: Bool {
        if case .live = phase { true } else { false }
    }

    override var isWaiting: Bool {
        if case .merging = phase { true } else { false }
    }

    override func didEnd() {
        phase = .ended
    }

    // MARK: Reading

    override func load() {
        guard let engine = subscribers.first?.engine else { return }
        phase = .loading
        // What came meanwhile is in what is read now.
        for commit in backlog { silence.add(commit.units, touching: entityNames) }
        if backlogRows > Self.backlogLimit { silence.add([]) }
        backlog = []
        backlogRows = 0
        let (hub, coder, query, orderKeys) = (hub, coder, window.query, orderKeys)
        Task.detached {
            let loaded: Result<LoadedRows, any Error>
            do {
                let first = hub.resolvedNumber
                let entries = try await engine.read { reader in
                    try coder.entries(of: query, orderKeys, in: reader)
                }
                loaded = .success(
                    LoadedRows(entries: entries, includes: first, mayInclude: hub.begunNumber)
                )
            } catch {
                loaded = .failure(error)
            }
            hub.perform { _ in self.take(loaded, from: engine) }
        }
    }

    private func take(_ loaded: Result<LoadedRows, any Error>, from engine: any Engine) {
        guard case .loading = phase else { return }
        switch loaded {
        case .success(let loaded):
            phase = .merging(loaded)
            proceed()
        case .failure(let error):
            didFail(error, from: engine) {
                if case .loading = self.phase { true } else { false }
            }
        }
    }

    override func proceed() {
        guard case .merging(let loaded) = phase, hub.hasHandedOver(loaded.mayInclude) else {
            return
        }
        guard backlogRows <= Self.backlogLimit else { return load() }
        let doubtful = backlog.filter {
            $0.number > loaded.includes && $0.number <= loaded.mayInclude
        }
        let mustSettle = !doubtful.isEmpty && hub.mayTellLate || passesOver(silence(of: loaded))
        if !loaded.isSettled, mustSettle { return settle(loaded) }
        do {
            guard try merge(loaded, doubtful) else { return loadAgain(after: loaded) }
        } catch {
            return fail(error)
        }
        let later = backlog.filter { $0.number > loaded.mayInclude }
        silence = silence(of: loaded)
        backlog = []
        phase = .live
        show(silence)
        silence = SuppressedObservers()
        for commit in later { receive(commit) }
    }

    /// Returns the observers that made all that changed from the version to what was read.
    private func silence(of loaded: LoadedRows) -> SuppressedObservers {
        var silence = silence
        for commit in backlog where commit.number <= loaded.mayInclude {
            silence.add(commit.units, touching: entityNames)
        }
        return silence
    }

    /// Finds out whether what was read has foreign commits as well.
    private func settle(_ loaded: LoadedRows) {
        guard let engine = subscribers.first?.engine else { return }
        phase = .loading
        Task.detached { [hub] in
            let settled = await loaded.settled(by: hub)
            hub.perform { _ in self.take(.success(settled), from: engine) }
        }
    }

    /// Reads once more because of a commit of which only the entities are known.
    ///
    /// What was read is of one moment, and later than what is shown. So it is shown meanwhile: where others
    /// commit all the time, such a commit may come during every reading.
    private func loadAgain(after loaded: LoadedRows) {
        rows = ResultRows(loaded.entries, window).reusing(rows, coder.makeComparison())
        show(SuppressedObservers())
        load()
    }

    /// Makes the result of what was read and of the commits that it may or may not have.
    ///
    /// - Returns: Whether that is possible.
    private func merge(_ loaded: LoadedRows, _ doubtful: [CapturedCommit]) throws -> Bool {
        // They own the memory of their rows.
        defer { withExtendedLifetime(doubtful) {} }
        var changed: [ArraySlice<UInt8>: RowBatch?] = [:]
        for unit in doubtful.lazy.flatMap(\.units) {
            if unit.unseen.contains(name) { return false }
            for log in unit.logs where log.name == name {
                guard query.entity.hasRows(of: log.entity) else { return false }
                for entry in log.entries {
                    let after = log.row(entry.after)
                    guard let row = after ?? log.row(entry.before) else { continue }
                    changed[orderKeys.key(of: row).identity] = .some(after)
                }
            }
        }
        var fresh = ResultRows(loaded.entries, window)
        if !changed.isEmpty {
            fresh = ResultRows(
                loaded.entries.filter { changed[$0.key.identity] == nil },
                bound: fresh.bound
            )
            for case let row? in changed.values where predicate.matches(SlotRow(row)) {
                let key = orderKeys.key(of: row)
                if fresh.reaches(key) { fresh.tree.put(try coder.entry(key, row)) }
            }
            if fresh.isShort(for: window) { return false }
        }
        rows = fresh.reusing(rows, coder.makeComparison())
        return true
    }

    // MARK: Commits

    override func receive(_ commit: CapturedCommit) {
        switch phase {
        case .live:
            for (index, unit) in commit.units.enumerated() {
                receive(unit)
                guard case .live = phase else {
                    // The reading that has begun has the rest of the commit.
                    return silence.add(commit.units[index...], touching: entityNames)
                }
            }
        case .loading, .merging:
            backlogRows += commit.rowCount
            if backlogRows > Self.backlogLimit { backlog = [] } else { backlog.append(commit) }
        case .idle, .ended: break
        }
    }

    private func receive(_ unit: CapturedUnit) {
        if query.limit == 0 { return }
        if unit.unseen.contains(name) { return load() }
        var change = ResultChange()
        do {
            for log in unit.logs where log.name == name {
                guard query.entity.hasRows(of: log.entity) else { return load() }
                for entry in log.entries {
                    let before = log.matches(entry.before, predicate)
                    let after = log.matches(entry.after, predicate)
                    guard before || after else { continue }
                    let isKnown = try rows.apply(
                        before: before ? log.row(entry.before) : nil,
                        after: after ? log.row(entry.after) : nil,
                        orderKeys,
                        coder,
                        &change
                    )
                    if !isKnown { return load() }
                }
            }
        } catch {
            return fail(error)
        }
        if rows.isShort(for: window) { return load() }
        rows.trim(to: window)
        if change.isVisible(in: version) {
            show(SuppressedObservers(unit.silenced), after: change.step)
        }
    }

    private func show(_ silence: SuppressedObservers, after step: RowStep? = nil) {
        #if DEBUG
        rows.checkInvariants()
        #endif
        show(rows.tree, silence, after: step)
    }
}

/// The rows read from a store while there were commits.
struct LoadedRows: Sendable {
    let entries: [ResultEntry]
    /// Every commit up to this number is in it.
    let includes: UInt64
    /// No commit after this number is in it.
    private(set) var mayInclude: UInt64
    /// Whether every foreign commit that is in it was told.
    private(set) var isSettled = false

    init(entries: [ResultEntry], includes: UInt64, mayInclude: UInt64) {
        self.entries = entries
        self.includes = includes
        self.mayInclude = mayInclude
    }

    /// Returns the same once every foreign commit was told that is in it.
    func settled(by hub: ChangeHub) async -> LoadedRows {
        var settled = self
        settled.mayInclude = await hub.settledNumber
        settled.isSettled = true
        return settled
    }
}
