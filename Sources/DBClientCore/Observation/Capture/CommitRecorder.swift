/// Writes down what the units of one transaction do to the entities that are watched.
///
/// Used by the writer's thread alone.
final class CommitRecorder {
    private let watches: WatchList
    /// The units that ended.
    private(set) var units: [CapturedUnit] = []
    private var logs: [RowLog] = []
    /// The log of each entity that was met; nil for one that nobody watches.
    private var logByEntity: [ObjectIdentifier: RowLog?] = [:]
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
        if let known = logByEntity[ObjectIdentifier(entity)] { return known }
        var log: RowLog?
        let name = entity.nameBytes
        if let limit = watches.rowLimit(of: name) {
            let new = RowLog(entity, name: name, limit: limit)
            logs.append(new)
            log = new
        }
        logByEntity[ObjectIdentifier(entity)] = .some(log)
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
        let unit = CapturedUnit(
            logs: hasRows ? logs.filter { !$0.entries.isEmpty } : [],
            unseen: isUnseen ? .all : unseenNames.isEmpty ? .none : .entities(unseenNames),
            silenced: silenced
        )
        if !unit.isEmpty { units.append(unit) }
        logs = []
        logByEntity = [:]
        isUnseen = false
        silenced = []
        marks = []
    }

    /// Returns what is told here of the units that ended.
    ///
    /// What came to be watched only while they ran, given by the present list, counts as changed
    /// unseen.
    func finish(_ now: WatchList?) -> [CapturedUnit] {
        let units = units.compactMap(watches.told)
        guard let now else { return units }
        let missed = now.names.subtracting(watches.names)
        if missed.isEmpty { return units }
        return units + [CapturedUnit(logs: [], unseen: .entities(missed))]
    }
}

extension EntitySchema {
    /// The bytes of the stored name: as a `String`, two names that Unicode holds to be equal would be
    /// one.
    var nameBytes: [UInt8] { Array(name.utf8) }
}
