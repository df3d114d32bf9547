// Rows that may have the unique values of stored ones, on an engine that has no way of its own to write them.
extension EngineWriter {
    /// Looks for the stored rows that have a unique value of one of the buffer's, and inserts the others.
    public func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try insertAbsentByLooking(rows, outcome: outcome)
    }

    /// Inserts the rows of a buffer that conflict with none that is found: for an engine that has a way of its own, but
    /// not for every table.
    public func insertAbsentByLooking(
        _ rows: RowBuffer,
        outcome: (Int, Bool) -> Void
    ) throws {
        let absent = try absentRows(of: rows)
        if absent.count == rows.count {
            try insert(rows)
        } else if !absent.isEmpty {
            let new = rows.subset(absent)
            try insert(new)
            rows.take(new, at: absent)
        }
        var next = absent[...]
        for row in 0..<rows.count {
            let isNew = next.first == row
            if isNew { next.removeFirst() }
            outcome(row, isNew)
        }
    }

    /// Returns the positions of the rows that conflict with no stored row, nor with an earlier one of these, in a unique
    /// key.
    func absentRows(of rows: RowBuffer) throws -> [Int] {
        let keys = rows.entity.uniqueKeys
        var taken = try keys.map { columns in
            var taken = Set<[StorageValue]>()
            try forEachStored(columns, of: rows, selecting: columns) { batch, row in
                taken.insert(batch.values(columns.indices, of: row))
            }
            return taken
        }
        let batch = rows.batch
        return (0..<rows.count).filter { row in
            let values = keys.map { batch.values($0, of: row) }
            let conflicts = zip(values, taken).contains { $1.contains($0) }
            if conflicts { return false }
            for (index, values) in values.enumerated() where !values.contains(.null) {
                taken[index].insert(values)
            }
            return true
        }
    }

    /// Looks for the stored rows that have the values of the buffer's rows, then updates those and inserts the others,
    /// in their order.
    public func upsert(
        _ rows: RowBuffer,
        by columns: [Int],
        outcome: (Int, Bool) -> Void
    ) throws {
        try upsertByLooking(rows, by: columns, outcome: outcome)
    }

    /// Inserts or replaces rows by fields, by the keys of the stored rows that are found: for an engine that has a way
    /// of its own, but not for every table.
    public func upsertByLooking(
        _ rows: RowBuffer,
        by columns: [Int],
        outcome: (Int, Bool) -> Void
    ) throws {
        let entity = rows.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        var places: [[StorageValue]: Int] = [:]
        let selected = columns + entity.primaryKey
        try forEachStored(columns, of: rows, selecting: selected) { batch, row in
            places[batch.values(columns.indices, of: row)] = keys.count
            keys.append { keys.copied(batch[row, columns.count + $0]) }
        }
        var isNew = [Bool](repeating: true, count: rows.count)
        for row in 0..<rows.count {
            let place = places[rows.batch.values(columns, of: row)]
            guard let place else { continue }
            isNew[row] = false
            rows.takeKey(keys.batch, place, row: row)
        }
        try write(rows, inserting: isNew)
        for row in isNew.indices { outcome(row, isNew[row]) }
    }

    /// Inserts some of the rows and replaces the others by their keys, in their order.
    ///
    /// Rows side by side of which the same becomes are written together: a unique value that one gives up, only a later
    /// one may take.
    func write(_ rows: RowBuffer, inserting isNew: [Bool]) throws {
        let entity = rows.entity
        var start = 0
        while start < rows.count {
            let end = isNew[start...].firstIndex { $0 != isNew[start] } ?? rows.count
            let run = rows.subset(Array(start..<end))
            if isNew[start] {
                try insert(run)
                rows.take(run, at: Array(start..<end))
            } else {
                try run.withBatch {
                    try update($0, of: entity, setting: entity.columnsBesideKey) { _ in }
                }
            }
            start = end
        }
    }

    /// Calls a function with fields of the stored rows that have the values of a buffer's rows in some columns, none of
    /// them absent.
    private func forEachStored(
        _ columns: [Int],
        of rows: RowBuffer,
        selecting selected: [Int],
        _ body: (RowBatch, Int) throws -> Void
    ) throws {
        let batch = rows.batch
        var seen = Set<[StorageValue]>(minimumCapacity: rows.count)
        for row in 0..<rows.count {
            let values = batch.values(columns, of: row)
            if !values.contains(.null) { seen.insert(values) }
        }
        let wanted = Array(seen)
        // So few that an engine looks each of them up in the index.
        let limit = 512
        for start in stride(from: 0, to: wanted.count, by: limit) {
            let part = wanted[start..<Swift.min(start + limit, wanted.count)]
            let condition: RowCondition =
                columns.count == 1
                ? .isIn(column: columns[0], part.map { $0[0] })
                : .areIn(columns: columns, Array(part))
            try select(selected, of: RowQuery(rows.entity, where: condition)) { batch in
                for row in 0..<batch.count { try body(batch, row) }
                return true
            }
        }
    }
}

extension RowBuffer {
    /// Takes the keys that were made for some of the rows, and what the engine keeps otherwise than it was given.
    fileprivate func take(_ new: RowBuffer, at rows: [Int]) {
        for (index, row) in rows.enumerated() {
            if new.isRounded {
                for column in columns.indices {
                    replace(row: row, column: column, with: copied(new.batch[index, column]))
                }
            } else if let column = entity.integerKey {
                replace(row: row, column: column, with: new.batch[index, column])
            }
        }
        if new.isRounded { markRounded() }
    }

    /// Gives a row the primary key that is found in a row of keys.
    package func takeKey(_ keys: RowBatch, _ place: Int, row: Int) {
        for (offset, column) in entity.primaryKey.enumerated() {
            let key = keys[place, offset]
            if Slot.compare(batch[row, column], key) == 0 { continue }
            replace(row: row, column: column, with: copied(key))
            markRounded()
        }
    }

    /// Drops every row whose values in some columns come again later, and returns which were kept; nil when all were.
    ///
    /// Rows with an absent value are kept.
    func keepLast(of columns: [Int]) -> [Int]? {
        var last: [[StorageValue]: Int] = [:]
        var lone: [Int] = []
        for row in 0..<count {
            let values = batch.values(columns, of: row)
            if values.contains(.null) { lone.append(row) } else { last[values] = row }
        }
        guard last.count + lone.count < count else { return nil }
        let kept = (Array(last.values) + lone).sorted()
        keep(rows: kept)
        return kept
    }
}

extension RowBatch {
    /// Returns the values of some columns of a row.
    fileprivate func values(_ columns: some Sequence<Int>, of row: Int) -> [StorageValue] {
        columns.map { StorageValue(self[row, $0]) }
    }
}
