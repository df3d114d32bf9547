/// A list that is stored in one field: an array, a set or a dictionary of values, or an optional one.
public protocol ListValue {
    /// The type of the number of elements: `Int`, or an optional one of a list that may be absent.
    associatedtype ElementCount: ExpressionValue & Sendable = Int
    /// The stored form of a list without elements.
    static var emptyForm: String { get }
    /// The property that tells whether a list has no elements, as predicates name it.
    static var emptiness: AnyKeyPath { get }
    /// The property that tells how many elements a list has, as predicates name it.
    static var elementCount: AnyKeyPath { get }
}

extension Array: ListValue where Element: Codable {
    /// The JSON text of an array without elements.
    public static var emptyForm: String { "[]" }
    /// The key path of `isEmpty`, which a `#Predicate` names.
    public static var emptiness: AnyKeyPath { \Self.isEmpty }
    /// The key path of `count`, which a `#Predicate` names.
    public static var elementCount: AnyKeyPath { \Self.count }
}

extension Set: ListValue where Element: Codable {
    /// The JSON text of an array without elements.
    public static var emptyForm: String { "[]" }
    /// The key path of `isEmpty`, which a `#Predicate` names.
    public static var emptiness: AnyKeyPath { \Self.isEmpty }
    /// The key path of `count`, which a `#Predicate` names.
    public static var elementCount: AnyKeyPath { \Self.count }
}

extension Dictionary: ListValue where Key == String, Value: Codable {
    /// The JSON text of an object without keys.
    public static var emptyForm: String { "{}" }
    /// The key path of `isEmpty`, which a `#Predicate` names.
    public static var emptiness: AnyKeyPath { \Self.isEmpty }
    /// The key path of `count`, which a `#Predicate` names.
    public static var elementCount: AnyKeyPath { \Self.count }
}

extension Optional: ListValue where Wrapped: ListValue {
    /// The number of elements of the wrapped list, nil where there is no list.
    public typealias ElementCount = Wrapped.ElementCount?
    /// The empty form of the wrapped list.
    public static var emptyForm: String { Wrapped.emptyForm }
    /// The key path of `isEmpty` of the wrapped list.
    public static var emptiness: AnyKeyPath { Wrapped.emptiness }
    /// The key path of `count` of the wrapped list.
    public static var elementCount: AnyKeyPath { Wrapped.elementCount }
}

// Disfavored, since a model may be Codable: what holds values of it is asked as a relationship.
extension Field where Value: ListValue {
    /// True when the list is present and has no elements.
    @_disfavoredOverload
    public var isEmpty: Condition<Model> {
        condition { column, _ in .comparing(column: column, .equal, .text(Value.emptyForm)) }
    }

    /// The number of elements, wherever a field goes: `$0.tags.count > 2`, `sorted { $0.tags.count.descending }`; nil where
    /// the list is absent.
    @_disfavoredOverload
    public var count: FieldExpression<Model, Value.ElementCount> {
        fieldExpression.map { .function(.count, Int.fieldType, [$0]) }
    }
}

extension Field {
    /// True when the list has the element.
    public func contains<Element>(_ element: Element) -> Condition<Model>
    where Value: Collection<Element>, Value: StorableValue, Element: StorableValue & Codable {
        hasElement(element)
    }

    /// True when the list is present and has the element.
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

    /// True when the list is present and has the element, an enum or another Codable value, by its JSON.
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
