extension WriteTransaction {
    func updateStored<Model: Stored>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws {
        let writer = try writer()
        let entity = Model.schema.entity
        try validate(entity, writer)
        defer { openContext?.noteWrite(to: entity) }
        try atomically(keys.count) {
            guard writer.hints(for: entity).updatesTogether else {
                for key in keys {
                    try writer.buffers.withAssignments(to: entity) { buffer in
                        var assignments = Assignments<Model>(buffer)
                        try assign(&assignments, key)
                        try update(type, key: key, buffer)
                    }
                }
                return
            }
            let rows = AssignedRows(entity, capacity: keys.count)
            func write() throws {
                try rows.write(to: writer) { throw entity.nothingToUpdate(keys[$0]) }
            }
            // What is wrong with a key is told after what is wrong with those before it.
            func afterEarlier<Value>(_ body: () throws -> Value) throws -> Value {
                do {
                    return try body()
                } catch {
                    try write()
                    throw error
                }
            }
            // A pair of a position and a key would have the runtime look its type up for each.
            for position in keys.indices {
                let key = keys[position]
                try writer.buffers.withAssignments(to: entity) { buffer in
                    var assignments = Assignments<Model>(buffer)
                    let assigned = try afterEarlier {
                        try assign(&assignments, key)
                        return buffer.isPlain ? try buffer.finish() : nil
                    }
                    // What holds or modifies values, or nothing at all, is no row of these.
                    guard let assigned else {
                        try write()
                        return try update(type, key: key, buffer)
                    }
                    if !rows.takes(assigned) { try write() }
                    let encoded = writer.buffers.keys(of: entity)
                    defer { withExtendedLifetime(encoded) {} }
                    try afterEarlier { try Model.encode(key: key, to: encoded) }
                    rows.append(assigned, encoded.batch, at: position)
                }
            }
            try write()
        }
    }
}

/// Rows of which the same fields are written, gathered to be written together.
///
/// It knows a row by its position in the call: were it generic over the key, each row would have the
/// runtime look its types up.
private final class AssignedRows {
    private let entity: EntitySchema
    private let rows: RowBuffer
    @exclusivity(unchecked) private var columns: [Int] = []
    /// Where the rows stand in the call.
    @exclusivity(unchecked) private var positions: [Int] = []
    /// Where a row's field is found: in the key or in what is assigned; nil for the rest.
    @exclusivity(unchecked) private var sources: [Source?] = []

    private enum Source {
        case key(Int)
        case assignment(Int)
    }

    init(_ entity: EntitySchema, capacity: Int) {
        self.entity = entity
        rows = RowBuffer(entity, capacity: min(capacity, WriteTransaction.chunk))
    }

    /// Whether a row with these assignments can be written together with the others.
    func takes(_ assigned: RowAssignments) -> Bool {
        positions.isEmpty
            || columns == assigned.columns && positions.count < WriteTransaction.chunk
    }

    /// Adds a row of a key and what is assigned, both copied.
    func append(_ assigned: RowAssignments, _ key: RowBatch, at position: Int) {
        if positions.isEmpty, columns != assigned.columns {
            columns = assigned.columns
            sources = .init(repeating: nil, count: entity.fields.count)
            for column in columns { sources[column] = .assignment(column) }
            for (position, column) in entity.primaryKey.enumerated() {
                sources[column] = .key(position)
            }
        }
        rows.append { column in
            let slot: Slot =
                switch sources[column] {
                case .key(let position): key[0, position]
                case .assignment(let column): assigned.values[0, column]
                case nil: .null
                }
            return rows.copied(slot)
        }
        positions.append(position)
    }

    /// Writes what was gathered; `missing` is called with the position of each row that is not stored.
    func write(to writer: any EngineWriter, _ missing: (Int) throws -> Void) throws {
        guard !positions.isEmpty else { return }
        try rows.withBatch { batch in
            for range in rows.partsWithEachKeyOnce() {
                try writer.update(batch.rows(range), of: entity, setting: columns) { row in
                    try missing(positions[range.lowerBound + row])
                }
            }
        }
        rows.removeAll()
        positions.removeAll(keepingCapacity: true)
    }
}
