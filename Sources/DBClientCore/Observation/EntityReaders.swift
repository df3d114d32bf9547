/// Who wants to be told of the commits to one entity.
///
/// Those who ask for one value of a field are found by the values that were written, so that a thousand
/// of them cost a commit no more than one.
struct EntityReaders {
    private var all: [any CommitReader] = []
    /// By the field's position, then by the value.
    private var selective: [Int: [StorageValue: [any CommitReader]]] = [:]
    /// The schemas of the selectors' fields; models of one entity may differ in them.
    private var schemas = Set<EntitySchema>()

    var isEmpty: Bool { all.isEmpty && selective.isEmpty }

    mutating func add(_ reader: any CommitReader) {
        guard let selector = reader.selector else { return all.append(reader) }
        selective[selector.column, default: [:]][selector.value, default: []].append(reader)
        schemas.insert(selector.entity)
    }

    mutating func remove(_ reader: any CommitReader) {
        guard let selector = reader.selector else { return all.removeAll { $0 === reader } }
        let (column, value) = (selector.column, selector.value)
        selective[column]?[value]?.removeAll { $0 === reader }
        if selective[column]?[value]?.isEmpty == true { selective[column]?[value] = nil }
        if selective[column]?.isEmpty == true { selective[column] = nil }
    }

    /// Everyone.
    var everyone: [any CommitReader] {
        all + selective.values.flatMap { $0.values.joined() }
    }

    /// Those whom rows may concern, some of them more than once.
    func readers(of log: RowLog) -> [any CommitReader] {
        if selective.isEmpty { return all }
        guard schemas.allSatisfy({ $0.hasRows(of: log.entity) }) else { return everyone }
        var readers = all
        for (column, byValue) in selective {
            for entry in log.entries {
                let before = log.row(entry.before).map { $0[0, column] }
                let after = log.row(entry.after).map { $0[0, column] }
                if let before, let found = byValue[StorageValue(before)] { readers += found }
                // Most writes keep the value.
                if let before, let after, Slot.compare(before, after) == 0 { continue }
                if let after, let found = byValue[StorageValue(after)] { readers += found }
            }
        }
        return readers
    }
}

/// A field and the one value of it that concerns a reader.
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
        case .isIn(let column, let values) where values.count == 1: (column, values[0])
        case .all(let operands): operands.lazy.compactMap { equality(in: $0) }.first
        default: nil
        }
    }
}
