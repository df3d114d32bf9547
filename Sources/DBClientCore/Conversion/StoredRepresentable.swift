/// A model whose stored shape depends on itself alone.
///
/// ```swift
/// extension Hero: StoredRepresentable {
///     init(storage: HeroRecord) { … }
///     func storage() -> HeroRecord { … }
/// }
/// ```
///
/// It is a `StoredConvertible` that does not ask for what is stored, so nothing is read before it is
/// written.
public protocol StoredRepresentable: StoredConvertible {
    /// Returns what to store.
    ///
    /// - Throws: As `storage(existing:)`.
    func storage() throws -> Storage
}

extension StoredRepresentable {
    /// Returns what to store, whatever is stored.
    @inlinable
    public func storage(existing: Storage?) throws -> Storage { try storage() }

    /// False: the storage does not depend on what is stored.
    @inlinable
    public static var readsExisting: Bool { false }
}
