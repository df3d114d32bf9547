/// A property that leads from a value to others of its model: a reference or a key, which names its parent, or any number
/// of references or values, its children.
///
/// Its requirement is for the library's own types.
public protocol TreeLink<NodeKey> {
    /// The primary key of the values that it leads to.
    associatedtype NodeKey
}

extension Optional: TreeLink where Wrapped: TreeLink {
    /// The primary key of the value that it leads to, if any.
    public typealias NodeKey = Wrapped.NodeKey
}

extension References: TreeLink {
    /// The primary key of the values that are referred to.
    public typealias NodeKey = Model.PrimaryKey
}

extension Array: TreeLink where Element: Stored {
    /// The primary key of the values that are held.
    public typealias NodeKey = Element.PrimaryKey
}

extension Set: TreeLink where Element: Stored {
    /// The primary key of the values that are held.
    public typealias NodeKey = Element.PrimaryKey
}
