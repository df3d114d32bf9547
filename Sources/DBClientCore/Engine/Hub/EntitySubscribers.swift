/// The subscribers to the commits to one entity.
///
/// Subscribers to one value of a field are found by the values that were written, so that a thousand of them
/// cost a commit no more than one.
struct EntitySubscribers {
    private var all: [any CommitSubscriber] = []
    /// By the field's position, then by the value.
    private var selective: [Int: [StorageValue: [any CommitSubscriber]]] = [:]
    /// The schemas of the selectors' fields; models of one entity may differ in them.
    private var schemas = Set<EntitySchema>()

    var isEmpty: Bool { all.isEmpty && selective.isEmpty }

    mutating func add(_ subscriber: any CommitSubscriber) {
        guard let selector = subscriber.selector else { return all.append(subscriber) }
        selective[selector.column, default: [:]][selector.value, default: []].append(subscriber)
        schemas.insert(selector.entity)
    }

    mutating func remove(_ subscriber: any CommitSubscriber) {
        guard let selector = subscriber.selector else { return all.removeAll { $0 === subscriber } }
        let (column, value) = (selector.column, selector.value)
        selective[column]?[value]?.removeAll { $0 === subscriber }
        if selective[column]?[value]?.isEmpty == true { selective[column]?[value] = nil }
        if selective[column]?.isEmpty == true { selective[column] = nil }
    }

    /// Every subscriber, whatever value of a field it asks for.
    var everyone: [any CommitSubscriber] {
        all + selective.values.flatMap { $0.values.joined() }
    }

    /// The subscribers that rows may concern, some of them more than once.
    func subscribers(of log: RowLog) -> [any CommitSubscriber] {
        if selective.isEmpty { return all }
        guard schemas.allSatisfy({ $0.hasRows(of: log.entity) }) else { return everyone }
        var subscribers = all
        for (column, byValue) in selective {
            for entry in log.entries {
                let before = log.row(entry.before).map { $0[0, column] }
                let after = log.row(entry.after).map { $0[0, column] }
                if let before, let found = byValue[StorageValue(before)] { subscribers += found }
                // Most writes keep the value.
                if let before, let after, Slot.compare(before, after) == 0 { continue }
                if let after, let found = byValue[StorageValue(after)] { subscribers += found }
            }
        }
        return subscribers
    }
}

/// A field and the one value of it that concerns a subscriber.
struct RowSelector: Sendable {
    let entity: EntitySchema
    let column: Int
    let value: StorageValue

    /// Returns what rows must have in a field to fulfil a query's condition, if there is such a field.
    init?(_ query: RowQuery) {
        guard let (column, value) = Self.equality(in: query.condition) else { return nil }
        entity = query.entity
        self.column = column
        self.value = value
    }

    private static func equality(in condition: RowCondition) -> (Int, StorageValue)? {
        switch condition {
        case .compare(let column, .equal, let value, .binary): (column, value)
        case .field(let column, .isIn(let values)) where values.count == 1: (column, values[0])
        case .all(let operands): operands.lazy.compactMap { equality(in: $0) }.first
        default: nil
        }
    }
}
