/// One kind of value in a store, as a repository: get, put and delete, in the app's own type.
///
/// ```swift
/// let heroes = client.repository(for: Character.self)
/// let ironMan = try await heroes.get(key: 1455)
///
/// let profiles = client.repository(for: Character.self)
///     .mapped(decode: Profile.init(character:), encode: { $0.character })
/// try await profiles.put(profile)
/// ```
///
/// Queries are requests for the stored model. Every call is one transaction; a mapping that throws undoes it.
public struct Repository<Model: StoredConvertible, Entity: Sendable>: Sendable {
    let client: any DBClient
    let decode: @Sendable (Model) throws -> Entity
    /// Makes what is to be stored; given what is stored now where the mapping asks for it.
    let encode: @Sendable (Entity, Model?) throws -> Model
    let asksForExisting: Bool

    /// Returns the repository of another type that is made from this one's.
    ///
    /// - Parameters:
    ///   - decode: Makes the other value from this one's.
    ///   - encode: Makes this one's from the other value.
    /// - Returns: The repository.
    public func mapped<Other: Sendable>(
        decode: @escaping @Sendable (Entity) throws -> Other,
        encode: @escaping @Sendable (Other) throws -> Entity
    ) -> Repository<Model, Other> {
        let inner = self
        return Repository<Model, Other>(
            client: client,
            decode: { try decode(inner.decode($0)) },
            encode: { try inner.encode(encode($0), $1) },
            asksForExisting: asksForExisting
        )
    }

    /// Returns the repository of another type whose stored form is merged with what is stored now.
    ///
    /// - Parameters:
    ///   - decode: Makes the other value from this one's.
    ///   - encode: Makes this one's from the other value and from what is stored under its key; nil when
    ///     nothing is. It is called with nil first, to find the key.
    /// - Returns: The repository.
    public func merged<Other: Sendable>(
        decode: @escaping @Sendable (Entity) throws -> Other,
        encode: @escaping @Sendable (Other, Entity?) throws -> Entity
    ) -> Repository<Model, Other> {
        let inner = self
        return Repository<Model, Other>(
            client: client,
            decode: { try decode(inner.decode($0)) },
            encode: { other, stored in
                try inner.encode(encode(other, stored.map(inner.decode)), stored)
            },
            asksForExisting: true
        )
    }
}

extension DBClient {
    /// Returns the repository of a model, stored as it is or converted.
    public func repository<Model: StoredConvertible>(
        for type: Model.Type
    ) -> Repository<Model, Model> {
        Repository(
            client: self,
            decode: { $0 },
            encode: { value, _ in value },
            asksForExisting: false
        )
    }
}
