public import DBClientCore

// Rows that may have the unique values of stored ones, rows that a write returns, and rows that are made of others: by
// one statement where the database has it.
extension SQLTransaction {
    /// Inserts the rows that conflict with none.
    public func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        let table = try table(adding: rows.entity)
        if !table.sql.hasGenerated {
            try round(rows, in: table)
            if try table.insertAbsent(rows, outcome: outcome) { return }
        }
        try insertAbsentByLooking(rows, outcome: outcome)
    }

    /// Inserts or replaces rows by fields that are unique.
    public func upsert(
        _ rows: RowBuffer,
        by columns: [Int],
        outcome: (Int, Bool) -> Void
    ) throws {
        let table = try table(adding: rows.entity)
        if !table.sql.hasGenerated {
            try round(rows, in: table)
            if try table.upsert(rows, by: columns, outcome: outcome) { return }
        }
        try upsertByLooking(rows, by: columns, outcome: outcome)
    }

    /// Writes fields of the rows of a query and returns the rows: by one statement, unless a computed update takes
    /// several, what is written decides the order, or columns are declared otherwise than the library does.
    public func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws {
        let table = try table(writing: query.entity)
        guard query.limit != 0 else { return }
        let columns = assignments?.columns ?? []
        let written = columns + computations.map(\.column)
        guard table.sql.forms.isEmpty, !table.sql.hasGenerated else {
            return try updateAndGet(
                query,
                setting: assignments,
                computing: computations,
                returning: rows
            )
        }
        guard !written.isEmpty, mayReturn(query, writing: written, in: table),
            mayCompute(computations, of: query.entity, in: table)
        else {
            return try updateByKeys(
                query,
                setting: assignments,
                computing: computations,
                returning: rows
            )
        }
        try table.willWrite(
            assignments ?? RowAssignments(columns: [], values: roundedValues.batch)
        )
        let verb = QueryVerb.update(columns, computing: computations, returns: true)
        let statement = try statement(verb, query, setting: assignments, table.sql)
        try statement.write(query.entity) { rows.append(copying: $0) }
        rows.sort(by: query.totalOrder)
    }

    /// Deletes the rows of a query and returns them: by one statement, unless their order is one that the client has no
    /// values for.
    public func delete(_ query: RowQuery, returning rows: RowBuffer) throws {
        let table = try table(writing: query.entity)
        guard query.limit != 0 else { return }
        guard mayReturn(query, writing: [], in: table) else {
            try scan(query) { batch in
                rows.append(copying: batch)
                return true
            }
            return try deleteRead(rows)
        }
        try table.willWrite(nil)
        let statement = try statement(.delete(returns: true), query, table.sql)
        try namingDenial(of: query.entity) {
            try statement.write(query.entity) { rows.append(copying: $0) }
        }
        rows.sort(by: query.totalOrder)
    }

    /// Whether a statement may return the rows that it writes, which are put in order by their own fields as they are
    /// then.
    private func mayReturn(
        _ query: RowQuery,
        writing columns: [Int],
        in table: any SQLTable
    ) -> Bool {
        table.mayReturnRows && !isComputedHere(query)
            && query.orderings.allSatisfy { $0.isOwnField && !columns.contains($0.column) }
    }

    /// Inserts rows that are made from those of a query: by one statement, unless the library has to look at a value, or
    /// columns are declared otherwise than the library does.
    public func insert(_ insertion: RowInsertion) throws -> Int {
        let table = try table(adding: insertion.entity)
        let source = insertion.source
        guard source.limit != 0, let from = try self.source(of: source) else { return 0 }
        let makesKeys = insertion.columns.count < insertion.entity.fields.count
        guard let values = insertion.expressions, !isComputedHere(source),
            hasLibraryFunctions || !values.contains(where: \.usesLibraryFunctions),
            table.sql.forms.isEmpty, !table.sql.hasGenerated, from.forms.isEmpty,
            try table.mayInsert(insertion.columns, makingKeys: makesKeys)
        else { return try insertByRows(insertion) }
        let verb = QueryVerb.insert(table.sql, insertion.columns, values)
        return try statement(verb, source, from).execute(on: insertion.entity)
    }
}
