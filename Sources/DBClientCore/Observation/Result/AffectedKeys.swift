/// Which values of a result some commits concern, as far as their rows tell.
struct AffectedKeys: Sendable {
    /// Values by their primary keys, as ``OrderKey/identity`` has them.
    private(set) var identities = Set<ArraySlice<UInt8>>()
    /// The conditions that find further values in the store.
    private(set) var conditions: [RowCondition] = []
    /// The observers that made all of the changes themselves.
    var silence = SuppressedObservers()

    var isEmpty: Bool { identities.isEmpty && conditions.isEmpty }

    mutating func add(_ identity: ArraySlice<UInt8>) {
        identities.insert(identity)
    }

    mutating func add(_ condition: RowCondition) {
        conditions.append(condition)
    }
}
