/// The values that a deletion deletes: those that it was given, and those that hold one of them by a relationship
/// that cascades.
final class DeletionGraph {
    private let writer: any EngineWriter
    private let registry: RelationshipRegistry
    private var groups: [Group] = []
    private var places: [(group: Int, row: Int)] = []
    /// Which values hold which, by their numbers.
    private var holdings: [(holder: Int32, held: Int32)] = []
    /// How often the holders through each relationship were looked for.
    private var searches: [ObjectIdentifier: Int] = [:]
    private var maps: [ObjectIdentifier: HolderMap] = [:]

    /// The values of one entity that are to be deleted.
    private struct Group {
        let entity: EntitySchema
        var keys: KeyTable
        /// The number of each value in the graph, by the position of its key.
        var numbers: [Int32] = []
        /// How many of them were followed.
        var followed = 0
        /// Whether the database has foreign keys that refer to them; nil when it was not asked yet.
        var hasForeignKeys: Bool?
    }

    init(_ writer: any EngineWriter, _ registry: RelationshipRegistry) {
        self.writer = writer
        self.registry = registry
    }

    /// The values to be deleted, as their keys by entity.
    var members: [(entity: EntitySchema, keys: RowBuffer)] {
        groups.map { ($0.entity, $0.keys.keys) }
    }

    /// Adds the values with these keys; those that are in the graph stay as they are.
    func add(_ entity: EntitySchema, _ keys: RowBuffer) {
        let group = group(of: entity)
        keys.withBatch { batch in
            for row in 0..<batch.count {
                _ = insert(batch.slots + row * batch.columnCount, group)
            }
        }
    }

    /// Adds what holds the values by a relationship that cascades, and what holds that.
    func follow() throws {
        while let next = groups.firstIndex(where: { $0.followed < $0.keys.count }) {
            let count = groups[next].keys.count
            let keys = groups[next].keys.keys.subset(Array(groups[next].followed..<count))
            groups[next].followed = count
            for referrer in try registry.referrers(of: groups[next].entity, in: writer)
            where referrer.relationship.rule == .cascade {
                let owners = group(of: referrer.owner)
                try forEachHolder(referrer, of: keys) { owner, held in
                    let holder = insert(owner, owners)
                    if try hasForeignKeys(next) { note(holder, holding: held, next) }
                }
            }
        }
    }

    /// Returns the values in an order in which holders come before what they hold, as far as a foreign key of
    /// the database may ask for it, and whether some hold each other in circles.
    func order() throws -> (rows: [(EntitySchema, RowBuffer)], isCircular: Bool) {
        try noteOtherHoldings()
        if holdings.isEmpty { return (members.reversed(), false) }
        let (levels, isCircular) = levels()
        // The deepest holders first; of each level, entity by entity.
        let order = places.indices.sorted {
            (levels[$0], places[$0].group, places[$0].row)
                > (levels[$1], places[$1].group, places[$1].row)
        }
        var rows: [(group: Int, rows: [Int])] = []
        for number in order {
            let place = places[number]
            if rows.last?.group != place.group { rows.append((place.group, [])) }
            rows[rows.count - 1].rows.append(place.row)
        }
        return (
            rows.map { (groups[$0.group].entity, groups[$0.group].keys.keys.subset($0.rows)) },
            isCircular
        )
    }

    /// Notes which of the values hold others by relationships that do not cascade.
    private func noteOtherHoldings() throws {
        for (index, group) in groups.enumerated() {
            for referrer in try registry.referrers(of: group.entity, in: writer)
            where referrer.relationship.rule == .deny && referrer.relationship.link == nil {
                let name = referrer.owner.exactName
                guard let owners = groups.firstIndex(where: { $0.entity.exactName == name }),
                    try hasForeignKeys(index)
                else { continue }
                try forEachHolder(referrer, of: group.keys.keys) { owner, held in
                    guard let holder = groups[owners].keys.position(of: owner) else { return }
                    note(groups[owners].numbers[Int(holder)], holding: held, index)
                }
            }
        }
    }

    /// Returns how many levels of held values are below each value, those in circles counting as above all.
    private func levels() -> (levels: [Int32], isCircular: Bool) {
        var levels = [Int32](repeating: 0, count: places.count)
        var waiting = levels
        var starts = [Int32](repeating: 0, count: places.count + 1)
        for (holder, held) in holdings {
            waiting[Int(holder)] += 1
            starts[Int(held) + 1] += 1
        }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        var ends = starts
        var holders = [Int32](repeating: 0, count: holdings.count)
        for (holder, held) in holdings {
            holders[Int(ends[Int(held)])] = holder
            ends[Int(held)] += 1
        }
        var done = levels.indices.filter { waiting[$0] == 0 }
        var next = 0
        while next < done.count {
            let held = done[next]
            next += 1
            for index in Int(starts[held])..<Int(starts[held + 1]) {
                let holder = Int(holders[index])
                levels[holder] = max(levels[holder], levels[held] + 1)
                waiting[holder] -= 1
                if waiting[holder] == 0 { done.append(holder) }
            }
        }
        guard done.count < places.count else { return (levels, false) }
        let last = (levels.max() ?? 0) + 1
        for number in levels.indices where waiting[number] > 0 { levels[number] = last }
        return (levels, true)
    }

    private func group(of entity: EntitySchema) -> Int {
        let name = entity.exactName
        if let known = groups.firstIndex(where: { $0.entity.exactName == name }) { return known }
        groups.append(Group(entity: entity, keys: KeyTable(entity)))
        return groups.count - 1
    }

    /// Returns the number of a value, which is added when it is new.
    private func insert(_ key: UnsafePointer<Slot>, _ group: Int) -> Int32 {
        let count = groups[group].keys.count
        let row = Int(groups[group].keys.insert(key))
        if row == count {
            groups[group].numbers.append(Int32(places.count))
            places.append((group, row))
        }
        return groups[group].numbers[row]
    }

    private func note(_ holder: Int32, holding key: UnsafePointer<Slot>, _ group: Int) {
        guard let row = groups[group].keys.position(of: key) else { return }
        let held = groups[group].numbers[Int(row)]
        // One that holds itself is gone with itself.
        if held != holder { holdings.append((holder, held)) }
    }

    private func hasForeignKeys(_ group: Int) throws -> Bool {
        if let known = groups[group].hasForeignKeys { return known }
        let found = try writer.hasForeignKeys(to: groups[group].entity)
        groups[group].hasForeignKeys = found
        return found
    }

    /// Calls a function with the key of each value that holds one of some others, and with the key of that.
    private func forEachHolder(
        _ referrer: RelationshipRegistry.Referrer,
        of keys: RowBuffer,
        _ body: (_ owner: UnsafePointer<Slot>, _ held: UnsafePointer<Slot>) throws -> Void
    ) throws {
        let relationship = referrer.relationship
        let identity = ObjectIdentifier(relationship)
        let count = searches[identity, default: 0]
        searches[identity] = count + 1
        // Where each search looks at every row, a long chain would take the square of its length.
        if count > 1, writer.hints(for: referrer.owner).looksAtEveryRow {
            let map = try maps[identity] ?? HolderMap(referrer, keys.entity, in: writer)
            maps[identity] = map
            return try map.forEachHolder(of: keys, body)
        }
        let holders = relationship.holders(of: keys, in: referrer.owner)
        try relationship.forEachHolding(holders, referrer, writer, body)
    }
}

extension RelationshipSchema {
    /// Calls a function with the key of the owner and that of the held value of each row of a query, which are
    /// rows of the owner or of the link entity.
    fileprivate func forEachHolding(
        _ query: RowQuery,
        _ referrer: RelationshipRegistry.Referrer,
        _ reader: any EngineReader,
        _ body: (_ owner: UnsafePointer<Slot>, _ held: UnsafePointer<Slot>) throws -> Void
    ) throws {
        let owner = KeyColumns(link?.owner ?? referrer.owner.primaryKey)
        let held = KeyColumns(link?.target ?? columns)
        let keyWidth = (link?.target ?? columns).count
        try reader.scan(query) { batch in
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                let key = held.key(of: slots)
                if SlotKey(slots: key, count: keyWidth).isNull { continue }
                try body(owner.key(of: slots), key)
            }
            return true
        }
    }
}

/// The owners of each value through one relationship, read once.
private final class HolderMap {
    private var held: KeyTable
    private var owners: KeyTable
    private var ownersOfHeld: [[Int32]] = []

    init(
        _ referrer: RelationshipRegistry.Referrer,
        _ target: EntitySchema,
        in reader: any EngineReader
    ) throws {
        held = KeyTable(target)
        owners = KeyTable(referrer.owner)
        let all = RowQuery(referrer.relationship.link?.entity ?? referrer.owner)
        try referrer.relationship.forEachHolding(all, referrer, reader) { owner, key in
            let row = Int(held.insert(key))
            if row == ownersOfHeld.count { ownersOfHeld.append([]) }
            ownersOfHeld[row].append(owners.insert(owner))
        }
    }

    func forEachHolder(
        of keys: RowBuffer,
        _ body: (_ owner: UnsafePointer<Slot>, _ held: UnsafePointer<Slot>) throws -> Void
    ) rethrows {
        try keys.withBatch { batch in
            for row in 0..<batch.count {
                let key = batch.slots + row * batch.columnCount
                guard let found = held.position(of: key) else { continue }
                try owners.keys.withBatch { owners in
                    for owner in ownersOfHeld[Int(found)] {
                        try body(owners.slots + Int(owner) * owners.columnCount, key)
                    }
                }
            }
        }
    }
}
