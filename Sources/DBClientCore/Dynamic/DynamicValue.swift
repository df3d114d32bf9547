public import Foundation

/// A value of a field that is known only when the program runs: for tools, generic screens, scripts.
///
/// It has the field's own meaning, not that of an engine: a date is a `Date`, whatever is kept of it.
/// Literals stand for themselves: `["name": "Iron Man", "year": 1963, "realName": nil]`.
public enum DynamicValue: Sendable {
    /// An absent value: null in SQL, nil in Swift.
    case null
    case boolean(Bool)
    /// An integer of any width; the call checks that the field has room for it.
    case integer(Int64)
    /// A double, or a float, which is rounded from it.
    case real(Double)
    case text(String)
    case data(Data)
    case date(Date)
    case uuid(UUID)
    case decimal(Decimal)
    case url(URL)
    /// A list or any other `Codable` value, as JSON text.
    case json(String)

    /// Whether this is ``null``, an absent value.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The word for the kind of value in messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .data: "data"
        case .date: "a date"
        case .uuid: "a UUID"
        case .decimal: "a decimal"
        case .url: "a URL"
        case .json: "JSON"
        }
    }
}

extension DynamicValue: Hashable {
    /// Compares the kind and the value, text by its bytes.
    public static func == (left: DynamicValue, right: DynamicValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)), (.json(let left), .json(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.url(let left), .url(let right)):
            left.absoluteString.utf8.elementsEqual(right.absoluteString.utf8)
        default: false
        }
    }

    /// Hashes the kind and the value, text by its bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .null: break
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value), .json(let value): StorageValue.text(value).hash(into: &hasher)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .url(let value): StorageValue.text(value.absoluteString).hash(into: &hasher)
        }
    }
}

extension DynamicValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    /// Creates the absent value from `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an integer from a literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a floating-point number from a literal.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates text from a string literal.
    public init(stringLiteral value: String) { self = .text(value) }
}
