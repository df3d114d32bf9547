import DBClientCore
import Foundation

/// Stores a value and reads it back.
func roundTrip<Value: StorableValue>(_ value: Value) throws -> Value {
    try StorageValue(storing: value).decode()
}

/// What a body throws, or nil when it does not throw a `DBClientError`.
func failure(_ body: () throws -> Any?) -> DBClientError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? DBClientError
    }
}

/// Encodes models as an engine gets them.
func encode<Model: Stored>(_ models: [Model]) throws -> RowBuffer {
    let buffer = RowBuffer(Model.schema.entity)
    try Model.encode(models, in: models.indices, to: buffer)
    return buffer
}

/// Decodes every row of a buffer.
func decode<Model: Stored>(_ buffer: RowBuffer, as type: Model.Type) throws -> [Model] {
    var models: [Model] = []
    try Model.decode(buffer.batch, appendingTo: &models)
    return models
}

/// Makes a buffer of one row of these values.
func makeBuffer(_ entity: EntitySchema, _ values: [StorageValue]) throws -> RowBuffer {
    let buffer = RowBuffer(entity)
    var writer = try buffer.beginRow()
    for value in values { try writer.put(value.slot(in: buffer)) }
    try buffer.endRow(writer)
    return buffer
}

extension StorageValue {
    /// The text of a text value.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The bytes of a data value.
    var bytes: [UInt8]? {
        if case .data(let bytes) = self { bytes } else { nil }
    }
}

/// The same numbers for the same seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
