/// A model that differs on some engine.
///
/// The protocols of the engines' modules refine it, such as `ObjectStoreModelConvertible`; adopt
/// those. Where the client's engine has no mapping for the model, it is kept as its `Storage`. A
/// `Stored` model is its own shape on every engine and cannot adopt it.
public protocol EngineConvertible: StoredConvertible {}

extension EngineConvertible {
    /// Returns the mapping of the client's engine, or else the one to `Storage`.
    public static func mapping(in transaction: ReadTransaction) -> any ModelMapping<Self> {
        transaction.clientType.mapping(of: Self.self) ?? storageMapping
    }
}

extension Stored where Self: EngineConvertible {
    /// A stored model is its own shape on every engine.
    @available(
        *,
        unavailable,
        message: "A stored model is its own shape on every engine: name a Storage instead."
    )
    public static func mapping(in transaction: ReadTransaction) -> any ModelMapping<Self> {
        StoredMapping<Self>()
    }
}
