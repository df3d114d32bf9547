/// New entities in an order in which each comes after those that it holds through to-one relationships:
/// as few groups of one schema as that allows.
///
/// Where entities hold each other in a circle, a relationship that may be nil is written later.
struct InsertionOrder {
    /// To-one relationships that are to be written once everything is inserted.
    private(set) var postponed: [(entity: ManagedEntity, relationship: Int)] = []

    /// For each entity that is not placed the new entities that it waits for.
    private var waiting: [ObjectIdentifier: [(relationship: Int, target: ManagedEntity)]] = [:]
    /// The entities that wait for one.
    private var dependents: [ObjectIdentifier: [ManagedEntity]] = [:]
    private var remaining: [EntitySchema: Int] = [:]
    /// Entities of one schema that refer to no entity still to be inserted.
    private var ready: [(schema: EntitySchema, entities: [ManagedEntity])] = []
    private let entities: [ManagedEntity]

    init(_ entities: [ManagedEntity]) {
        self.entities = entities
        for entity in entities {
            remaining[entity.schema, default: 0] += 1
            let targets = entity.schema.relationships.indices.compactMap { index in
                entity.newTarget(index).map { (index, $0) }
            }
            waiting[ObjectIdentifier(entity)] = targets
            for (_, target) in targets {
                dependents[ObjectIdentifier(target), default: []].append(entity)
            }
            if targets.isEmpty { addReady(entity) }
        }
    }

    /// Returns the next group, or nil after the last.
    ///
    /// - Throws: `.constraintViolation` when the entities that are left require each other.
    mutating func next() throws -> [ManagedEntity]? {
        while ready.isEmpty {
            if waiting.isEmpty { return nil }
            try cutCircle()
        }
        // A schema all of whose entities are ready comes first; failing that, the one with most.
        let whole = ready.firstIndex { $0.entities.count == remaining[$0.schema] }
        let most = ready.indices.max { ready[$0].entities.count < ready[$1].entities.count }
        guard let index = whole ?? most else { return nil }
        var group = ready.remove(at: index).entities
        var position = 0
        // An entity that waits only for entities of the group whose keys are known may go with them.
        while position < group.count {
            let entity = group[position]
            position += 1
            guard entity.key != nil else { continue }
            for freed in release(entity, onlyOf: entity.schema) { group.append(freed) }
        }
        for entity in group { for freed in release(entity, onlyOf: nil) { addReady(freed) } }
        for entity in group { waiting[ObjectIdentifier(entity)] = nil }
        remaining[group[0].schema, default: 0] -= group.count
        return group
    }

    /// Tells those that wait for an entity that it is placed, and returns those that wait for no other.
    private mutating func release(
        _ entity: ManagedEntity,
        onlyOf schema: EntitySchema?
    ) -> [ManagedEntity] {
        guard let all = dependents[ObjectIdentifier(entity)] else { return [] }
        let told = all.filter { schema == nil || $0.schema === schema }
        dependents[ObjectIdentifier(entity)] = all.filter { schema != nil && $0.schema !== schema }
        var freed: [ManagedEntity] = []
        for dependent in told {
            guard let left = waiting[ObjectIdentifier(dependent)], !left.isEmpty else { continue }
            let rest = left.filter { $0.target !== entity }
            waiting[ObjectIdentifier(dependent)] = rest
            if rest.isEmpty { freed.append(dependent) }
        }
        return freed
    }

    private mutating func addReady(_ entity: ManagedEntity) {
        if let index = ready.firstIndex(where: { $0.schema === entity.schema }) {
            ready[index].entities.append(entity)
        } else {
            ready.append((entity.schema, [entity]))
        }
    }

    /// Finds entities that wait for each other in a circle, and has one of them wait no more.
    private mutating func cutCircle() throws {
        guard let start = entities.first(where: { waiting[ObjectIdentifier($0)] != nil }) else {
            return
        }
        var path: [(entity: ManagedEntity, relationship: Int)] = []
        var placeOf: [ObjectIdentifier: Int] = [:]
        var current = start
        while placeOf[ObjectIdentifier(current)] == nil {
            guard let step = waiting[ObjectIdentifier(current)]?.first else { return }
            placeOf[ObjectIdentifier(current)] = path.count
            path.append((current, step.relationship))
            current = step.target
        }
        let circle = path[(placeOf[ObjectIdentifier(current)] ?? 0)...]
        guard let cut = circle.first(where: { !$0.entity.requires($0.relationship) }) else {
            let step = circle[circle.startIndex]
            throw DBClientError(
                .constraintViolation,
                "New entities must not require each other in a circle.",
                entity: step.entity.schema.name,
                field: step.entity.schema.relationships[step.relationship].name,
                hint: "Make one of the relationships optional."
            )
        }
        postponed.append(cut)
        let identifier = ObjectIdentifier(cut.entity)
        waiting[identifier]?.removeAll { $0.relationship == cut.relationship }
        if waiting[identifier]?.isEmpty ?? false { addReady(cut.entity) }
    }
}

extension ManagedEntity {
    /// The entity of a to-one relationship when it is new, too.
    fileprivate func newTarget(_ index: Int) -> ManagedEntity? {
        guard schema.relationships[index].link == nil else { return nil }
        let target = heldTarget(index) ?? heldKey(index).flatMap { context.inUse($0) }
        return target?.state == .inserted ? target : nil
    }

    fileprivate func requires(_ index: Int) -> Bool {
        schema.relationships[index].columns.contains { !schema.fields[$0].isOptional }
    }
}

private struct ChangedColumns: Hashable {
    let schema: EntitySchema
    let columns: [Int]
}

/// Stored entities of one schema of which the same columns are written.
struct ColumnGroup {
    let columns: [Int]
    var entities: [ManagedEntity]
}

extension [ManagedEntity] {
    /// The entities of each schema together, in the order in which the schemas come up.
    var groupedBySchema: [[ManagedEntity]] {
        var groups: [[ManagedEntity]] = []
        var positions: [EntitySchema: Int] = [:]
        for entity in self {
            if let position = positions[entity.schema] {
                groups[position].append(entity)
            } else {
                positions[entity.schema] = groups.count
                groups.append([entity])
            }
        }
        return groups
    }

    /// The entities of each schema of which the same columns were changed together, and the new ones of
    /// which relationships are written late.
    func groupedByColumns(
        and postponed: [(entity: ManagedEntity, relationship: Int)]
    ) -> [ColumnGroup] {
        var late: [(entity: ManagedEntity, columns: [Int])] = []
        for (entity, relationship) in postponed {
            // A key that was given is written with the entity.
            guard let target = entity.held.ones[relationship], target.key == nil else { continue }
            let columns = entity.schema.relationships[relationship].columns
            if let index = late.firstIndex(where: { $0.entity === entity }) {
                late[index].columns = (late[index].columns + columns).sorted()
            } else {
                late.append((entity, columns))
            }
        }
        var groups: [ColumnGroup] = []
        var positions: [ChangedColumns: Int] = [:]
        for (entity, columns) in map({ ($0, $0.changedColumns) }) + late {
            let shape = ChangedColumns(schema: entity.schema, columns: columns)
            if let position = positions[shape] {
                groups[position].entities.append(entity)
            } else {
                positions[shape] = groups.count
                groups.append(ColumnGroup(columns: columns, entities: [entity]))
            }
        }
        return groups
    }
}
