/// The action taken on a value when one that it refers to is deleted.
///
/// ```swift
/// @Stored struct Character {
///     let id: Int
///     @Relationship(onDelete: .cascade) var publisher: Publisher
///     @Relationship(onDelete: .weak) var rival: Reference<Character>?
/// }
/// ```
///
/// The rule is checked inside the transaction that deletes, on every engine alike, whichever client
/// or process deletes, once a value with the relationship was ever written. A rule that was changed is
/// taken over from the model when a client first uses it.
public enum DeleteRule: String, Hashable, Sendable, Codable {
    /// The value lives on without it: nil, or one element less.
    ///
    /// The default of an optional and of a to-many relationship.
    case nullify
    /// Nothing that is held can be deleted.
    ///
    /// The default of a required relationship.
    case deny
    /// The value is deleted too, with what it holds: of a `Character`, `.cascade` on `publisher` deletes the
    /// characters of a deleted publisher.
    ///
    /// It is not the other direction, which other libraries call by this name: what a value holds stays when the
    /// value is deleted.
    case cascade
    /// Nothing happens, and from the beginning the key may name a value that is not stored.
    ///
    /// A `Reference` keeps such a key; a value reads as nil or is left out of its list.
    case weak
}
