/// A model that differs on some engine.
///
/// The protocols of the engines' modules refine it, such as `ObjectStoreModelConvertible`; adopt
/// those. Where the client's engine has no conversion for the model, it is kept as its `Storage`.
public protocol EngineConvertible: StoredConvertible {}

extension EngineConvertible {
    /// Returns the conversion of the client's engine, or else the one to `Storage`.
    public static func conversion(
        in transaction: any ReadTransaction
    ) -> any ModelConversion<Self> {
        engineConversion(in: transaction) ?? storageConversion
    }

    fileprivate static func engineConversion(
        in transaction: any ReadTransaction
    ) -> (any ModelConversion<Self>)? {
        (transaction as? any EngineBackedTransaction)?.clientType.conversion(of: Self.self)
    }
}

extension Stored where Self: EngineConvertible {
    /// Returns the conversion of the client's engine, or else what converts nothing.
    public static func conversion(
        in transaction: any ReadTransaction
    ) -> any ModelConversion<Self> {
        engineConversion(in: transaction) ?? DirectConversion<Self>()
    }
}
