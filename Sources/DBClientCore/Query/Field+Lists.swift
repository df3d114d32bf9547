/// A list that is stored in one field: an array, a set or a dictionary of values, or an optional one.
public protocol ListValue {
    /// The stored form of a list without elements.
    static var emptyForm: String { get }
    /// The property that tells whether a list has no elements, as predicates name it.
    static var emptiness: AnyKeyPath { get }
}

extension Array: ListValue where Element: StorableValue & Codable {
    /// An empty array of JSON.
    public static var emptyForm: String { "[]" }
    /// `isEmpty`.
    public static var emptiness: AnyKeyPath { \Self.isEmpty }
}

extension Set: ListValue where Element: StorableValue & Codable {
    /// An empty array of JSON.
    public static var emptyForm: String { "[]" }
    /// `isEmpty`.
    public static var emptiness: AnyKeyPath { \Self.isEmpty }
}

extension Dictionary: ListValue where Key == String, Value: StorableValue & Codable {
    /// An empty object of JSON.
    public static var emptyForm: String { "{}" }
    /// `isEmpty`.
    public static var emptiness: AnyKeyPath { \Self.isEmpty }
}

extension Optional: ListValue where Wrapped: ListValue {
    /// That of the list.
    public static var emptyForm: String { Wrapped.emptyForm }
    /// That of the list.
    public static var emptiness: AnyKeyPath { Wrapped.emptiness }
}

extension Field where Value: ListValue {
    /// True when the list is there and has no elements.
    public var isEmpty: Condition<Model> {
        condition { column, _ in .comparing(column: column, .equal, .text(Value.emptyForm)) }
    }
}

extension Field {
    /// True when the list has the element.
    public func contains<Element>(_ element: Element) -> Condition<Model>
    where Value: Collection<Element>, Value: StorableValue, Element: StorableValue & Codable {
        hasElement(element)
    }

    /// True when the list is there and has the element.
    public func contains<List: Collection & StorableValue>(
        _ element: List.Element
    ) -> Condition<Model>
    where Value == List?, List.Element: StorableValue & Codable {
        hasElement(element)
    }

    /// True when the list has the element, an enum or another Codable value, by its JSON.
    @_disfavoredOverload
    public func contains<Element: Encodable>(
        _ element: Element
    ) -> Condition<Model> where Value: Collection<Element> {
        hasElement(element)
    }

    /// True when the list is there and has the element, an enum or another Codable value, by its JSON.
    @_disfavoredOverload
    public func contains<List: Collection>(_ element: List.Element) -> Condition<Model>
    where Value == List?, List.Element: Encodable {
        hasElement(element)
    }

    private func hasElement(_ element: some Encodable) -> Condition<Model> {
        condition { column, entity in
            try entity.containing(
                entity.fields[column].name,
                try StorageValue(json: element)
            )
        }
    }
}
