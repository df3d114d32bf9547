public import DBClientCore

extension SQLTransaction {
    /// Visits some fields of the rows of a query, the only ones that the database reads.
    public func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try enterCall(isOne: !isComputedHere(query))
        guard query.limit != 0, let table = try source(of: query) else { return }
        let entity = query.entity
        if isComputedHere(query) {
            return try rowsComputedHere(query).withBatch { batch in
                let rows = ProjectedRows(columns, of: entity)
                for row in 0..<batch.count {
                    rows.add { batch[row, $0] }
                    if rows.isFull, try !rows.flush(visit) { return }
                }
                _ = try rows.flush(visit)
            }
        }
        let kinds = columns.map { entity.fields[$0].type.slotKind }
        // One row at a time, since what it borrows is gone with the next.
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: max(columns.count, 1))
        defer { slots.deallocate() }
        let batch = RowBatch(slots: slots, columnCount: columns.count, count: 1, entity: entity)
        try statement(.select(columns), query, table).values(on: entity) { row in
            for index in 0..<columns.count {
                slots[index] = try Self.checked(row[index], kinds[index], entity, columns[index])
            }
            return try visit(batch)
        }
    }

    /// Whether the database computes all that a grouping asks for: what is computed of the rows' own fields, and fields
    /// of rows that they lead to, if all of these have tables.
    public func canGroup(_ grouping: RowGrouping) throws -> Bool {
        if isComputedHere(grouping.query) { return false }
        for field in grouping.derivedFields {
            if let expression = field.expression {
                if !field.path.isEmpty { return false }
                if !hasLibraryFunctions && expression.usesLibraryFunctions { return false }
            }
            for hop in field.path {
                if tables.table(of: hop.entity, isWriting: false) != nil { continue }
                try enterCall(isOne: false)
                if try table(reading: hop.entity) == nil { return false }
            }
        }
        return true
    }

    /// Visits the groups of the rows of a query, put together by the database.
    ///
    /// The condition on a group is the database's as well, unless it asks for an exact sum, which may
    /// overflow the database's own sum. Where rows lead to an entity that has no table yet, the groups are
    /// formed here, since the related rows do not exist.
    public func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let query = grouping.query
        // A sum that leaves 64 bits is asked for again.
        try enterCall(isOne: false)
        guard query.limit != 0, let table = try source(of: query) else { return }
        var grouping = grouping
        for hop in grouping.keys.flatMap(\.path) where try self.table(reading: hop.entity) == nil {
            return try groupSelectedRows(grouping, visit)
        }
        let isFiltered = grouping.isFilteredByDatabase
        let width = grouping.keys.count + grouping.terms.count
        if !isFiltered { grouping.terms = grouping.allTerms }
        let rendered = RenderedGrouping(
            grouping,
            isFiltered: isFiltered,
            hasCheckedSums: traits.integerOverflow != nil
        )
        var visitedCount = 0
        do {
            try group(rendered, width, in: table) {
                visitedCount += 1
                try visit($0)
            }
        } catch  where traits.isIntegerOverflow(DBClientError.wrapping(error)) {
            // The sums as they are, which may be in the range after all, of the groups that are left.
            let exact = RenderedGrouping(
                grouping,
                isFiltered: isFiltered,
                hasCheckedSums: false
            )
            try group(exact, width, in: table) {
                visitedCount -= 1
                if visitedCount < 0 { try visit($0) }
            }
        }
    }

    private func group(
        _ rendered: RenderedGrouping,
        _ width: Int,
        in table: TableSQL,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let grouping = rendered.grouping
        let entity = grouping.query.entity
        let arena = RowBuffer(entity, columns: [])
        var slots: [Slot] = []
        let sums = traits.integerSum
        let keys = grouping.keys.map { GroupColumn($0, of: entity) }
        let terms = grouping.terms.map {
            GroupColumn(
                $0,
                of: entity,
                sumsAreChecked: rendered.hasCheckedSums,
                isCount: rendered.counts($0)
            )
        }
        let statement = try statement(.group(rendered), grouping.query, table)
        try statement.values(on: entity) { row in
            slots.removeAll(keepingCapacity: true)
            arena.removeAll()
            for (index, key) in keys.enumerated() { slots.append(try key.checked(row[index])) }
            var position = keys.count
            for term in terms {
                if let type = term.exactSum {
                    let end = position + sums.width(of: type)
                    let parts = UnsafeBufferPointer(rebasing: row[position..<end])
                    guard let sum = sums.sum(parts, of: type) else { throw term.sumOutOfRange }
                    slots.append(sum.slot(in: arena))
                    position = end
                } else {
                    slots.append(try term.checked(row[position]))
                    position += 1
                }
            }
            let isWanted =
                rendered.isFiltered
                || grouping.condition.holds { term in
                    grouping.terms.firstIndex(of: term).map { slots[grouping.keys.count + $0] }
                        ?? .null
                }
            if isWanted {
                try slots.withUnsafeBufferPointer {
                    try visit(UnsafeBufferPointer(rebasing: $0[..<width]))
                }
            }
            return true
        }
    }
}
