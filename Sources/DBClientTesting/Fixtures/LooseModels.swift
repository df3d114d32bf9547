import DBClientCore

/// A model whose schema a case makes up, to try schemas that are wrong.
///
/// The schema comes from a type of its own, since a model has one schema for good.
struct Loose<Shape: LooseShape>: Stored {
    var id: Int
    var other: Int

    init(_ id: Int, _ other: Int = 0) {
        self.id = id
        self.other = other
    }

    static var schema: Schema<Loose<Shape>> {
        LooseSchemas.schema(for: Shape.self)
    }
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        other = try row.read()
        for _ in 0..<Shape.extraFields { _ = try row.read(Int.self) }
        if Shape.readsOptionalValue { _ = try row.read(Origin?.self) }
    }

    func write(to row: inout RowWriter) throws {
        try Shape.write(id, other, to: &row)
    }

    /// Not stored, and there only for key paths to name it.
    var unknown: Int { 0 }
    /// Not stored, and there only for key paths to name it.
    var maybe: Int? { nil }
    /// Not stored, and there only for key paths to name it.
    var list: [Int] { [] }
}

/// How a `Loose` model is described and written.
protocol LooseShape: Sendable {
    static var entity: String { get }
    static func fields() -> [SchemaField<Loose<Self>>]
    static func indexes() -> [StoredIndex<Loose<Self>>]
    static func write(_ id: Int, _ other: Int, to row: inout RowWriter) throws
    /// Fields that the model reads beyond those of its schema.
    static var extraFields: Int { get }
    /// Whether the model reads an optional JSON value beyond its fields.
    static var readsOptionalValue: Bool { get }
}

extension LooseShape {
    static var entity: String { "Loose" }

    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "id", primaryKey: .given), .field(\.other, "other")]
    }

    static func indexes() -> [StoredIndex<Loose<Self>>] { [] }

    static func write(_ id: Int, _ other: Int, to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(other)
    }

    static var extraFields: Int { 0 }

    static var readsOptionalValue: Bool { false }
}
