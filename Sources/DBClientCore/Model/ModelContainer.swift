/// Returns whether a type is a collection or an optional of values of a model or of references, at any depth.
///
/// Those that are no relationship would be kept as JSON: copies, which no rule and no request reaches.
func holdModels(_ type: Any.Type) -> Bool {
    guard let container = type as? any ModelContainer.Type else { return false }
    return container.element is any Stored.Type || container.element is any ReferenceType.Type
        || holdModels(container.element)
}

/// A reference or several, when all that is known is that it is a type.
protocol ReferenceType {
    /// The model whose values are named.
    static var related: any Stored.Type { get }
}

extension Reference: ReferenceType {
    static var related: any Stored.Type { Model.self }
}

extension References: ReferenceType {
    static var related: any Stored.Type { Model.self }
}

private protocol ModelContainer {
    /// The type of what is inside.
    static var element: Any.Type { get }
}

extension Optional: ModelContainer {
    fileprivate static var element: Any.Type { Wrapped.self }
}

extension Array: ModelContainer {
    fileprivate static var element: Any.Type { Element.self }
}

extension Set: ModelContainer {
    fileprivate static var element: Any.Type { Element.self }
}

extension Dictionary: ModelContainer {
    fileprivate static var element: Any.Type { Value.self }
}
