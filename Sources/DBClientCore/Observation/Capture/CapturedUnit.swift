/// What one write unit did to the entities that were watched when it began.
///
/// Sealed: never changed once it is published.
final class CapturedUnit: @unchecked Sendable {
    /// The rows that were written, by entity.
    let logs: [RowLog]
    /// Which entities were changed by rows that nobody saw.
    let unseen: UnseenChanges
    /// Those that asked not to be told of the unit.
    let silenced: [ObserverIdentity]

    init(logs: [RowLog], unseen: UnseenChanges = .none, silenced: [ObserverIdentity] = []) {
        self.logs = logs
        self.unseen = unseen
        self.silenced = silenced
    }

    var isEmpty: Bool { logs.isEmpty && unseen == .none }
}

/// Changes of which it is only known that they may have happened.
enum UnseenChanges: Equatable, Sendable {
    case none
    /// Some rows of these entities, by the bytes of their names.
    case entities(Set<[UInt8]>)
    /// Rows of any entity.
    case all

    func contains(_ name: [UInt8]) -> Bool {
        switch self {
        case .none: false
        case .entities(let names): names.contains(name)
        case .all: true
        }
    }

    /// Returns what may have changed by either.
    func union(_ other: UnseenChanges) -> UnseenChanges {
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
    var rowCount: Int {
        units.reduce(0) { $0 + $1.logs.reduce(0) { $0 + $1.entries.count } }
    }
}

/// Who observes: known by the instance alone.
final class ObserverIdentity: Sendable {}
