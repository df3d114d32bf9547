// Reading by stored names.
extension ReadCalls {
    /// Returns the rows of a request.
    public func fetch(_ request: DynamicRequest) throws -> [DynamicRow] {
        try reading(asOneCall: true) { try $0.fetchRows(request) }
    }

    /// Calls a function with each row of a request, in order, in constant memory.
    ///
    /// `body` returns false to stop early. In a write the rows are all read first, so that it sees nothing of
    /// what it writes.
    public func forEach(
        _ request: DynamicRequest,
        _ body: (DynamicRow) throws -> Bool
    ) throws {
        try reading(asOneCall: false) { transaction in
            guard transaction.isPartOfWrite else {
                return try transaction.visitRows(request, forCaller: true, body)
            }
            for row in try transaction.fetchRows(request) where try !body(row) { return }
        }
    }

    /// Returns the row with a primary key, given in key order, or nil.
    public func find(_ entity: EntitySchema, key: [DynamicValue]) throws -> DynamicRow? {
        try reading(asOneCall: true) { transaction in
            let reader = try transaction.reader()
            let keys = try entity.encode(key: key, to: reader.buffers)
            var found: DynamicRow?
            try transaction.intercept(.on(entity, .find, 1)) {
                try keys.withBatch { keys in
                    try reader.get(entity, keys: keys) {
                        found = try DynamicRow($1, at: 0, of: entity)
                    }
                }
            }
            return found
        }
    }

    /// Returns the number of rows of a request, its limit and offset applied.
    public func count(_ request: DynamicRequest) throws -> Int {
        try reading(asOneCall: true) { try $0.count(request.rowQuery()) }
    }

    /// Returns the groups of a request.
    public func fetch(_ request: DynamicGroupRequest) throws -> [DynamicGroup] {
        try reading(asOneCall: true) { transaction in
            var groups: [DynamicGroup] = []
            try request.forEach(in: transaction) { groups.append($0) }
            return groups
        }
    }

    /// Describes how the engine would run a request, for a person.
    public func explain(_ request: DynamicRequest) throws -> String {
        try reading(asOneCall: true) { try $0.explain(request.rowQuery()) }
    }

    /// Computes a function over the field with a stored name, absent values left out.
    ///
    /// - Throws: `.invalidRequest` when there is no such field, or for a sum or an average of one that
    ///   is not a number.
    public func aggregate(
        _ function: AggregateFunction,
        _ field: String,
        of request: DynamicRequest
    ) throws -> DynamicValue {
        let entity = request.entity
        let column = try entity.column(named: field)
        try entity.check(function, on: column)
        let result = try reading(asOneCall: true) {
            try $0.aggregate(function, RowGrouping.Key(column), of: request.rowQuery())
        }
        return try result.withSlot { slot in
            guard slot.kind == .real else { return try entity.dynamicValue(slot, at: column) }
            return .real(slot.real)
        }
    }

    /// Returns the different values of the field with a stored name, ascending, nil first.
    public func distinct(_ field: String, of request: DynamicRequest) throws -> [DynamicValue] {
        let column = try request.entity.column(named: field)
        return try reading(asOneCall: true) {
            var values: [DynamicValue] = []
            try $0.distinct(RowGrouping.Key(column), of: request.rowQuery()) {
                values.append(try request.entity.dynamicValue($0, at: column))
            }
            return values
        }
    }
}

extension ReadTransaction {
    fileprivate final func fetchRows(_ request: DynamicRequest) throws -> [DynamicRow] {
        var rows: [DynamicRow] = []
        try visitRows(request) {
            rows.append($0)
            return true
        }
        return rows
    }

    fileprivate final func visitRows(
        _ request: DynamicRequest,
        forCaller isForCaller: Bool = false,
        _ body: (DynamicRow) throws -> Bool
    ) throws {
        let query = try request.rowQuery()
        try scan(query, forCaller: isForCaller) { batch in
            for row in 0..<batch.count {
                guard try body(DynamicRow(batch, at: row, of: query.entity)) else { return false }
            }
            return true
        }
    }
}

extension EntitySchema {
    /// Returns a buffer with a key, valid until the next call on the same transaction.
    func encode(key: [DynamicValue], to buffers: RowBuffers) throws -> RowBuffer {
        try validate()
        try requireStored()
        guard key.count == primaryKey.count else {
            throw DBClientError(
                .invalidRequest,
                "The primary key must have \(primaryKey.count) fields; got \(key.count).",
                entity: name
            )
        }
        let buffer = buffers.keys(of: self)
        var row = try buffer.beginRow()
        for (column, value) in zip(primaryKey, key) {
            try naming(column) { try write(value, at: column, to: &row) }
        }
        try buffer.endRow(row)
        try buffer.checkKeyLengths()
        return buffer
    }

    /// Throws unless a function has a meaning on a field.
    func check(_ function: AggregateFunction, on column: Int) throws {
        try check(function, on: fields[column])
    }

    /// Throws when a function has no meaning for the values of a field, or for what is computed.
    func check(_ function: AggregateFunction, on field: FieldSchema) throws {
        switch (function, field.type) {
        case (.minimum, _), (.maximum, _), (_, .integer), (_, .double), (_, .float), (_, .decimal):
            break
        default:
            throw DBClientError(
                .invalidRequest,
                "A field must hold numbers to have a sum or an average; it holds \(field.type.name).",
                entity: name,
                field: field.name
            )
        }
    }
}
