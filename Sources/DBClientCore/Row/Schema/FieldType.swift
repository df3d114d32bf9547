/// The type of a field, from which each engine derives how it stores the field.
public enum FieldType: Hashable, Sendable {
    case boolean
    /// An integer of the given width; every engine keeps 64 bits and the range is checked on reading.
    case integer(bits: Int, signed: Bool)
    case double
    case float
    case text
    case data
    /// A point in time, in microseconds since 1970 UTC.
    case date
    /// Sixteen bytes in the standard's order.
    case uuid
    /// At most 38 significant digits, kept in an order-preserving form.
    case decimal
    /// Text that parses as a URL.
    case url
    /// A list of values or any other `Codable` value, as JSON text.
    case json

    /// The kind of slot that carries the field between model and engine.
    public var slotKind: Slot.Kind {
        switch self {
        case .boolean, .integer, .date: .integer
        case .double, .float: .real
        case .text, .url, .json: .text
        case .data, .uuid, .decimal: .data
        }
    }

    /// The word used in messages and in a store's description of itself.
    public var name: String {
        switch self {
        case .boolean: "boolean"
        case .integer(let bits, let signed): "\(signed ? "int" : "uint")\(bits)"
        case .double: "double"
        case .float: "float"
        case .text: "text"
        case .data: "data"
        case .date: "date"
        case .uuid: "uuid"
        case .decimal: "decimal"
        case .url: "url"
        case .json: "json"
        }
    }
}

extension FieldType {
    private static let byName: [String: FieldType] = {
        let plain: [FieldType] = [
            .boolean, .double, .float, .text, .data, .date, .uuid, .decimal, .url, .json,
        ]
        let integers: [FieldType] = [8, 16, 32, 64].flatMap { bits in
            [.integer(bits: bits, signed: true), .integer(bits: bits, signed: false)]
        }
        return Dictionary(uniqueKeysWithValues: (plain + integers).map { ($0.name, $0) })
    }()

    /// Returns the type that goes by a name in a store's description of itself, or nil.
    package init?(named name: String) {
        guard let type = Self.byName[name] else { return nil }
        self = type
    }
}
