import Synchronization

/// The rows of a join: those of several models put together, ``Joined2`` and the like.
///
/// Its requirements are for the library's own types.
public protocol JoinedRows: Stored where PrimaryKey == Int {
    /// The fields of each model, in their order.
    associatedtype Fields
    /// A value of each model, in their order.
    associatedtype Values: Sendable

    /// The models, of which one that a left join has added is an optional.
    static var sources: [any Sendable.Type] { get }
    /// Returns the fields of each model, taken from `parts` in the order of ``sources``.
    static func fields(_ parts: inout JoinedFields<Self>) -> Fields
    /// Reads a value of each model from the row, in the order of ``sources``.
    ///
    /// - Throws: `.decoding` for what is stored and does not fit a model.
    static func values(_ row: inout JoinedValues) throws -> Values
    /// Returns the models' values one by one.
    static func elements(of values: Values) -> [any Sendable]
}

extension JoinedRows {
    /// The schema of the joined rows: the fields of each model, one model after the other.
    public static var schema: Schema<Self> {
        JoinedSchemas.schema(of: Self.self) {
            Schema(of: EntitySchema(joining: parts.map { ($0.entity, $0.isOptional) }))
        }
    }

    /// The models' entities and where their fields are, without what makes them belong together.
    static var parts: [RowJoin.Part] {
        var offset = 0
        return sources.compactMap { JoinSource($0) }
            .map { source in
                let entity = source.model.storedEntity
                defer { offset += entity.fields.count }
                return RowJoin.Part(entity, at: offset, isOptional: source.isOptional)
            }
    }

    /// Returns what a closure makes of the fields of the models, and whose fields they are.
    static func make<Result>(_ body: (Fields) -> Result) -> (Result, scope: Int) {
        let scope = DBClientCore.Fields<Self>().scope
        var fields = JoinedFields<Self>(scope)
        return (body(Self.fields(&fields)), scope)
    }

    /// Zero: there is no value that has a key.
    public var primaryKey: Int { 0 }

    /// Throws: a joined row is read by its models.
    public init(row: inout RowReader) throws {
        throw DBClientError(
            .invalidRequest,
            "Joined rows must be fetched by a request for their models.",
            entity: Self.schema.entity.name
        )
    }

    /// Does nothing: there is no value.
    public func write(to row: inout RowWriter) throws {}
}

/// The fields of the models of a join, one model after the other.
public struct JoinedFields<Rows: JoinedRows> {
    private let scope: Int
    private var parts: ArraySlice<RowJoin.Part>

    init(_ scope: Int) {
        self.scope = scope
        parts = Rows.parts[...]
    }

    /// Returns the fields of the next model.
    public mutating func next<Source: Sendable>() -> JoinFields<Rows, Source> {
        JoinFields(scope: scope, part: parts.popFirst() ?? RowJoin.Part(.constant, at: 0))
    }
}

/// The values of the models of a joined row, one after the other.
public struct JoinedValues {
    private var row: ColumnDecoder
    private var parts: ArraySlice<RowJoin.Part>

    init(_ row: ColumnDecoder, _ parts: [RowJoin.Part]) {
        self.row = row
        self.parts = parts[...]
    }

    /// Reads the value of the next model.
    public mutating func next<Source: Sendable>() throws -> Source {
        let part = parts.popFirst() ?? RowJoin.Part(.constant, at: 0)
        return try JoinSource.value(row.take(part.entity.fields.count), part)
    }
}

/// The model that a type of a join stands for: itself, or what it is an optional of.
struct JoinSource {
    let model: any StoredConvertible.Type
    let isOptional: Bool

    init?(_ type: Any.Type) {
        if let model = type as? any StoredConvertible.Type {
            self.init(model: model, isOptional: false)
        } else if let optional = type as? any OptionalModel.Type {
            self.init(model: optional.model, isOptional: true)
        } else {
            return nil
        }
    }

    private init(model: any StoredConvertible.Type, isOptional: Bool) {
        self.model = model
        self.isOptional = isOptional
    }

    /// Returns the value of a model, or nil, from the slots of its fields.
    static func value<Source>(_ slots: UnsafePointer<Slot>, _ part: RowJoin.Part) throws -> Source {
        func read<Model: StoredConvertible>(_ model: Model.Type) throws -> Source? {
            if part.isOptional, slots[part.entity.primaryKey[0]].isNull {
                return Model?.none as? Source
            }
            let batch = RowBatch(
                slots: slots,
                columnCount: part.entity.fields.count,
                count: 1,
                entity: part.entity
            )
            var reader = batch.reader(at: 0)
            return try Model(storage: Model.Storage(row: &reader)) as? Source
        }
        guard let source = JoinSource(Source.self), let value = try read(source.model) else {
            throw DBClientError(
                .decoding,
                "The joined value must be one of \(Source.self).",
                entity: part.entity.name
            )
        }
        return value
    }
}

/// A model that may be absent: what a left join joins.
public protocol OptionalModel: Sendable {
    /// The model that the optional wraps.
    associatedtype Model: StoredConvertible
}

extension Optional: OptionalModel where Wrapped: StoredConvertible {
    /// The model that may be absent.
    public typealias Model = Wrapped
}

extension OptionalModel {
    static var model: any StoredConvertible.Type { Model.self }
}

extension StoredConvertible {
    static var storedEntity: EntitySchema { Storage.schema.entity }
}

/// The schemas of joins, one for each type, which a generic type cannot keep itself.
private enum JoinedSchemas {
    private static let schemas = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func schema<Model: Stored>(
        of type: Model.Type,
        _ make: () -> Schema<Model>
    ) -> Schema<Model> {
        let known = schemas.withLock { $0[ObjectIdentifier(type)] as? Schema<Model> }
        if let known { return known }
        // Outside of the lock, since a join of joined rows asks for their schema, though only to be refused.
        let made = make()
        return schemas.withLock { schemas in
            if let schema = schemas[ObjectIdentifier(type)] as? Schema<Model> { return schema }
            schemas[ObjectIdentifier(type)] = made
            return made
        }
    }
}
