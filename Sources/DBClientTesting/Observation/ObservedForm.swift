import DBClientCore

/// A value as a test compares it: field by field and byte by byte where its row is all of it, by its own
/// equality otherwise.
struct ObservedForm: Equatable, Sendable {
    let key: [StorageValue]
    private let fields: [StorageValue]
    /// The model itself, compared where it is `Equatable`; models are `Sendable`.
    nonisolated(unsafe) private let value: (any Equatable)?

    init<Model: StoredConvertible>(_ model: Model) throws {
        key = try Self.key(of: model)
        if let stored = model as? any Stored, let form = try Self.fields(of: stored) {
            fields = form
            value = nil
        } else {
            guard let comparable = model as? any Equatable else {
                throw ConformanceFailure("\(Model.self) cannot be compared")
            }
            fields = []
            value = comparable
        }
    }

    static func == (left: ObservedForm, right: ObservedForm) -> Bool {
        guard left.key == right.key, left.fields == right.fields else { return false }
        guard let first = left.value, let second = right.value else {
            return left.value == nil && right.value == nil
        }
        return isEqual(first, second)
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: any Equatable) -> Bool {
        right as? Value == left
    }

    private static func fields<Model: Stored>(of model: Model) throws -> [StorageValue]? {
        Model.schema.entity.relationships.isEmpty ? try storedForm(model) : nil
    }

    private static func key<Model: StoredConvertible>(of model: Model) throws -> [StorageValue] {
        let entity = Model.Storage.schema.entity
        let buffer = RowBuffer(entity, columns: entity.primaryKey)
        var row = try buffer.beginRow()
        try model.primaryKey.write(to: &row)
        try buffer.endRow(row)
        return buffer.withBatch { batch in
            entity.primaryKey.indices.map { StorageValue(batch[0, $0]) }
        }
    }
}
