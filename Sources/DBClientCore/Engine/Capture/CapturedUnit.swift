/// The changes that one write unit made to the entities that were observed when it began.
///
/// Sealed: never changed once it is published.
public final class CapturedUnit: @unchecked Sendable {
    /// The rows that were written, by entity.
    public let logs: [RowLog]
    /// Which entities were changed by rows that were not captured.
    public let unseen: UntrackedChanges
    /// The observers that asked not to be notified of the unit.
    let silenced: [ObserverIdentity]
    /// Whether another process or client committed it, perhaps before commits of this process that had begun.
    let mayBeEarlier: Bool

    /// Makes a unit of the rows of a foreign commit.
    ///
    /// - Parameters:
    ///   - logs: The rows, by entity; nothing is appended to a log from here on.
    ///   - unseen: Which entities were changed by rows that are not known.
    public convenience init(logs: [RowLog] = [], unseen: UntrackedChanges) {
        self.init(logs: logs, unseen: unseen, silenced: [])
    }

    init(
        logs: [RowLog],
        unseen: UntrackedChanges,
        silenced: [ObserverIdentity],
        mayBeEarlier: Bool = false
    ) {
        self.logs = logs
        self.unseen = unseen
        self.silenced = silenced
        self.mayBeEarlier = mayBeEarlier
    }

    /// Makes what is left of units when their rows are released: which entities they wrote.
    convenience init(namesOf units: some Sequence<CapturedUnit>) {
        var unseen = UntrackedChanges.none
        var mayBeEarlier = false
        for unit in units {
            unseen = unit.logs.reduce(unseen.union(unit.unseen)) { $0.union(.entities([$1.name])) }
            if unit.mayBeEarlier { mayBeEarlier = true }
        }
        self.init(logs: [], unseen: unseen, silenced: [], mayBeEarlier: mayBeEarlier)
    }

    /// Returns the unit as one of which it is not known what it did to some entities.
    func unseen(_ names: Set<EntityName>) -> CapturedUnit {
        CapturedUnit(
            logs: logs.filter { !names.contains($0.name) },
            unseen: unseen.union(.entities(names)),
            silenced: silenced,
            mayBeEarlier: mayBeEarlier
        )
    }

    var isEmpty: Bool { logs.isEmpty && unseen == .none }
}

extension [CapturedUnit] {
    /// How many writes of rows were captured.
    var rowCount: Int {
        reduce(0) { $0 + $1.logs.reduce(0) { $0 + $1.entries.count } }
    }
}

/// Changes of which it is only known that they may have happened.
public enum UntrackedChanges: Equatable, Sendable {
    /// No rows changed without being captured.
    case none
    /// Some rows of these entities, by their names.
    case entities(Set<EntityName>)
    /// Some rows of any entity, which ones is not known.
    case all

    /// Returns whether rows of an entity may have changed.
    public func contains(_ name: EntityName) -> Bool {
        switch self {
        case .none: false
        case .entities(let names): names.contains(name)
        case .all: true
        }
    }

    /// Returns what may have changed by either.
    public func union(_ other: UntrackedChanges) -> UntrackedChanges {
        switch (self, other) {
        case (.none, let changes), (let changes, .none): changes
        case (.entities(let names), .entities(let others)): .entities(names.union(others))
        case (.all, _), (_, .all): .all
        }
    }
}

/// The units that one commit of the engine made durable, in order.
struct CapturedCommit: Sendable {
    /// The place of the commit in the order of all commits to the store.
    let number: UInt64
    /// The place of the first commit of which it tells, the same but where several were made one.
    let first: UInt64
    let units: [CapturedUnit]

    init(number: UInt64, first: UInt64? = nil, units: [CapturedUnit]) {
        self.number = number
        self.first = first ?? number
        self.units = units
    }

    /// Whether the rows are known, and so few that the writer itself may tell the observers.
    var isSmall: Bool {
        units.allSatisfy { $0.unseen == .none } && rowCount <= 32
    }

    /// How many writes of rows were captured.
    var rowCount: Int { units.rowCount }
}

/// The identity of an observer: the instance itself.
final class ObserverIdentity: Sendable {}
