/// Makes models of rows together with what they hold of other models: one batch for each
/// relationship, however many rows there are, and each related value made once.
final class RelationshipLoader {
    let reader: any EngineReader
    /// How many owners are above what is loaded.
    private let depth: Int
    /// Whether it is told what each value is made of.
    private let tellsContents: Bool

    /// Values that hold values are followed this deep; what is deeper goes in circles.
    static let maximumDepth = 64

    init(_ reader: any EngineReader, depth: Int = 0, tellsContents: Bool = false) {
        self.reader = reader
        self.depth = depth
        self.tellsContents = tellsContents
    }

    /// Returns the models of a query.
    func fetch<Model: Stored>(_ type: Model.Type, _ query: RowQuery) throws -> [Model] {
        let rows = RowBuffer(query.entity)
        try reader.scan(query) { batch in
            rows.append(copying: batch)
            return true
        }
        let isEvery =
            query.condition == .constant(true) && query.limit == nil && query.offset == 0
        return try models(type, of: rows, areAll: isEvery)
    }

    /// Calls a function with each model of a query, loaded some hundreds at a time.
    func forEach<Model: Stored>(
        _ type: Model.Type,
        _ query: RowQuery,
        _ body: (Model) throws -> Bool
    ) throws {
        let rows = RowBuffer(query.entity)
        func deliver() throws -> Bool {
            let models = try models(type, of: rows)
            rows.removeAll()
            for model in models {
                guard try body(model) else { return false }
            }
            return true
        }
        var isStopped = false
        try reader.scan(query) { batch in
            for row in 0..<batch.count {
                rows.append(copying: batch.slots + row * batch.columnCount)
                guard rows.count >= Self.pageSize else { continue }
                guard try deliver() else {
                    isStopped = true
                    return false
                }
            }
            return true
        }
        if !isStopped { _ = try deliver() }
    }

    /// Enough owners to share the cost of a batch, few enough to be held at once.
    private static let pageSize = 512

    /// Returns the models of owned rows.
    ///
    /// `areAll` says that the rows are all of their entity, so that their links need no condition.
    func models<Model: Stored>(
        _ type: Model.Type,
        of rows: RowBuffer,
        areAll: Bool = false
    ) throws -> [Model] {
        try values(type, of: rows, areAll: areAll).models
    }

    /// Returns the models of owned rows, and what each is made of if the loader tells that.
    func values<Model: Stored>(
        _ type: Model.Type,
        of rows: RowBuffer,
        areAll: Bool = false
    ) throws -> (models: [Model], contents: [ValueContent]) {
        guard rows.count > 0 else { return ([], []) }
        let schema = Model.schema
        let layout = RowBuffer(schema.layout, capacity: rows.count)
        let width = rows.columns.count
        let batch = rows.batch
        var columnOfSlot = [Int](repeating: -1, count: schema.layout.fields.count)
        for (column, slot) in schema.layoutColumns.enumerated() { columnOfSlot[slot] = column }
        for row in 0..<rows.count {
            let source = batch.slots + row * width
            layout.append { columnOfSlot[$0] < 0 ? .null : source[columnOfSlot[$0]] }
        }
        // Slots name what was loaded by address, so it is held until the models are made.
        var held: [AnyObject] = []
        let contents = tellsContents ? ContentBuilder(rows) : nil
        for (index, relationship) in schema.entity.relationships.enumerated() {
            let branch = contents?.branches[index]
            if let object = try load(relationship, rows, layout, areAll: areAll, branch) {
                held.append(object)
            }
        }
        return try withExtendedLifetime((held, rows)) {
            var models: [Model] = []
            models.reserveCapacity(rows.count)
            try layout.withBatch { try Model.decode($0, appendingTo: &models) }
            return (models, contents?.contents() ?? [])
        }
    }

    /// Loads what rows hold through one relationship and puts its places into their slots.
    private func load(
        _ relationship: RelationshipSchema,
        _ rows: RowBuffer,
        _ layout: RowBuffer,
        areAll: Bool,
        _ branch: ContentBranch?
    ) throws -> AnyObject? {
        guard let related = relationship.related else { return nil }
        if let link = relationship.link {
            return try loadLists(relationship, link, related, rows, layout, areAll: areAll, branch)
        }
        return relationship.isByReference
            ? nil : try loadValues(relationship, related, rows, layout, branch)
    }

    private func loadValues(
        _ relationship: RelationshipSchema,
        _ related: RelatedModel,
        _ rows: RowBuffer,
        _ layout: RowBuffer,
        _ branch: ContentBranch?
    ) throws -> AnyObject {
        var table = KeyTable(related.entity())
        let width = rows.columns.count
        let batch = rows.batch
        let first = relationship.columns[0]
        var positions = [Int32](repeating: -1, count: rows.count)
        for row in 0..<rows.count {
            let key = batch.slots + (row * width + first)
            if SlotKey(slots: key, count: relationship.columns.count).isNull { continue }
            positions[row] = table.insert(key)
        }
        let loaded = try load(related, table, relationship, rows.entity)
        for row in 0..<rows.count where positions[row] >= 0 {
            let position = Int(positions[row])
            if loaded.isThere(position) {
                layout.replace(
                    row: row,
                    column: relationship.slot,
                    with: .loaded(loaded, position)
                )
            } else {
                guard relationship.rule == .weak else { throw dangling(relationship, rows.entity) }
                layout.replace(row: row, column: relationship.slot, with: .null)
            }
            branch?.hold(loaded, table.keys, position, by: row)
        }
        return loaded
    }

    private func loadLists(
        _ relationship: RelationshipSchema,
        _ link: LinkSchema,
        _ related: RelatedModel,
        _ rows: RowBuffer,
        _ layout: RowBuffer,
        areAll: Bool,
        _ branch: ContentBranch?
    ) throws -> AnyObject {
        var owners = KeyTable(rows.entity)
        let ownerKey = KeyColumns(rows.entity.primaryKey)
        let width = rows.columns.count
        let batch = rows.batch
        let ownerOfRow = (0..<rows.count).map { row in
            owners.insert(ownerKey.key(of: batch.slots + row * width))
        }
        var targets = KeyTable(related.entity())
        var lists = PositionLists(owners: owners.count)
        let condition: RowCondition =
            areAll ? .constant(true) : .keys(link.owner, in: owners.keys)
        // Links come in the order of their owners, so most are of the owner just seen.
        var lastKey: Int64?
        var lastOwner: Int32?
        try reader.scan(RowQuery(link.entity, where: condition)) { batch in
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                let key = owners.isInteger ? slots[0].integer : nil
                if key == nil || key != lastKey {
                    lastOwner = owners.position(of: slots)
                    lastKey = key
                }
                let owner = lastOwner
                guard let owner else { continue }
                lists.append(targets.insert(slots + link.target[0]), to: Int(owner))
            }
            return true
        }
        let held: AnyObject
        if relationship.isByReference {
            branch?.hold(nil, targets.keys, lists, by: ownerOfRow)
            held = LoadedKeys(targets.keys, lists)
        } else {
            let loaded = try load(related, targets, relationship, rows.entity)
            branch?.hold(loaded, targets.keys, lists, by: ownerOfRow)
            if !lists.positions.allSatisfy({ loaded.isThere(Int($0)) }) {
                guard relationship.rule == .weak else { throw dangling(relationship, rows.entity) }
                lists = lists.filtered { loaded.isThere(Int($0)) }
            }
            held = loaded.makeLists(lists)
        }
        for row in 0..<rows.count {
            layout.replace(
                row: row,
                column: relationship.slot,
                with: .loaded(held, Int(ownerOfRow[row]))
            )
        }
        return held
    }

    private func load(
        _ related: RelatedModel,
        _ keys: KeyTable,
        _ relationship: RelationshipSchema,
        _ owner: EntitySchema
    ) throws -> any LoadedModels {
        guard depth < Self.maximumDepth || keys.count == 0 else {
            throw DBClientError(
                .invalidValue,
                "Values hold each other more than \(Self.maximumDepth) deep.",
                entity: owner.name,
                field: relationship.name,
                hint: "Hold by `Reference` what may go in circles."
            )
        }
        let loader = RelationshipLoader(
            reader,
            depth: depth + 1,
            tellsContents: tellsContents
        )
        return try related.load(loader, keys)
    }

    /// Loads the values with some primary keys.
    func load<Model: Stored>(_ type: Model.Type, _ keys: KeyTable) throws -> Loaded<Model> {
        let entity = Model.schema.entity
        try entity.validate()
        var places = [Int32](repeating: -1, count: keys.count)
        guard keys.count > 0 else { return Loaded([], places: places) }
        let keyColumns = KeyColumns(entity.primaryKey)
        var models: [Model] = []
        var contents: [ValueContent] = []
        var count: Int32 = 0
        let rows = entity.isFlat && !tellsContents ? nil : RowBuffer(entity)
        if rows == nil { models.reserveCapacity(keys.count) }
        try reader.lookUp(keys.keys) { batch in
            for row in 0..<batch.count {
                let key = keyColumns.key(of: batch.slots + row * batch.columnCount)
                if let position = keys.position(of: key) { places[Int(position)] = count }
                count += 1
            }
            if let rows {
                rows.append(copying: batch)
            } else {
                try Model.decode(batch, appendingTo: &models)
            }
        }
        if let rows { (models, contents) = try values(type, of: rows) }
        return Loaded(models, places: places, contents: contents)
    }

    private func dangling(
        _ relationship: RelationshipSchema,
        _ owner: EntitySchema
    ) -> DBClientError {
        DBClientError(
            .danglingReference,
            "The related value is not there.",
            entity: owner.name,
            field: relationship.name
        )
    }
}

extension EngineReader {
    /// Visits the rows with the keys of a buffer, in any order.
    func lookUp(_ keys: RowBuffer, _ visit: (RowBatch) throws -> Void) throws {
        try keys.withBatch { try lookUp(keys.entity, keys: $0, visit) }
    }

    /// Returns the models of rows together with what they hold of other models.
    ///
    /// The rows have every field of the model's entity. A flat model needs no more than its rows; any
    /// other is made here, in one batch for each relationship.
    public func models<Model: Stored>(
        _ type: Model.Type,
        of rows: RowBuffer
    ) throws -> [Model] {
        guard Model.schema.entity.isFlat else {
            return try RelationshipLoader(self).models(type, of: rows)
        }
        var models: [Model] = []
        try rows.withBatch { try Model.decode($0, appendingTo: &models) }
        return models
    }
}

extension Stored {
    /// Returns the value with a primary key and what it holds, or nil.
    @usableFromInline
    static func related(key: PrimaryKey, in reader: any EngineReader) throws -> Self? {
        let entity = schema.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        try encode(key: key, to: keys)
        let rows = RowBuffer(entity)
        try keys.withBatch { keys in
            try reader.get(entity, keys: keys) { rows.append(copying: $1) }
        }
        return try RelationshipLoader(reader).models(Self.self, of: rows).first
    }
}
