/// Values that were written, and those that hold them, from which a chain of values may have become too
/// long.
///
/// Reading an owner of the first value of a chain reads all of it, so what is added at its end counts too.
struct NestingDepthCheck {
    /// A relationship by value, and the entity that has it.
    private struct Way {
        let owner: EntitySchema
        let relationship: RelationshipSchema
        let target: EntitySchema
    }

    private var numbers: [ObjectIdentifier: Int] = [:]
    private var entities: [EntitySchema] = []
    private var tables: [KeyTable] = []
    /// For each entity the number of each of its values.
    private var nodes: [[Int]] = []
    private var below: [Int] = []
    private var entityOfNode: [Int] = []
    private var links: [(held: Int, holder: Int)] = []
    private let ways: [Way]

    /// A chain of what values of an entity hold.
    init(_ entity: EntitySchema) {
        var ways: [Way] = []
        var seen: Set<EntitySchema> = [entity]
        var following = [entity]
        while let owner = following.popLast() {
            for relationship in owner.relationships where !relationship.isByReference {
                guard let target = relationship.target else { continue }
                ways.append(Way(owner: owner, relationship: relationship, target: target))
                if seen.insert(target).inserted { following.append(target) }
            }
        }
        self.ways = ways
    }

    /// Whether nothing that was written holds anything.
    var isFlat: Bool { below.allSatisfy { $0 == 0 } }

    /// Adds the value of a row with the number of levels below it.
    mutating func add(_ rows: RowBuffer, _ row: Int, levels: Int) {
        let entity = rows.entity
        let key = KeyColumns(entity.primaryKey)
        defer { withExtendedLifetime(key) {} }
        let node = node(entity, key.key(of: rows.batch.slots + row * rows.columns.count))
        below[node] = max(below[node], levels)
    }

    /// Throws when a value that was written has more levels above and below it than a chain may have.
    mutating func check(_ reader: any EngineReader) throws {
        let written = below.count
        try climb(reader)
        let above = levelsAbove()
        for node in 0..<written where above[node] + below[node] > RelationshipLoader.maximumDepth {
            throw failure(at: node)
        }
    }

    // MARK: Climbing

    /// Finds all that hold the values, level by level.
    private mutating func climb(_ reader: any EngineReader) throws {
        var followed = [Int](repeating: 0, count: entities.count)
        for _ in 0...RelationshipLoader.maximumDepth {
            let known = below.count
            var isDone = true
            for index in entities.indices {
                let start = index < followed.count ? followed[index] : 0
                while followed.count <= index { followed.append(0) }
                followed[index] = tables[index].count
                guard start < tables[index].count else { continue }
                isDone = false
                let asked = RowBuffer(entities[index], columns: entities[index].primaryKey)
                for row in start..<tables[index].count {
                    asked.append(
                        copying: tables[index].keys.batch.slots + row * asked.columns.count
                    )
                }
                for way in ways where way.target === entities[index] {
                    try follow(way, asked, reader)
                }
            }
            if isDone { return }
            if below.count == known { return }
        }
        // Above the last of them there are more levels than there may be.
        throw failure(at: below.count - 1)
    }

    private mutating func follow(
        _ way: Way,
        _ asked: RowBuffer,
        _ reader: any EngineReader
    ) throws {
        let link = way.relationship.link
        let owner = KeyColumns(link?.owner ?? way.owner.primaryKey)
        let held = KeyColumns(link?.target ?? way.relationship.columns)
        try reader.scan(way.relationship.holders(of: asked, in: way.owner)) { batch in
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                let from = node(way.target, held.key(of: slots))
                links.append((from, node(way.owner, owner.key(of: slots))))
            }
            return true
        }
    }

    private mutating func node(_ entity: EntitySchema, _ key: UnsafePointer<Slot>) -> Int {
        let index = numbers[ObjectIdentifier(entity)] ?? entities.count
        if index == entities.count {
            numbers[ObjectIdentifier(entity)] = index
            entities.append(entity)
            tables.append(KeyTable(entity))
            nodes.append([])
        }
        let position = Int(tables[index].insert(key))
        if position == nodes[index].count {
            nodes[index].append(below.count)
            below.append(0)
            entityOfNode.append(index)
        }
        return nodes[index][position]
    }

    /// Returns how many levels are above each value.
    private func levelsAbove() -> [Int] {
        var above = [Int](repeating: 0, count: below.count)
        var waiting = above
        var heldBy: [[Int]] = Array(repeating: [], count: below.count)
        for (held, holder) in links {
            waiting[held] += 1
            heldBy[holder].append(held)
        }
        var told = above.indices.filter { waiting[$0] == 0 }
        var next = 0
        while next < told.count {
            let holder = told[next]
            next += 1
            for held in heldBy[holder] {
                above[held] = max(above[held], above[holder] + 1)
                waiting[held] -= 1
                if waiting[held] == 0 { told.append(held) }
            }
        }
        return above
    }

    /// Names a relationship that leads from the value to others, or to it.
    private func failure(at node: Int) -> DBClientError {
        let entity = entities[entityOfNode[node]]
        let way =
            ways.first { $0.owner === entity } ?? ways.first { $0.target === entity } ?? ways[0]
        return way.relationship.tooDeep(RelationshipLoader.maximumDepth, in: way.owner)
    }
}

extension RelationshipSchema {
    /// Returns the error of values that hold others deeper than `depth`; nil where they hold themselves.
    func tooDeep(_ depth: Int?, in owner: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidValue,
            depth.map { "Values must be nested at most \($0) deep." }
                ?? "A value must not contain itself, directly or through other values.",
            entity: owner.name,
            field: name,
            hint: depth == nil
                ? "Use a `Reference` where values may form a circle."
                : "Use a `Reference` where values may be nested without limit."
        )
    }
}
