public import DBClientCore

extension SQLTransaction: EngineReader {
    /// The models that are used on the connections to the database.
    public var usage: ModelUsage? { schemaVersion.usage }

    /// Returns what is cheap for the connection's tables.
    public func hints(for entity: EntitySchema) -> EngineHints { connection.hints(for: entity) }

    /// Visits the rows with these keys.
    public func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        try enterCall(isOne: keys.count == 1)
        try table(reading: entity)?.get(keys, visit)
    }

    /// Visits the rows with these keys, in any order: one statement for any number of keys.
    public func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        try enterCall(isOne: false)
        if keys.count < 8 { return try get(entity, keys: keys) { try visit($1) } }
        let columns = entity.primaryKey
        let condition: RowCondition =
            columns.count == 1
            ? .isIn(column: columns[0], (0..<keys.count).map { StorageValue(keys[$0, 0]) })
            : .areIn(
                columns: columns,
                (0..<keys.count).map { row in
                    columns.indices.map { StorageValue(keys[row, $0]) }
                }
            )
        try scan(RowQuery(entity, where: condition)) { batch in
            try visit(batch)
            return true
        }
    }

    /// Visits the rows of a query in its total order.
    public func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try scan(query, forCaller: false, visit)
    }

    /// Visits the rows of a query for a visitor whose own time is not limited.
    public func scanForCaller(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try scan(query, forCaller: true, visit)
    }

    private func scan(
        _ query: RowQuery,
        forCaller: Bool,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        // Values that hold others are loaded by statements that follow.
        try enterCall(isOne: query.entity.isFlat && !isComputedHere(query))
        guard query.limit != 0, let table = try source(of: query) else { return }
        if isComputedHere(query) {
            return try rowsComputedHere(query).withBatch { batch in
                if batch.count > 0 { _ = try visit(batch) }
            }
        }
        let statement = try statement(.scan, query, table)
        guard traits.readsDamagedTables, query.orderings.isEmpty,
            let column = query.entity.integerKey
        else { return try statement.query(query.entity, forCaller: forCaller, visit) }
        var last: Int64?
        try statement.query(query.entity, forCaller: forCaller) { batch in
            for row in 0..<batch.count {
                let key = batch[row, column].integer
                // Where another program made the table, keys may be there twice.
                if let last, key < last { throw Self.disorder(query.entity) }
                last = key
            }
            return try visit(batch)
        }
    }

    @inline(never)
    private static func disorder(_ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .corrupt,
            "The table's rows are not in the order of their keys.",
            entity: entity.name,
            hint: "Restore a backup."
        )
    }

    /// Returns the number of rows of a query.
    public func count(_ query: RowQuery) throws -> Int {
        try enterCall(isOne: !isComputedHere(query))
        guard query.limit != 0, let table = try source(of: query) else { return 0 }
        var count = 0
        try statement(.count, query, table).values(on: query.entity) { row in
            count = Int(row[0].integer)
            return false
        }
        return count
    }

    /// Computes a function over a field of the rows of a query, or of what they lead to by a path.
    public func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        try enterCall(isOne: !isComputedHere(query))
        guard query.limit != 0, let table = try source(of: query) else { return .null }
        for hop in path where try self.table(reading: hop.entity) == nil { return .null }
        let entity = path.last?.entity ?? query.entity
        let type = entity.fields[column].type
        var result: StorageValue? = .null
        let statement = try statement(
            .aggregate(function, column: column, through: path),
            query,
            table
        )
        try statement.values(on: entity) { row in
            if function.isExactSum(of: type) {
                result = traits.integerSum.sum(row, of: type)
            } else if function.addsReals(of: type) {
                result = StorageValue(try Self.realSum(row[0], entity, entity.fields[column]))
            } else {
                let kind = function == .average ? .real : type.slotKind
                result = StorageValue(try Self.checked(row[0], kind, entity, column))
            }
            return false
        }
        guard let result else {
            throw DBClientError.sumOutOfRange(entity, entity.fields[column])
        }
        return result
    }

    /// Visits the distinct values of a field, ascending, nil first.
    public func distinct(
        column: Int,
        of query: RowQuery,
        _ visit: (Slot) throws -> Void
    ) throws {
        try enterCall(isOne: !isComputedHere(query))
        guard query.limit != 0, let table = try source(of: query) else { return }
        let entity = query.entity
        let kind = entity.fields[column].type.slotKind
        try statement(.distinct(column: column), query, table).values(on: entity) { row in
            try visit(try Self.checked(row[0], kind, entity, column))
            return true
        }
    }

    /// Returns the SQL of a request and the plan that the database has for it, which indexes it lacks for columns
    /// of another order than that of the library's own, and of which entities it asks every shard.
    public func explain(_ query: RowQuery) throws -> String {
        try enterCall(isOne: false)
        guard let table = try source(of: query) else {
            return "There is no table yet: the result is empty."
        }
        let sql = try statement(.scan, query, table).description.sql
        let explaining = try prepare(traits.explainPrefix + sql, for: .once)
        try explaining.bind(shape.parameters)
        var lines = [sql]
        try explaining.values(on: query.entity) { row in
            if let detail = row.last(where: { $0.kind == .text }) {
                lines.append(String(decoding: detail.bytes, as: UTF8.self))
            }
            return true
        }
        if traits.namesShards { lines += shardAdvice(on: query) }
        lines += try indexAdvice(
            on: query,
            in: table,
            sorts: lines.contains { $0.contains("Sort") }
        )
        return lines.joined(separator: "\n")
    }

    /// Returns a sum or an average of reals, which some databases cannot tell but by a word when it is no
    /// number.
    static func realSum(
        _ slot: Slot,
        _ entity: EntitySchema,
        _ field: FieldSchema
    ) throws -> Slot {
        let isNaN = slot.kind == .real ? slot.real.isNaN : slot.kind == .text && slot.text == "NaN"
        // The processor gives what is no number a sign.
        return isNaN ? .real(.nan) : try checked(slot, .real, entity, field)
    }

    /// Returns a slot of the field's kind.
    ///
    /// A number without a fraction may come as an integer.
    static func checked(
        _ slot: Slot,
        _ kind: Slot.Kind,
        _ entity: EntitySchema,
        _ column: Int
    ) throws -> Slot {
        if slot.kind == kind || slot.isNull { return slot }
        return try checked(slot, kind, entity, entity.fields[column])
    }

    /// Returns a slot of the field's kind, which may be that of no column.
    static func checked(
        _ slot: Slot,
        _ kind: Slot.Kind,
        _ entity: EntitySchema,
        _ field: FieldSchema
    ) throws -> Slot {
        if slot.kind == kind || slot.isNull { return slot }
        if let number = slot.number(as: kind) { return number }
        throw DBClientError.misfit(slot.kind, entity, field)
    }
}
