/// The loops over a model's values and rows, compiled for the model where it is declared.
///
/// Rows come in batches, and a batch costs one call of a loop. ``Stored/compiled`` has the loops by default, which the
/// compiler specialises for the model.
public struct CompiledModel<Model: Stored>: Sendable {
    @usableFromInline let decode: @Sendable (RowBatch, inout [Model]) throws -> Void
    @usableFromInline let encode: @Sendable ([Model], Range<Int>, RowBuffer) throws -> Void
    @usableFromInline let encodeKey: @Sendable (Model.PrimaryKey, RowBuffer) throws -> Void
    @usableFromInline let haveAscendingKeys: @Sendable ([Model]) -> Bool

    /// Compiles the loops for the model.
    @inlinable
    public init() {
        decode = { batch, models in
            if batch.expectedCount > 0 && models.isEmpty {
                models.reserveCapacity(batch.expectedCount)
            }
            for index in 0..<batch.count {
                var reader = batch.reader(at: index)
                models.append(try Model(row: &reader))
            }
        }
        encode = { models, range, buffer in
            buffer.reserveCapacity(range.count)
            // Through a pointer no model is copied to be written.
            try models[range].withUnsafeBufferPointer { models in
                for index in models.indices {
                    var writer = try buffer.beginRow()
                    try models[index].write(to: &writer)
                    try buffer.endRow(writer)
                }
            }
        }
        encodeKey = { key, buffer in
            var writer = try buffer.beginRow()
            try key.write(to: &writer)
            try buffer.endRow(writer)
            try buffer.checkKeyLengths(from: buffer.count - 1)
        }
        haveAscendingKeys = { models in
            var last: Int64?
            for model in models {
                guard let key = model.primaryKey.integer else { return false }
                if let last, key <= last { return false }
                last = key
            }
            return true
        }
    }
}

extension Stored {
    /// Appends every row of a batch to some models.
    @usableFromInline
    package static func decode(_ batch: RowBatch, appendingTo models: inout [Self]) throws {
        try compiled.decode(batch, &models)
    }

    /// Writes every model of a range to a buffer, as one row each.
    @usableFromInline
    package static func encode(_ models: [Self], in range: Range<Int>, to buffer: RowBuffer) throws
    {
        try compiled.encode(models, range, buffer)
    }

    /// Writes a primary key to a buffer of keys.
    @usableFromInline
    package static func encode(key: PrimaryKey, to buffer: RowBuffer) throws {
        try compiled.encodeKey(key, buffer)
    }

    /// Whether the primary keys are integers that ascend, so that none occurs twice.
    static func haveAscendingKeys(_ models: [Self]) -> Bool {
        compiled.haveAscendingKeys(models)
    }
}
