/// Writes down what the units of one transaction do to the entities that are watched.
///
/// Used by the writer's thread alone.
final class CommitRecorder {
    private let watches: WatchList
    /// The units that ended.
    private(set) var units: [CapturedUnit] = []
    private var logs: [RowLog] = []
    /// The last entity that was met which nobody watches.
    private var unwatched: EntitySchema?
    private var isUnseen = false
    private var silenced: [ObserverIdentity] = []
    private var marks: [Mark] = []

    private struct Mark {
        let logs: [RowLog.Mark]
        let isUnseen: Bool
        let silencedCount: Int
    }

    init(_ watches: WatchList) {
        self.watches = watches
    }

    /// Returns where to write down the rows of an entity, or nil when nobody watches it.
    func log(of entity: EntitySchema) -> RowLog? {
        // A unit writes to few of the entities that are watched.
        for log in logs where log.entity === entity { return log }
        if unwatched === entity { return nil }
        guard let limit = watches.rowLimit(of: entity.nameBytes) else {
            unwatched = entity
            return nil
        }
        let log = RowLog(entity, name: entity.nameBytes, limit: limit)
        logs.append(log)
        return log
    }

    /// Notes that rows of any entity may have been written unseen.
    func noteUnseenWrite() {
        isUnseen = true
    }

    /// Keeps an observer from being told of the unit.
    func silence(_ token: ObserverIdentity) {
        silenced.append(token)
    }

    // MARK: Savepoints

    func beginSavepoint() {
        marks.append(
            Mark(logs: logs.map(\.mark), isUnseen: isUnseen, silencedCount: silenced.count)
        )
    }

    func releaseSavepoint() {
        _ = marks.popLast()
    }

    func rollbackSavepoint() {
        guard let mark = marks.popLast() else { return }
        for (index, log) in logs.enumerated() {
            log.rollBack(to: index < mark.logs.count ? mark.logs[index] : nil)
        }
        isUnseen = mark.isUnseen
        silenced.removeLast(silenced.count - mark.silencedCount)
    }

    // MARK: Units

    /// Ends a unit; the next one has logs of its own.
    ///
    /// - Parameter hasRows: Whether the rows before are what the writes replaced; if not, only the
    ///   entities are told.
    func endUnit(hasRows: Bool = true) {
        var unseenNames = Set<[UInt8]>()
        for log in logs where log.isOverflown || !hasRows && !log.entries.isEmpty {
            unseenNames.insert(log.name)
        }
        let isEveryLogTold = hasRows && logs.allSatisfy { !$0.entries.isEmpty }
        let unit = CapturedUnit(
            logs: isEveryLogTold ? logs : hasRows ? logs.filter { !$0.entries.isEmpty } : [],
            unseen: isUnseen ? .all : unseenNames.isEmpty ? .none : .entities(unseenNames),
            silenced: silenced
        )
        if !unit.isEmpty { units.append(unit) }
        logs = []
        isUnseen = false
        silenced = []
        marks = []
    }

    /// Returns what is told here of the units that ended.
    ///
    /// What came to be watched only while they ran, given by the present list, counts as changed
    /// unseen.
    func finish(_ now: WatchList?) -> [CapturedUnit] {
        let units = watches.hasOthers ? units.compactMap(watches.told) : units
        guard let now else { return units }
        let missed = now.names.subtracting(watches.names)
        if missed.isEmpty { return units }
        return units + [CapturedUnit(logs: [], unseen: .entities(missed))]
    }
}
