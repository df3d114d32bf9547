/// What the values of a column are to a model.
enum ColumnMeaning: Hashable, Sendable {
    /// Values of a field, with what is to be known of them.
    case field(FieldKind, remark: String? = nil)
    /// Nothing that a field can hold, with the reason.
    case none(reason: String)

    var kind: FieldKind? {
        if case .field(let kind, _) = self { kind } else { nil }
    }
}

/// The type of a field.
indirect enum FieldKind: Hashable, Sendable {
    case boolean
    /// An integer of the Swift type of this name.
    case integer(String)
    case double
    case float
    case text
    case data
    case date
    case uuid
    case decimal
    case url
    /// Any JSON.
    case json
    /// An enum type of the database, by its name.
    case enumeration(String)
    /// A list whose elements may be absent or not.
    case list(FieldKind, hasAbsent: Bool)
    /// A set.
    case set(FieldKind)
    /// A dictionary with text for keys.
    case dictionary(FieldKind)

    static let int = FieldKind.integer("Int")

    /// Whether the library stores it as JSON, of which there is neither a key nor an index.
    var isJSON: Bool {
        switch self {
        case .json, .list, .set, .dictionary: true
        default: false
        }
    }

    /// Whether the Swift type adopts `PrimaryKeyValue`.
    var canBeKey: Bool {
        switch self {
        case .integer, .text, .date, .uuid, .decimal, .enumeration: true
        default: false
        }
    }

    /// Whether Foundation declares the Swift type.
    var needsFoundation: Bool {
        switch self {
        case .data, .date, .uuid, .decimal, .url: true
        case .list(let element, _), .set(let element), .dictionary(let element):
            element.needsFoundation
        default: false
        }
    }

    /// The kinds that it is made of, itself included.
    var parts: [FieldKind] {
        switch self {
        case .list(let element, _), .set(let element), .dictionary(let element):
            [self] + element.parts
        default: [self]
        }
    }

    /// Returns the Swift type.
    func swiftType(enums: [String: String]) -> String {
        switch self {
        case .boolean: "Bool"
        case .integer(let name): name
        case .double: "Double"
        case .float: "Float"
        case .text: "String"
        case .data: "Data"
        case .date: "Date"
        case .uuid: "UUID"
        case .decimal: "Decimal"
        case .url: "URL"
        case .json: JSONValueFile.typeName
        case .enumeration(let name): enums[name] ?? "String"
        case .list(let element, let hasAbsent):
            "[\(element.swiftType(enums: enums))\(hasAbsent ? "?" : "")]"
        case .set(let element): "Set<\(element.swiftType(enums: enums))>"
        case .dictionary(let element): "[String: \(element.swiftType(enums: enums))]"
        }
    }
}
