/// Rows on their way to models that hold others.
final class OwnerRows {
    /// The rows, followed from the first on.
    let rows: RowBuffer
    /// The related rows, for each relationship of the entity.
    let holdings: [Holding]
    /// The owner that each row is among those of the lists; empty for an entity without any.
    private var ownerOfRow: [Int32] = []
    private var followed = 0
    private var ownerCount = 0

    /// The keys of the owners that rows name, each once.
    struct Owners {
        let table: KeyTable
    }

    init(_ rows: RowBuffer) {
        self.rows = rows
        holdings = rows.entity.relationships.map { Holding($0, of: rows.entity) }
    }

    /// Returns the rows that were not followed yet, which from now on are.
    func startLevel() -> Range<Int> {
        defer { followed = rows.count }
        return followed..<rows.count
    }

    /// Returns the owners of the lists of some rows, which were not asked for before.
    func owners(of range: Range<Int>) -> Owners {
        var table = KeyTable(rows.entity)
        let key = KeyColumns(rows.entity.primaryKey)
        let width = rows.columns.count
        let slots = rows.batch.slots
        let first = Int32(ownerCount)
        ownerOfRow.reserveCapacity(rows.count)
        for row in range {
            ownerOfRow.append(first + table.insert(key.key(of: slots + row * width)))
        }
        ownerCount += table.count
        return Owners(table: table)
    }

    /// Returns the owner that a row is.
    func owner(of row: Int) -> Int { Int(ownerOfRow[row]) }

    /// Adds the rows, with the levels below each, to a chain.
    func addLevels(to chain: inout NestingDepthCheck) {
        for row in 0..<rows.count {
            var levels = 0
            for holding in holdings {
                guard let target = holding.target else { continue }
                holding.forEachPosition(of: row, in: self) { position in
                    levels = max(levels, target.levels(from: Int(position)))
                }
            }
            chain.add(rows, row, levels: levels)
        }
    }

    /// Checks the related keys against the stored values, once all of them were looked up.
    func finish() throws {
        for holding in holdings { try holding.finish(self) }
    }

    /// Returns the models of all the rows, once what they hold was made.
    func decode<Model: Stored>(
        _ type: Model.Type,
        tellsContents: Bool
    ) throws -> (models: [Model], contents: [ValueContent]) {
        var models: [Model] = []
        models.reserveCapacity(rows.count)
        let contents = try decode(0..<rows.count, tellsContents, appendingTo: &models)
        return (models, contents)
    }

    /// Appends the models of some rows, and returns what they are made of if that is asked for.
    func decode<Model: Stored>(
        _ range: some Collection<Int>,
        _ tellsContents: Bool,
        appendingTo models: inout [Model]
    ) throws -> [ValueContent] {
        let schema = Model.schema
        let layout = RowBuffer(schema.layout, capacity: range.count)
        let width = rows.columns.count
        let slots = rows.batch.slots
        var columnOfSlot = [Int](repeating: -1, count: schema.layout.fields.count)
        for (column, slot) in schema.layoutColumns.enumerated() { columnOfSlot[slot] = column }
        for row in range {
            let source = slots + row * width
            layout.append { columnOfSlot[$0] < 0 ? .null : source[columnOfSlot[$0]] }
        }
        for holding in holdings { holding.place(range, of: self, in: layout) }
        // Slots name what was loaded by address, and the holdings keep it until the models are made.
        return try withExtendedLifetime(self) {
            try layout.withBatch { try Model.decode($0, appendingTo: &models) }
            return tellsContents ? contents(of: range) : []
        }
    }

    private func contents(of range: some Collection<Int>) -> [ValueContent] {
        let builder = ContentBuilder(rows.subset(Array(range)))
        for (holding, branch) in zip(holdings, builder.branches) {
            for (index, row) in range.enumerated() {
                holding.forEachPosition(of: row, in: self) { position in
                    guard let keys = holding.heldKeys else { return }
                    branch.hold(holding.target, keys, Int(position), by: index)
                }
            }
        }
        return builder.contents()
    }
}

/// The rows that are related to rows of one entity through one relationship: positions of keys.
final class Holding {
    let relationship: RelationshipSchema
    private let owner: EntitySchema
    /// The values that are held; nil where only keys are, and where they are not asked for.
    @exclusivity(unchecked) var target: LoadedEntity?
    /// The keys that lists of references have.
    @exclusivity(unchecked) var keys: KeyTable?
    /// The related keys of each owner, for a to-many relationship.
    @exclusivity(unchecked) var lists = PositionLists(owners: 0)
    /// The related key of each row, for a to-one relationship, or -1.
    private var positions: [Int32] = []
    /// Where the lists are read from.
    private var loadedLists: AnyObject?

    init(_ relationship: RelationshipSchema, of owner: EntitySchema) {
        self.relationship = relationship
        self.owner = owner
    }

    /// The keys that positions are of.
    var heldKeys: RowBuffer? { target?.keys.keys ?? keys?.keys }

    /// Returns the position of a key, which is added when it is new.
    @inline(__always)
    func insert(_ slots: UnsafePointer<Slot>) -> Int32 {
        if let target { return target.keys.insert(slots) }
        return keys?.insert(slots) ?? -1
    }

    /// Notes the keys that rows have in their columns.
    func followKeys(of rows: RowBuffer, _ range: Range<Int>) {
        guard let target else { return }
        let width = rows.columns.count
        let count = relationship.columns.count
        let first = rows.batch.slots + relationship.columns[0]
        positions.reserveCapacity(rows.count)
        for row in range {
            let key = first + row * width
            let isNull = SlotKey(slots: key, count: count).isNull
            positions.append(isNull ? -1 : target.keys.insert(key))
        }
    }

    /// Calls a function with the position of each value that a row holds.
    @inline(__always)
    func forEachPosition(
        of row: Int,
        in rows: OwnerRows,
        _ body: (Int32) throws -> Void
    ) rethrows {
        if relationship.link == nil {
            if row < positions.count, positions[row] >= 0 { try body(positions[row]) }
        } else if target != nil || keys != nil {
            let owner = rows.owner(of: row)
            for index in Int(lists.starts[owner])..<Int(lists.ends[owner]) {
                try body(lists.positions[index])
            }
        }
    }

    /// Throws when a row requires a value that is not stored, and makes the lists.
    func finish(_ rows: OwnerRows) throws {
        guard let target else {
            if let keys { loadedLists = LoadedKeys(keys.keys, lists) }
            return
        }
        let isWhole =
            target.isComplete
            || (positions.allSatisfy { $0 < 0 || target.isThere(Int($0)) }
                && lists.positions.allSatisfy { target.isThere(Int($0)) })
        guard isWhole || relationship.readsWithoutMissing else {
            throw relationship.dangling(in: owner, key: keyOfIncomplete(rows, target))
        }
        guard relationship.link != nil else { return }
        loadedLists = target.makeLists(
            isWhole ? lists : lists.filtered { target.isThere(Int($0)) }
        )
    }

    /// Returns the key of the first row that refers to a value that is not stored.
    private func keyOfIncomplete(_ rows: OwnerRows, _ target: LoadedEntity) -> [StorageValue]? {
        let row = (0..<rows.rows.count).first { row in
            var isIncomplete = false
            forEachPosition(of: row, in: rows) {
                if !target.isThere(Int($0)) { isIncomplete = true }
            }
            return isIncomplete
        }
        return row.map { row in
            rows.rows.withBatch { batch in owner.primaryKey.map { StorageValue(batch[row, $0]) } }
        }
    }

    /// Puts the places of what rows hold into their slots.
    func place(_ range: some Collection<Int>, of rows: OwnerRows, in layout: RowBuffer) {
        let slot = relationship.slot
        var index = 0
        if let loadedLists {
            for row in range {
                let owner = rows.owner(of: row)
                layout.replace(row: index, column: slot, with: .loaded(loadedLists, owner))
                index += 1
            }
        } else if let target, relationship.link == nil {
            for row in range {
                let position = Int(positions[row])
                if position >= 0 {
                    let isThere = target.isThere(position)
                    let place: Slot = isThere ? .loaded(target, position) : .null
                    layout.replace(row: index, column: slot, with: place)
                }
                index += 1
            }
        }
    }

    /// Returns the error of values that hold others deeper than `depth`; nil where they hold themselves.
    func tooDeep(_ depth: Int?) -> DBClientError {
        relationship.tooDeep(depth, in: owner)
    }
}

extension RelationshipSchema {
    /// Returns the error of an owner that requires a value which is not stored.
    func dangling(in owner: EntitySchema, key: [StorageValue]?) -> DBClientError {
        DBClientError(
            .danglingReference,
            "The related value must be stored; it was not found.",
            entity: owner.name,
            field: name,
            key: key.map(owner.describe(key:)),
            hint: "Set the field to a stored value, or delete the value that refers to it."
        )
    }
}
