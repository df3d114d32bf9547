/// One walk over rows of single entities, level by level: each level is found by the keys of the one before, in some
/// calls of the engine, or among rows that were loaded before.
final class WalkRun {
    private let walk: RowWalk
    private let reader: any EngineReader
    private let entity: EntitySchema
    private let condition: RowCondition
    private let passing: RowPredicate
    /// The rows that the first hop may lead to, by the fields that are matched; nil where the engine is asked for each
    /// level.
    private var loaded: JoinTable?
    /// The fields that are read of the rows that the first hop leads to, those that are matched behind them.
    private let columns: [Int]
    /// The keys of what was reached.
    private(set) var reached: KeyTable
    /// The number of steps to each key in ``reached``, at the same positions.
    private(set) var depths: [Int32] = []
    /// What the rows reached last have in the fields that the first hop starts from.
    private var last: RowBuffer
    private let key: KeyColumns
    private let matching: KeyColumns

    /// So many keys are asked for at once: engines look for some hundreds by an index, and at every row for thousands.
    private static let keysOfCall = 512

    init(_ walk: RowWalk, _ reader: any EngineReader) throws {
        self.walk = walk
        self.reader = reader
        entity = walk.entity
        condition = try RowQuery(entity, where: walk.passing).resolved(by: reader).condition
        passing = RowPredicate(condition, of: entity)
        reached = KeyTable(entity)
        last = RowBuffer(entity, columns: walk.matching)
        let hop = walk.steps[0]
        if walk.steps.count > 1 {
            // Of a link, the key of the row that it leads to.
            columns = walk.steps[1].matching
            key = KeyColumns(Array(columns.indices))
            matching = key
        } else {
            columns = entity.primaryKey + walk.matching
            let keyCount = entity.primaryKey.count
            key = KeyColumns(Array(0..<keyCount))
            matching = KeyColumns(Array(keyCount..<columns.count))
        }
        guard walk.isLoaded(in: reader) else { return }
        let rows = RowBuffer(hop.entity, columns: columns + hop.columns)
        try reader.select(columns + hop.columns, of: query(of: hop, where: .constant(true))) {
            rows.append(copying: $0)
            return true
        }
        loaded = JoinTable(rows, keys: Array(columns.count..<columns.count + hop.columns.count))
    }

    /// Walks until nothing is new, or the greatest depth is reached.
    func run() throws {
        let start = RowQuery(entity, where: walk.start)
        try reader.select(entity.primaryKey + walk.matching, of: start) { batch in
            let key = KeyColumns(Array(0..<entity.primaryKey.count))
            let matching = KeyColumns(
                Array(entity.primaryKey.count..<entity.primaryKey.count + walk.matching.count)
            )
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                reach(key.key(of: slots), matching.key(of: slots), at: 0)
            }
            return true
        }
        var depth: Int32 = 0
        while last.count > 0, Int(depth) < walk.maximumDepth ?? .max {
            depth += 1
            let before = last
            last = RowBuffer(entity, columns: walk.matching)
            try step(from: before, to: depth)
        }
        try passing.check()
    }

    /// Notes a row, unless it was reached before.
    private func reach(
        _ key: UnsafePointer<Slot>,
        _ values: UnsafePointer<Slot>,
        at depth: Int32
    ) {
        guard reached.note(key) else { return }
        depths.append(depth)
        // Absent values equal nothing.
        if SlotKey(slots: values, count: walk.matching.count).isNull { return }
        last.append(copying: values)
    }

    private func step(from before: RowBuffer, to depth: Int32) throws {
        if walk.isByKey {
            var keys = KeyTable(entity)
            before.withBatch { batch in
                for row in 0..<batch.count { note(batch.slots + row * batch.columnCount, &keys) }
            }
            return try lookUp(keys, at: depth)
        }
        var keys = KeyTable(entity)
        let isLink = walk.steps.count > 1
        try hop(from: before) { slots in
            if isLink {
                note(key.key(of: slots), &keys)
            } else {
                reach(key.key(of: slots), matching.key(of: slots), at: depth)
            }
        }
        if isLink { try lookUp(keys, at: depth) }
    }

    /// Notes the key of a row that is to be looked up.
    private func note(_ key: UnsafePointer<Slot>, _ keys: inout KeyTable) {
        if reached.position(of: key) == nil { _ = keys.note(key) }
    }

    /// Visits the fields that are read of the rows that the first hop leads to.
    private func hop(from before: RowBuffer, _ visit: (UnsafePointer<Slot>) -> Void) throws {
        let hop = walk.steps[0]
        let batch = before.batch
        if let loaded {
            let rows = loaded.rows.batch
            for row in 0..<batch.count {
                for column in hop.columns.indices { loaded.probe[column] = batch[row, column] }
                var next = loaded.first()
                while let found = next {
                    visit(rows.slots + found * rows.columnCount)
                    next = loaded.next(found)
                }
            }
            return withExtendedLifetime(before) {}
        }
        var row = 0
        while row < batch.count {
            let end = min(row + Self.keysOfCall, batch.count)
            let keys = (row..<end).map { row in
                hop.columns.indices.map { StorageValue(batch[row, $0]) }
            }
            row = end
            try reader.select(columns, of: query(of: hop, where: .keys(hop.columns, in: keys))) {
                for row in 0..<$0.count { visit($0.slots + row * $0.columnCount) }
                return true
            }
        }
        withExtendedLifetime(before) {}
    }

    /// Returns the query for what the first hop leads to.
    private func query(of hop: RelatedRows, where condition: RowCondition) -> RowQuery {
        let passing = walk.steps.count > 1 ? .constant(true) : self.condition
        return RowQuery(hop.entity, where: .conjunction(condition, passing))
    }

    /// Reaches the rows with some keys, none of which was reached before.
    private func lookUp(_ keys: KeyTable, at depth: Int32) throws {
        if keys.count == 0 { return }
        let key = KeyColumns(entity.primaryKey)
        let matching = KeyColumns(walk.matching)
        try reader.lookUp(keys.keys) { batch in
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                guard passing.matches(SlotRow(slots)) else { continue }
                reach(key.key(of: slots), matching.key(of: slots), at: depth)
            }
        }
    }
}
