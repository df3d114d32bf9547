public import DBClientCore

/// A model that the object store keeps in a shape of its own.
///
/// With a client of another engine the model is kept as its `Storage`. Requests name the fields of `Storage`,
/// which are found in the object store's shape by their stored names; one that it lacks is refused with
/// `.invalidRequest`.
///
/// ```swift
/// extension Hero: StoredConvertible {
///     init(storage: HeroRecord) throws { … }
///     func storage(existing: HeroRecord?) throws -> HeroRecord { … }
/// }
///
/// extension Hero: ObjectStoreModelConvertible {
///     init(objectStoreModel: PackedHero) throws { … }
///     func objectStoreModel(existing: PackedHero?) throws -> PackedHero { … }
/// }
/// ```
///
/// A model that has one shape on every engine is a `StoredConvertible` and no more.
public protocol ObjectStoreModelConvertible: EngineConvertible {
    /// The shape that the object store keeps.
    associatedtype ObjectStoreModel: Stored where ObjectStoreModel.PrimaryKey == PrimaryKey

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

extension ObjectStoreModelConvertible {
    fileprivate static var objectStoreMapping: ShapeMapping<Self, ObjectStoreModel> {
        ShapeMapping(
            readsExisting: readsExisting,
            model: { try Self(objectStoreModel: $0) },
            shape: { try $0.objectStoreModel(existing: $1) }
        )
    }
}

extension ObjectStoreDBClient {
    /// Returns the mapping of a model that is an `ObjectStoreModelConvertible`.
    public static func mapping<Model: EngineConvertible>(
        of model: Model.Type
    ) -> (any ModelMapping<Model>)? {
        func mapping<Known: ObjectStoreModelConvertible>(_ model: Known.Type) -> Any {
            Known.objectStoreMapping
        }
        guard let model = model as? any ObjectStoreModelConvertible.Type else { return nil }
        return mapping(model) as? any ModelMapping<Model>
    }
}
