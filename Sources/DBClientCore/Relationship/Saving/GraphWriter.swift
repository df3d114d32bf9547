/// Saves values with what they hold, entity by entity, in the same batches as flat rows.
///
/// What is held goes first, so that its keys are known; then the rows of the owners; then the links
/// between them.
final class GraphWriter {
    let writer: any EngineWriter
    let registry: RelationshipRegistry
    let call: GraphSaveState
    /// The entities of the values that hold what is saved, from the outermost.
    private let holders: [EntitySchema]

    init(
        _ writer: any EngineWriter,
        _ registry: RelationshipRegistry,
        _ call: GraphSaveState = GraphSaveState(),
        below holders: [EntitySchema] = []
    ) {
        self.writer = writer
        self.registry = registry
        self.call = call
        self.holders = holders
    }

    /// Whether the values are those that the call was given.
    var isOutermost: Bool { holders.isEmpty }

    /// Returns a writer for what values of an entity hold.
    func deeper(than entity: EntitySchema) throws -> GraphWriter {
        guard holders.count <= RelationshipLoader.maximumDepth else {
            throw DBClientError(
                .invalidValue,
                "Values must be nested at most \(RelationshipLoader.maximumDepth) deep.",
                entity: entity.name
            )
        }
        return GraphWriter(writer, registry, call, below: holders + [entity])
    }

    /// Saves held values and completes their keys: new ones are inserted, changed ones updated, equal
    /// ones left alone.
    ///
    /// `keys` has the key of each value as it was given.
    func save<Model: Stored>(_ models: [Model], _ keys: RowBuffer) throws {
        let entity = Model.schema.entity
        try entity.validate()
        try registry.register(entity, with: writer)
        call.savesHeld = true
        let places = call.withoutOwners(keys)
        if let places {
            call.differs = true
            call.hasMetAgain = true
            if places.isEmpty { return }
        }
        let given = places.map { $0.map { models[$0] } } ?? models
        let saved = try rows(of: given, makesKeys: true, keepsLast: true)
        let rows = saved.rows
        let wasSaved = call.note(entity)
        let (isNew, isChanged) = try write(rows)
        if rows.isNormalized { call.differs = true }
        if entity.keyGeneration == .generated {
            for row in 0..<rows.count {
                let made = rows.batch[row, entity.primaryKey[0]]
                let index = saved.kept?[row] ?? row
                keys.replace(row: places?[index] ?? index, column: 0, with: keys.owned(made))
            }
        }
        let isRelinked = try writeLinks(of: saved, isNew: isNew)
        if isNew.contains(false) { call.hasMetAgain = true }
        // What was changed may be what the call itself has saved.
        if wasSaved && (isChanged || isRelinked) { call.differs = true }
        call.note(saved, of: entity)
    }

    /// Writes rows that differ from what is stored, and returns which of them were new and whether any
    /// other was changed.
    private func write(_ rows: RowBuffer) throws -> (isNew: [Bool], isChanged: Bool) {
        let entity = rows.entity
        if try isBeyondAll(rows) {
            try writer.insert(rows)
            return ([Bool](repeating: true, count: rows.count), false)
        }
        var isNew = [Bool](repeating: true, count: rows.count)
        var isEqual = [Bool](repeating: false, count: rows.count)
        let width = rows.columns.count
        let keyColumns = KeyColumns(entity.primaryKey)
        var table = KeyTable(entity)
        var rowOfKey: [Int] = []
        let batch = rows.batch
        for row in 0..<rows.count where !batch[row, entity.primaryKey[0]].isNull {
            _ = table.insert(keyColumns.key(of: batch.slots + row * width))
            rowOfKey.append(row)
        }
        try writer.lookUp(table.keys) { found in
            for index in 0..<found.count {
                let stored = found.slots + index * found.columnCount
                guard let position = table.position(of: keyColumns.key(of: stored)) else {
                    continue
                }
                let row = rowOfKey[Int(position)]
                isNew[row] = false
                isEqual[row] = (0..<width).allSatisfy {
                    Slot.compare(stored[$0], batch[row, $0]) == 0
                }
            }
        }
        let inserted = isNew.indices.filter { isNew[$0] }
        let changed = isNew.indices.filter { !isNew[$0] && !isEqual[$0] }
        if !changed.isEmpty {
            try rows.subset(changed).withBatch {
                try writer.update($0, of: entity, setting: entity.columnsBesideKey) { _ in }
            }
        }
        if inserted.count == rows.count {
            try writer.insert(rows)
        } else if !inserted.isEmpty {
            let subset = rows.subset(inserted)
            try writer.insert(subset)
            for (index, row) in inserted.enumerated() {
                for column in entity.primaryKey {
                    rows.replace(
                        row: row,
                        column: column,
                        with: rows.owned(subset.batch[index, column])
                    )
                }
            }
        }
        return (isNew, !changed.isEmpty)
    }

    /// Whether every row's key is greater than any that is stored, so that all are new: the look of
    /// an import, and told by one row.
    private func isBeyondAll(_ rows: RowBuffer) throws -> Bool {
        let entity = rows.entity
        guard rows.count > 16 else { return false }
        let last = RowQuery(
            entity,
            orderings: entity.primaryKey.map { RowOrdering(column: $0, isDescending: true) },
            limit: 1
        )
        let batch = rows.batch
        var isBeyond = true
        try writer.scan(last) { found in
            guard let column = entity.primaryKey.first, entity.primaryKey.count == 1 else {
                isBeyond = false
                return false
            }
            let greatest = found[0, column]
            isBeyond = (0..<rows.count).allSatisfy { row in
                let key = batch[row, column]
                return key.isNull || Slot.compare(key, greatest) > 0
            }
            return false
        }
        return isBeyond
    }
}
