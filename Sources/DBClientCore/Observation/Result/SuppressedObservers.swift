/// The observers that made all of some changes, and need not be told of them.
struct SuppressedObservers: Sendable {
    /// Nil while there are no changes.
    private var observers: [ObserverIdentity]?

    /// Creates an instance for no change.
    init() {}

    /// Creates an instance for one change.
    init(_ silenced: [ObserverIdentity]) {
        observers = silenced
    }

    /// Notes a change that some observers made.
    mutating func add(_ silenced: [ObserverIdentity]) {
        guard let known = observers else {
            observers = silenced
            return
        }
        observers = known.filter { known in silenced.contains { $0 === known } }
    }

    /// Adds the changes of another instance.
    mutating func add(_ other: SuppressedObservers) {
        if let silenced = other.observers { add(silenced) }
    }

    /// Notes the units of a commit that touch some entities.
    mutating func add(_ units: some Sequence<CapturedUnit>, touching names: Set<EntityName>) {
        for unit in units where unit.touches(names) { add(unit.silenced) }
    }

    /// Whether an observer made every change.
    func covers(_ observer: ObserverIdentity) -> Bool {
        observers?.contains { $0 === observer } ?? false
    }
}

extension CapturedUnit {
    /// Whether the unit may have written rows of some entities.
    func touches(_ names: Set<EntityName>) -> Bool {
        logs.contains { names.contains($0.name) } || names.contains(where: unseen.contains)
    }
}
