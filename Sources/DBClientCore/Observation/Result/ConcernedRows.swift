/// Which values of a result some commits concern, as far as their rows tell.
struct ConcernedRows: Sendable {
    /// Values by their primary keys, as ``OrderKey/identity`` has them.
    private(set) var identities = Set<ArraySlice<UInt8>>()
    /// What finds further values, which the store tells.
    private(set) var conditions: [RowCondition] = []
    /// Who made every one of the changes; nil while there are none.
    private(set) var silenced: [ObserverIdentity]?

    var isEmpty: Bool { identities.isEmpty && conditions.isEmpty }

    mutating func add(_ identity: ArraySlice<UInt8>) {
        identities.insert(identity)
    }

    mutating func add(_ condition: RowCondition) {
        conditions.append(condition)
    }

    /// Notes who need not be told of a unit that concerns some values.
    mutating func add(silenced observers: [ObserverIdentity]) {
        silenced =
            silenced.map { before in
                before.filter { known in observers.contains { $0 === known } }
            } ?? observers
    }

    /// Notes what earlier commits concern, of which nobody was told yet.
    mutating func add(silencedBefore observers: [ObserverIdentity]?) {
        if let observers { add(silenced: observers) }
    }
}
