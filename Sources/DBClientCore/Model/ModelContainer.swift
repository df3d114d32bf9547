/// Returns whether a type is a collection or an optional of values of a model, at any depth.
///
/// Those that are no relationship would be kept as JSON: copies, which no rule and no request reaches.
func holdModels(_ type: Any.Type) -> Bool {
    guard let container = type as? any ModelContainer.Type else { return false }
    return container.element is any Stored.Type || holdModels(container.element)
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
