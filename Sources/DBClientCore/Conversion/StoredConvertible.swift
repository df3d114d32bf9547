/// A model that is not the stored shape but converts from it and to it.
///
/// Every call of a client takes such a model as it takes a stored one, and its requests name the
/// fields of `Storage`:
///
/// ```swift
/// struct Hero: StoredConvertible {
///     let id: Int
///     var title: String
///
///     var primaryKey: Int { id }
///
///     init(storage: HeroRecord) throws {
///         id = storage.id
///         title = "\(storage.name), since \(storage.year)"
///     }
///
///     func storage(existing: HeroRecord?) throws -> HeroRecord {
///         HeroRecord(id: id, name: title, year: existing?.year ?? 0)
///     }
/// }
///
/// let heroes = try await client.fetch(Hero.where { $0.year < 1970 })
/// ```
///
/// A `Stored` model is its own storage. A model whose stored shape depends on itself alone adopts
/// ``StoredRepresentable``, and nothing is read before it is written.
public protocol StoredConvertible: Sendable {
    /// The type of the primary key, which is that of the stored shape too.
    associatedtype PrimaryKey: PrimaryKeyValue

    /// The stored shape that the model converts to and from.
    associatedtype Storage: Stored where Storage.PrimaryKey == PrimaryKey

    /// The primary key: the value's identity, and that of its storage.
    var primaryKey: PrimaryKey { get }

    /// Creates the value from what is stored.
    ///
    /// - Throws: Anything; the call then throws `.decoding`, which names the entity and carries the
    ///   error, unless the error is a `DBClientError` itself.
    init(storage: Storage) throws

    /// Returns what to store.
    ///
    /// - Parameter existing: What is stored under the primary key now; nil when nothing is, and for
    ///   an insert. A call that writes many values reads all of it at once.
    /// - Returns: The stored value, of the same primary key.
    /// - Throws: Anything; the call then throws `.invalidValue`, which names the entity and carries
    ///   the error, unless the error is a `DBClientError` itself. Nothing of the call is written.
    func storage(existing: Storage?) throws -> Storage

    /// Whether ``storage(existing:)`` looks at what is stored, which is then read first.
    ///
    /// True by default, and false for a model that adopts ``StoredRepresentable``.
    static var readsExisting: Bool { get }

    /// Returns how a transaction keeps the model: by default as its `Storage`.
    ///
    /// An engine's module that keeps models in another way has a protocol that returns another mapping.
    static func mapping(in transaction: ReadTransaction) -> any ModelMapping<Self>

    /// Returns the value with a primary key, or nil, as a client of a type keeps it: by default what the mapping
    /// finds.
    static func find(
        key: PrimaryKey,
        in reader: any EngineReader,
        of client: any EngineBackedClient.Type
    ) throws -> Self?
}

extension StoredConvertible {
    /// True, which is the default: what is stored is read before a write.
    @inlinable
    public static var readsExisting: Bool { true }

    /// Returns the mapping to `Storage`, the default, which is the same in every transaction.
    public static func mapping(in transaction: ReadTransaction) -> any ModelMapping<Self> {
        storageMapping
    }

    /// Returns the value with a primary key as the model's mapping finds it, or nil.
    public static func find(
        key: PrimaryKey,
        in reader: any EngineReader,
        of client: any EngineBackedClient.Type
    ) throws -> Self? {
        let transaction = ReadTransaction(reader, client)
        return try mapping(in: transaction).find(key, in: transaction)
    }

    static var storageMapping: ShapeMapping<Self, Storage> {
        ShapeMapping(
            readsExisting: readsExisting,
            model: { try Self(storage: $0) },
            shape: { try $0.storage(existing: $1) }
        )
    }
}

extension Stored {
    /// Creates the value from itself, since it is its own storage.
    @inlinable
    public init(storage: Self) { self = storage }

    /// Returns the value itself, since it is its own storage.
    @inlinable
    public func storage(existing: Self?) -> Self { self }

    /// Returns what keeps the model as it is.
    @inlinable
    public static func mapping(in transaction: ReadTransaction) -> any ModelMapping<Self> {
        StoredMapping<Self>()
    }
}
