/// The result of a request for values that are made of several rows, that convert, or that are found by
/// rows of others: confined to the hub.
///
/// A commit tells which values it concerns: those whose own rows it wrote, those that are made of rows that
/// it wrote (the result knows of which rows its values are made), and those that the store finds to be placed
/// by such rows. They are refetched in one transaction and compared. Two entries are the same exactly when
/// they are made of the same bytes, so what is read once too often changes nothing.
///
/// Values that are read after a commit may show later ones, of other processes as well. So nothing is shown
/// before it is known that no commit that may be in what was read concerns a value that was not read with it;
/// values are read until that is so, and the whole result, which is always of one moment, where commits overtake that.
final class RefetchingLiveQuery: LiveQuery, @unchecked Sendable {
    private enum Phase {
        /// No subscriber has asked for the result yet.
        case idle
        case reading
        /// Read, and waiting for the commits up to a number, which may be in what was read.
        case waiting(UInt64)
        case live
        case ended
    }

    let coder: any ContentCoder
    private let roles: ContentRoles
    /// The entities whose rows decide which values are found, and where they stand, by their names.
    private let placing: [EntityName: [EntitySchema]]
    /// Asked of the rows of the query's entity, where they alone decide and the condition has an answer for each.
    private let predicate: RowPredicate?
    private var phase = Phase.idle
    private var rows = ResultRows()
    /// The entries by their primary keys.
    private var entries: [ArraySlice<UInt8>: ResultEntry] = [:]
    /// The primary keys of the entries that are made of a row beside their own.
    private var dependents: [ContentKey: Set<ArraySlice<UInt8>>] = [:]
    /// Commits of which it was not looked yet what they concern.
    private var pending: [CapturedCommit] = []
    private var pendingRows = 0
    /// Tells the present reading from those that were given up.
    private var reading = 0
    /// How many readings in a row were overtaken.
    private var overtaken = 0
    /// The observers that made all that changed since the last version.
    private var silence = SuppressedObservers()
    private var change = ResultChange()

    /// More values than this are read as the whole result.
    private static let valueLimit = 4_096
    /// So many readings of a few values may be overtaken before all are read.
    private static let overtakenLimit = 4

    init(_ query: RowQuery, _ coder: any ContentCoder, _ hub: ChangeHub) {
        self.coder = coder
        roles = ContentRoles(query.entity)
        placing = Dictionary(grouping: query.placingEntities, by: \.exactName)
        predicate =
            placing.isEmpty && !query.condition.canFail
            ? RowPredicate(query.condition, of: query.entity) : nil
        super.init(query, hub)
    }

    override var isLive: Bool {
        if case .live = phase { true } else { false }
    }

    override var isWaiting: Bool {
        if case .waiting = phase { true } else { false }
    }

    override func didEnd() {
        phase = .ended
        pending = []
    }

    // MARK: Reading all

    override func load() {
        guard let subscriber = subscribers.first else { return }
        let reading = beginReading()
        let (hub, coder, query, orderKeys) = (hub, coder, window.query, orderKeys)
        Task.detached {
            let loaded: Result<LoadedRows, any Error>
            do {
                let first = hub.resolvedNumber
                let entries = try await subscriber.client.read {
                    try coder.entries(of: query, areAll: query.isEvery, orderKeys, in: $0)
                }
                loaded = .success(
                    LoadedRows(entries: entries, includes: first, mayInclude: hub.begunNumber)
                )
            } catch {
                loaded = .failure(error)
            }
            hub.perform { _ in self.take(loaded, from: subscriber.engine, reading) }
        }
    }

    /// Begins a reading and returns its number.
    func beginReading() -> Int {
        phase = .reading
        reading += 1
        return reading
    }

    private func isCurrent(_ reading: Int) -> Bool {
        if case .reading = phase { reading == self.reading } else { false }
    }

    /// Takes what a reading has found.
    func take(
        _ loaded: Result<LoadedRows, any Error>,
        from engine: any Engine,
        _ reading: Int
    ) {
        guard isCurrent(reading) else { return }
        switch loaded {
        case .success(let loaded):
            var silence = silence
            for commit in pending where commit.first <= loaded.mayInclude {
                silence.add(commit.units, touching: entityNames)
            }
            if !loaded.isSettled, passesOver(silence) {
                Task.detached { [hub] in
                    let settled = await loaded.settled(by: hub)
                    hub.perform { _ in self.take(.success(settled), from: engine, reading) }
                }
                return
            }
            // What was read is of one moment, so it can be shown whatever is still to come.
            replaceAll(loaded)
            overtaken = 0
            self.silence = silence
            if !hub.hasHandedOver(loaded.mayInclude) {
                // It is not known yet which observers made all that was read.
                self.silence.add([])
            }
            pending.removeAll { $0.number <= loaded.includes }
            show()
        case .failure(let error):
            didFail(error, from: engine) { self.isCurrent(reading) }
        }
    }

    private func replaceAll(_ loaded: LoadedRows) {
        let old = entries
        entries = [:]
        dependents = [:]
        entries.reserveCapacity(loaded.entries.count)
        let kept = loaded.entries.map { entry in
            guard let known = old[entry.key.identity], known.isSame(entry) else { return entry }
            return known
        }
        for entry in kept { remember(entry) }
        rows = ResultRows(kept, window)
        change = ResultChange(all: true)
    }

    // MARK: Commits

    override func receive(_ commit: CapturedCommit) {
        switch phase {
        case .live, .reading, .waiting: if query.limit == 0 { return }
        case .idle, .ended: return
        }
        pending.append(commit)
        pendingRows += commit.rowCount
        if pendingRows > IncrementalLiveQuery.backlogLimit {
            // Known only to be much, the same as rows that were not captured.
            let unit = CapturedUnit(logs: [], unseen: .entities(entityNames))
            let first = pending[0].first
            pending = [CapturedCommit(number: commit.number, first: first, units: [unit])]
            pendingRows = 0
        }
        readPending()
    }

    /// Reads what the commits that came meanwhile concern.
    private func readPending() {
        guard case .live = phase, !pending.isEmpty else { return }
        let commits = pending
        pending = []
        pendingRows = 0
        guard let concerned = concernedRows(of: commits) else {
            for commit in commits { silence.add(commit.units, touching: entityNames) }
            return load()
        }
        if !concerned.isEmpty { read(concerned) }
    }

    private func read(_ concerned: AffectedKeys) {
        guard let subscriber = subscribers.first else { return }
        let limit = min(max(1_024, rows.tree.count / 2), Self.valueLimit)
        silence.add(concerned.silence)
        guard concerned.identities.count <= limit else { return load() }
        let reading = beginReading()
        let mustSettle = hub.mayTellLate || passesOver(silence)
        let (hub, coder, query, orderKeys) = (hub, coder, query, orderKeys)
        Task.detached {
            let found: Result<FoundRows?, any Error>
            do {
                var rows = try await subscriber.client.read { transaction in
                    try coder.read(
                        concerned,
                        of: query,
                        atMost: limit,
                        orderKeys,
                        in: transaction,
                        hub
                    )
                }
                if mustSettle { rows?.mayInclude = await hub.settledNumber }
                found = .success(rows)
            } catch {
                found = .failure(error)
            }
            hub.perform { _ in self.take(found, from: subscriber.engine, reading) }
        }
    }

    private func take(
        _ found: Result<FoundRows?, any Error>,
        from engine: any Engine,
        _ reading: Int
    ) {
        guard isCurrent(reading) else { return }
        switch found {
        case .success(let found?):
            replace(found)
            phase = .waiting(found.mayInclude)
            proceed()
        case .success(nil): load()
        case .failure(let error):
            didFail(error, from: engine) { self.isCurrent(reading) }
        }
    }

    private func replace(_ found: FoundRows) {
        var fresh: [ArraySlice<UInt8>: ResultEntry] = [:]
        for entry in found.entries where rows.reaches(entry.key) {
            fresh[entry.key.identity] = entry
        }
        for identity in found.identities {
            let old = entries[identity]
            let new = fresh[identity]
            if let old, let new, old.isSame(new) { continue }
            if let old {
                rows.tree.remove(old.key)
                forget(old)
                change.add(old.key)
            }
            if let new {
                rows.tree.put(new)
                remember(new)
                change.add(new.key)
            }
        }
    }

    override func proceed() {
        guard case .waiting(let number) = phase, hub.hasHandedOver(number) else { return }
        guard let doubtful = concernedRows(of: pending.filter { $0.first <= number }) else {
            return load()
        }
        if doubtful.isEmpty {
            pending.removeAll { $0.number <= number }
            overtaken = 0
            if rows.isShort(for: window) { return load() }
            for entry in rows.trim(to: window) { forget(entry) }
            return show()
        }
        overtaken += 1
        guard overtaken < Self.overtakenLimit, let all = concernedRows(of: pending) else {
            return load()
        }
        pending = []
        pendingRows = 0
        read(all)
    }

    /// Returns what commits concern; nil when their rows do not tell.
    private func concernedRows(of commits: [CapturedCommit]) -> AffectedKeys? {
        var concerned = AffectedKeys()
        for unit in commits.lazy.flatMap(\.units) {
            if entityNames.contains(where: unit.unseen.contains) { return nil }
            var isConcerned = false
            for log in unit.logs where entityNames.contains(log.name) {
                guard let found = add(log, to: &concerned) else { return nil }
                if found { isConcerned = true }
            }
            if isConcerned { concerned.silence.add(unit.silenced) }
        }
        return concerned
    }

    /// Notes what written rows concern, and returns whether they do; nil when they do not tell.
    private func add(_ log: RowLog, to concerned: inout AffectedKeys) -> Bool? {
        if log.name == name && !query.entity.hasRows(of: log.entity) { return nil }
        let written = log.entries.filter { entry in
            guard let before = log.row(entry.before), let after = log.row(entry.after) else {
                return true
            }
            return !before.isSame(after)
        }.lazy.flatMap { [log.row($0.before), log.row($0.after)].compactMap(\.self) }
        // A text that is written moves the scores of others.
        if query.isRanked, log.name == name, !written.isEmpty { return nil }
        var isConcerned = false
        for role in roles[log.name] {
            guard role.rows.hasRows(of: log.entity) else { return nil }
            for row in written {
                let key = OrderKey.identity(of: row, 0, role.key)
                if role.owner === query.entity, role.rows !== query.entity || isFound(row) {
                    concerned.add(key[...])
                    isConcerned = true
                }
                for identity in dependents[ContentKey(role.owner, key)] ?? [] {
                    concerned.add(identity)
                    isConcerned = true
                }
            }
        }
        guard let entities = placing[log.name] else { return isConcerned }
        guard entities.allSatisfy({ $0.hasRows(of: log.entity) }) else { return nil }
        let rows = RowBuffer(log.entity)
        for row in written { rows.append(copying: row) }
        guard rows.count > 0 else { return isConcerned }
        let condition = rows.withBatch { query.condition(ofRowsPlacedBy: $0, of: log.name) }
        guard let condition else { return nil }
        concerned.add(condition)
        return true
    }

    /// Whether a row of the query's entity may be one that is kept.
    private func isFound(_ row: RowBatch) -> Bool {
        guard let predicate else { return true }
        guard predicate.matches(SlotRow(row)) else { return false }
        return !orderKeys.isOwn || rows.reaches(orderKeys.key(of: row))
    }

    // MARK: Entries

    private func remember(_ entry: ResultEntry) {
        entries[entry.key.identity] = entry
        for key in entry.content?.dependencies ?? [] {
            dependents[key, default: []].insert(entry.key.identity)
        }
    }

    private func forget(_ entry: ResultEntry) {
        entries[entry.key.identity] = nil
        for key in entry.content?.dependencies ?? [] {
            dependents[key]?.remove(entry.key.identity)
            if dependents[key]?.isEmpty == true { dependents[key] = nil }
        }
    }

    private func show() {
        phase = .live
        let (change, silence) = (change, silence)
        self.change = ResultChange()
        self.silence = SuppressedObservers()
        #if DEBUG
        rows.checkInvariants()
        precondition(entries.count == rows.tree.count, "an entry is not known by its key")
        #endif
        if change.isVisible(in: version) {
            show(rows.tree, silence)
        } else {
            showToNewReaders()
        }
        readPending()
    }
}

extension ResultEntry {
    /// Whether another entry of the row is at the same place and has the same value.
    fileprivate func isSame(_ other: ResultEntry) -> Bool {
        guard key == other.key, let content, let others = other.content else { return false }
        return content.isSame(others)
    }
}

extension RowQuery {
    /// Whether the query finds every row.
    fileprivate var isEvery: Bool {
        condition == .constant(true) && limit == nil && offset == 0
    }
}
