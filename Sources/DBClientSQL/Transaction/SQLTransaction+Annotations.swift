public import DBClientCore

// Rows with what is computed of the rows that belong to each, of which the database makes one statement.
extension SQLTransaction {
    /// Visits the rows of a query in its total order, each with what is computed of the rows that belong to it.
    ///
    /// A statement looks up the rows that belong to each, so the library groups them where no index finds them, where
    /// their table is not there yet, and where the database lacks a function.
    public func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        guard try canAnnotate(query, with: annotations) else {
            return try annotateScannedRows(query, with: annotations, visit)
        }
        // A sum that leaves 64 bits is asked for again, and values that hold others are loaded afterwards.
        try enterCall(isOne: false)
        guard query.limit != 0, let table = try source(of: query) else { return }
        var visitedCount = 0
        do {
            try annotate(query, with: annotations, in: table) {
                visitedCount += 1
                try visit($0)
            }
        } catch  where traits.isIntegerOverflow(DBClientError.wrapping(error)) {
            // The sums as they are, which may be in the range after all, of the rows that are left.
            try annotateScannedRows(query, with: annotations) {
                visitedCount -= 1
                if visitedCount < 0 { try visit($0) }
            }
        }
    }

    private func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        in table: TableSQL,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let entity = query.entity
        let kinds = entity.fields.map(\.type.slotKind)
        let terms = annotations.map {
            GroupColumn(
                $0.term,
                of: $0.rows.entity,
                sumsAreChecked: traits.integerOverflow != nil
            )
        }
        let sums = traits.integerSum
        let arena = RowBuffer(entity, columns: [])
        var slots: [Slot] = []
        try statement(.annotate(annotations), query, table).values(on: entity) { row in
            slots.removeAll(keepingCapacity: true)
            arena.removeAll()
            for (column, kind) in kinds.enumerated() {
                slots.append(try Self.checked(row[column], kind, entity, column))
            }
            for (index, term) in terms.enumerated() {
                let place = kinds.count + index
                if let type = term.exactSum {
                    let part = UnsafeBufferPointer(rebasing: row[place...place])
                    guard let sum = sums.sum(part, of: type) else { throw term.sumOutOfRange }
                    slots.append(sum.slot(in: arena))
                } else {
                    slots.append(try term.checked(row[place]))
                }
            }
            try slots.withUnsafeBufferPointer(visit)
            return true
        }
    }

    private func canAnnotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation]
    ) throws -> Bool {
        if isComputedHere(query) { return false }
        for annotation in annotations {
            let rows = annotation.rows
            let sum = annotation.term.exactSumType(
                of: rows.entity,
                besidesIntegers: traits.integerOverflow != nil
            )
            guard rows.entity.isFound(by: rows.columns),
                sum.map({ traits.integerSum.width(of: $0) == 1 }) ?? true,
                !isComputedHere(RowQuery(rows.entity, where: rows.condition))
            else { return false }
            let path = annotation.term.operand?.path ?? []
            let reached = RowQuery(rows.entity, where: rows.condition).dependencies
            for entity in Array(reached) + path.map(\.entity)
            where tables.table(of: entity, isWriting: false) == nil {
                try enterCall(isOne: false)
                if try table(reading: entity) == nil { return false }
            }
        }
        return true
    }
}

extension EntitySchema {
    /// Whether an index finds the rows with values in some fields.
    fileprivate func isFound(by columns: [Int]) -> Bool {
        primaryKey.starts(with: columns) || indexes.contains { $0.fields.starts(with: columns) }
    }
}
