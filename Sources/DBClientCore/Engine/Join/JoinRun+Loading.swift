// Loading the rows of the parts behind the first.
extension JoinRun {
    /// Drops the rows of the parts behind the first.
    func clear() {
        tables = []
        plan.memory.giveBack(sizes.reduce(0, +))
        sizes = []
    }

    /// Loads all rows of the parts behind the first, and returns false where they are too many.
    func loadAll() throws -> Bool {
        clear()
        for index in plan.join.parts.indices.dropFirst() {
            let part = plan.join.parts[index]
            let query = RowQuery(part.entity, where: plan.filters[index])
            guard let rows = try rows(of: query, index, having: []) else { return false }
            add(rows, index)
        }
        return true
    }

    /// Loads the rows of the parts behind the first that may belong to some rows of it.
    func load(belongingTo few: RowBuffer) throws {
        clear()
        var buffers: [RowBuffer?] = [few]
        for index in plan.join.parts.indices.dropFirst() {
            let part = plan.join.parts[index]
            var query = RowQuery(part.entity, where: plan.filters[index])
            var wanted: [JoinValues] = []
            for (before, own) in plan.steps[index].equalities {
                let source = plan.join.part(of: before)
                let place = before - plan.join.parts[source].offset
                guard let rows = buffers[source] else { continue }
                // Where nothing belongs to the rows before, the field is nil, as one of this part may be.
                let mayBeAbsent =
                    plan.join.parts[source].isOptional
                    && part.entity.fields[own - part.offset].isOptional
                guard var values = rows.values(of: place) else {
                    if let place = rows.columns.firstIndex(of: place) {
                        wanted.append(
                            JoinValues(
                                for: own - part.offset,
                                in: rows,
                                at: place,
                                includesNil: mayBeAbsent
                            )
                        )
                    }
                    continue
                }
                if mayBeAbsent, !values.contains(.null) { values.append(.null) }
                query.condition = .conjunction(
                    .member(column: own - part.offset, of: values),
                    query.condition
                )
            }
            let rows = try rows(of: query, index, having: wanted)
            buffers.append(rows)
            add(rows, index)
        }
    }

    /// Returns the rows of a query for a part that have some values, or nil where they are too many.
    private func rows(
        of query: RowQuery,
        _ index: Int,
        having wanted: [JoinValues]
    ) throws -> RowBuffer? {
        let columns = columns[index]
        let rows = RowBuffer(query.entity, columns: columns)
        var size = 0
        try plan.reader.select(columns, of: query) { batch in
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                guard wanted.allSatisfy({ $0.holds(for: slots, columns) }) else { continue }
                let added = JoinMemory.size(of: slots, batch.columnCount)
                size += added
                plan.memory.take(added)
                if plan.memory.isExceeded { return false }
                rows.append(copying: slots)
            }
            return true
        }
        if plan.memory.isExceeded {
            plan.memory.giveBack(size)
            return nil
        }
        sizes.append(size)
        return rows
    }

    /// Adds the rows of a part; nil for those that are read anew for each row before.
    private func add(_ rows: RowBuffer?, _ index: Int) {
        let part = plan.join.parts[index]
        tables.append(
            rows.map { rows in
                JoinTable(
                    rows,
                    keys: plan.steps[index].equalities.map { own in
                        columns[index].firstIndex(of: own.own - part.offset) ?? 0
                    }
                )
            }
        )
    }
}

extension RowBuffer {
    /// The different values of a field of the rows; nil where they are many.
    fileprivate func values(of column: Int) -> [StorageValue]? {
        guard let place = columns.firstIndex(of: column) else { return nil }
        return withBatch { batch in
            var values = Set<StorageValue>()
            for row in 0..<batch.count {
                values.insert(StorageValue(batch[row, place]))
                if values.count > 1_024 { return nil }
            }
            return Array(values)
        }
    }
}
