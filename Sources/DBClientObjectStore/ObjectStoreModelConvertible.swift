public import DBClientCore

/// A model that the object store keeps in a shape of its own.
///
/// With a client of another engine the model is what it is there: `Stored`, or kept as its `Storage`.
/// Requests name the fields of `Storage`, which are found in the object store's shape by their stored
/// names; one that is not there is refused with `.invalidRequest`.
///
/// ```swift
/// @Stored struct Hero {
///     @PrimaryKey let id: Int
///     var name: String
///     var tags: [String]
/// }
///
/// extension Hero: ObjectStoreModelConvertible {
///     init(objectStoreModel: PackedHero) throws { … }
///     func objectStoreModel(existing: PackedHero?) throws -> PackedHero { … }
/// }
/// ```
///
/// A model that adopts this protocol alone is kept in the same shape everywhere.
public protocol ObjectStoreModelConvertible: EngineConvertible {
    /// The shape that the object store keeps.
    associatedtype ObjectStoreModel: Stored where ObjectStoreModel.PrimaryKey == PrimaryKey
    associatedtype Storage = ObjectStoreModel

    /// Creates the value from what the object store keeps.
    ///
    /// - Throws: As `StoredConvertible.init(storage:)`.
    init(objectStoreModel: ObjectStoreModel) throws

    /// Returns what the object store is to keep.
    ///
    /// - Parameter existing: What it keeps under the primary key now; nil when nothing is, for an
    ///   insert, and for a `StoredRepresentable`.
    /// - Returns: The kept value, of the same primary key.
    /// - Throws: As `StoredConvertible.storage(existing:)`.
    func objectStoreModel(existing: ObjectStoreModel?) throws -> ObjectStoreModel
}

extension ObjectStoreModelConvertible where Storage == ObjectStoreModel {
    /// Creates the value from what the object store keeps.
    public init(storage: ObjectStoreModel) throws {
        try self.init(objectStoreModel: storage)
    }

    /// Returns what the object store is to keep.
    public func storage(existing: ObjectStoreModel?) throws -> ObjectStoreModel {
        try objectStoreModel(existing: existing)
    }
}

extension ObjectStoreModelConvertible {
    fileprivate static var objectStoreConversion: ShapeConversion<Self, ObjectStoreModel> {
        ShapeConversion(
            readsExisting: readsExisting,
            model: { try Self(objectStoreModel: $0) },
            shape: { try $0.objectStoreModel(existing: $1) }
        )
    }
}

extension ObjectStoreDBClient {
    /// Returns the conversion of a model that is an `ObjectStoreModelConvertible`.
    public static func conversion<Model: EngineConvertible>(
        of model: Model.Type
    ) -> (any ModelConversion<Model>)? {
        func conversion<Known: ObjectStoreModelConvertible>(_ model: Known.Type) -> Any {
            Known.objectStoreConversion
        }
        guard let model = model as? any ObjectStoreModelConvertible.Type else { return nil }
        return conversion(model) as? any ModelConversion<Model>
    }
}
