/// What was read of a store: the rows that fulfil some conditions, those with some keys, and whole entities.
struct ReadDependencies: Equatable, Sendable {
    /// What was read of one entity.
    struct Rows: Equatable, Sendable {
        let entity: EntitySchema
        /// Whether every row counts, whatever is in it.
        private(set) var areAll = false
        private(set) var conditions: Set<RowCondition> = []
        private(set) var keys: Set<[StorageValue]> = []

        /// With more conditions or keys than these, a commit is looked at faster when every row counts.
        private static let conditionLimit = 32
        private static let keyLimit = 1_024

        fileprivate init(_ entity: EntitySchema) {
            self.entity = entity
        }

        fileprivate mutating func addAll() {
            (areAll, conditions, keys) = (true, [], [])
        }

        fileprivate mutating func add(_ condition: RowCondition) {
            if areAll { return }
            if condition == .constant(true) { return addAll() }
            conditions.insert(condition)
            if conditions.count > Self.conditionLimit { addAll() }
        }

        fileprivate mutating func add(_ key: [StorageValue]) {
            if areAll { return }
            keys.insert(key)
            if keys.count > Self.keyLimit { addAll() }
        }

        fileprivate func covers(_ other: Rows) -> Bool {
            // A model of the same name with other fields has other conditions.
            guard entity.hasRows(of: other.entity) else { return false }
            if areAll { return true }
            return !other.areAll && conditions.isSuperset(of: other.conditions)
                && keys.isSuperset(of: other.keys)
        }

        /// The conditions of the rows that count, the keys among them; nil where all do.
        var filters: [RowCondition]? {
            if areAll { return nil }
            if keys.isEmpty { return Array(conditions) }
            return conditions + [.keys(entity.primaryKey, in: Array(keys))]
        }
    }

    /// What was read of each entity, by its name.
    private(set) var rows: [EntityName: Rows] = [:]

    /// Adds the rows with some keys, of the primary key's columns.
    mutating func add(_ entity: EntitySchema, keys: RowBatch) {
        changing(entity) { rows in
            for row in 0..<keys.count {
                rows.add(entity.primaryKey.indices.map { StorageValue(keys[row, $0]) })
            }
        }
    }

    /// Adds the rows that decide what a query gives.
    ///
    /// What its values hold is not among them: it is read by itself.
    mutating func add(_ query: RowQuery) {
        if query.isDecidedByOwnRows {
            changing(query.entity) { $0.add(query.condition) }
        } else {
            for entity in query.rowDependencies { addAll(of: entity) }
        }
    }

    /// Adds the rows of the entities along a path, all of them.
    mutating func add(_ path: [RelatedRows]) {
        for hop in path {
            addAll(of: hop.entity)
            add(RowQuery(hop.entity, where: hop.condition))
        }
    }

    /// Adds every row of an entity.
    mutating func addAll(of entity: EntitySchema) {
        changing(entity) { $0.addAll() }
    }

    /// Whether all that is read in other dependencies is read in these as well.
    func covers(_ other: ReadDependencies) -> Bool {
        other.rows.allSatisfy { name, rows in self.rows[name]?.covers(rows) ?? false }
    }

    /// These and others, with every row of each entity.
    func widened(with other: ReadDependencies) -> ReadDependencies {
        var widened = self
        for rows in Array(rows.values) + other.rows.values { widened.addAll(of: rows.entity) }
        return widened
    }

    private mutating func changing(_ entity: EntitySchema, _ change: (inout Rows) -> Void) {
        let name = entity.exactName
        var rows = rows[name] ?? Rows(entity)
        if rows.entity.hasRows(of: entity) {
            change(&rows)
        } else {
            // Conditions of two models of one entity name fields by other positions.
            rows.addAll()
        }
        self.rows[name] = rows
    }
}
