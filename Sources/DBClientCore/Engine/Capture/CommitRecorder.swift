/// Writes down what the units of one transaction do to the entities that are watched.
///
/// Used by the writer's thread alone.
final class CommitRecorder {
    private let watches: WatchList
    /// How many rows are copied at most of an entity that is not watched; nil where none are.
    private let rowLimit: Int?
    /// The units of the transaction that have ended.
    @exclusivity(unchecked) private(set) var units: [CapturedUnit] = []
    @exclusivity(unchecked) private var logs: [RowLog] = []
    /// Other instances of the schemas of the logs, each with the log of its rows.
    @exclusivity(unchecked) private var others: [(entity: EntitySchema, log: RowLog)] = []
    /// The entities of which rows were written that are in no log, or in logs that tell no order.
    @exclusivity(unchecked) private var unseenNames = Set<EntityName>()
    /// The entities of which rows were left out because they concern no observer.
    @exclusivity(unchecked) private var filteredNames = Set<EntityName>()
    /// The entities that units did something to that left no row behind.
    @exclusivity(unchecked) private var triedNames = Set<EntityName>()
    /// The last entity that was met which has no observer.
    @exclusivity(unchecked) private var unwatched: EntitySchema?
    @exclusivity(unchecked) private var isUnseen = false
    @exclusivity(unchecked) private var silenced: [ObserverIdentity] = []
    @exclusivity(unchecked) private var marks: [Mark] = []

    private struct Mark {
        let logs: [RowLog.Mark]
        let isUnseen: Bool
        let silencedCount: Int
    }

    init(_ watches: WatchList, rowLimit: Int? = nil) {
        self.watches = watches
        self.rowLimit = rowLimit
    }

    /// Returns where to write down the rows of an entity, or nil when it has no observer.
    func log(of entity: EntitySchema) -> RowLog? {
        // A unit writes to few of the entities that are watched.
        for log in logs where log.entity === entity { return log }
        if unwatched === entity { return nil }
        for other in others where other.entity === entity { return other.log }
        let name = entity.exactName
        guard let limit = watches.rowLimit(of: name) ?? rowLimit else {
            unwatched = entity
            return nil
        }
        // One schema may have several instances, such as one that was read from the store. The order
        // of the writes is only known within a log.
        if let log = logs.first(where: { $0.name == name && $0.entity.hasRows(of: entity) }) {
            others.append((entity, log))
            return log
        }
        if logs.contains(where: { $0.name == name }) { unseenNames.insert(name) }
        let log = RowLog(entity, name: name, limit: limit, watches: watches)
        logs.append(log)
        return log
    }

    /// Notes that a row was written of which it is not known what it was before.
    func noteUntrackedWrite(of log: RowLog) {
        unseenNames.insert(log.name)
    }

    /// Whether rows of a log's entity may have been written that are not in it.
    func isUnseen(_ log: RowLog) -> Bool { isUnseen || unseenNames.contains(log.name) }

    /// Notes that rows of some entities may have been written unseen.
    func noteUntrackedWrites(of names: Set<EntityName>) {
        unseenNames.formUnion(names.filter { watches.rowLimit(of: $0) != nil })
    }

    /// Notes that rows of any entity may have been written unseen.
    func noteUntrackedWrite() {
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
    ///   entities are told, of all that was tried: a row that was not found may have been written.
    func endUnit(hasRows: Bool = true) {
        var areAllTold = true
        for log in logs {
            if log.isOverflown || !hasRows { unseenNames.insert(log.name) }
            if log.hasLeftOut { filteredNames.insert(log.name) }
            if log.entries.isEmpty {
                areAllTold = false
                triedNames.insert(log.name)
            }
        }
        if !areAllTold || !unseenNames.isEmpty {
            logs.removeAll { $0.entries.isEmpty || unseenNames.contains($0.name) }
        }
        let unit = CapturedUnit(
            logs: logs,
            unseen: isUnseen ? .all : unseenNames.isEmpty ? .none : .entities(unseenNames),
            silenced: silenced
        )
        if !unit.isEmpty { units.append(unit) }
        logs = []
        others = []
        unseenNames = []
        isUnseen = false
        silenced = []
        marks = []
    }

    /// The entities that are watched here and that no unit which ended did anything to.
    var untouchedNames: Set<EntityName> {
        var names = watches.names.subtracting(filteredNames).subtracting(triedNames)
        for unit in units {
            switch unit.unseen {
            case .all: return []
            case .entities(let unseen): names.subtract(unseen)
            case .none: break
            }
            for log in unit.logs { names.remove(log.name) }
        }
        return names
    }

    /// Returns what is told here of the units that ended.
    ///
    /// An entity that was first observed while they ran, given by the present list, counts as changed unseen,
    /// and so do rows that were left out and may concern an observer that came since.
    ///
    /// - Parameters:
    ///   - now: The present list, where it is another one.
    ///   - missed: The entities that the store wrote to by itself in the transaction.
    /// - Returns: The units.
    func finish(_ now: WatchList?, unseen missed: Set<EntityName> = []) -> [CapturedUnit] {
        let units = watches.hasOthers ? units.compactMap(watches.told) : units
        var missed = missed
        if let now {
            missed.formUnion(now.names.subtracting(watches.names))
            missed.formUnion(filteredNames.filter { now.wantsMore(than: watches, of: $0) })
        }
        if missed.isEmpty { return units }
        // The rows that are known are only a part, which alone would be a state that never was.
        if units.count == 1 { return [units[0].unseen(missed)] }
        return units.map { $0.unseen(missed) } + [CapturedUnit(unseen: .entities(missed))]
    }
}
