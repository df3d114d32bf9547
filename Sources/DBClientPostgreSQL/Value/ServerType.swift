import CLibPQ
import DBClientCore

/// The server's types that the driver reads and writes in their binary form, by their object
/// identifiers, which are fixed.
enum ServerType: Oid {
    case boolean = 16
    case bytea = 17
    case character = 18
    case name = 19
    case bigint = 20
    case smallint = 21
    case integer = 23
    case text = 25
    case objectIdentifier = 26
    case json = 114
    case real = 700
    case double = 701
    case unknown = 705
    case paddedCharacter = 1042
    case varyingCharacter = 1043
    case timestamp = 1114
    case timestamptz = 1184
    case numeric = 1700
    case uuid = 2950
    case jsonb = 3802

    case booleanArray = 1000
    case byteaArray = 1001
    case smallintArray = 1005
    case integerArray = 1007
    case textArray = 1009
    case varyingCharacterArray = 1015
    case bigintArray = 1016
    case realArray = 1021
    case doubleArray = 1022
    case jsonArray = 199
    case jsonbArray = 3807
    case timestampArray = 1115
    case timestamptzArray = 1185
    case numericArray = 1231
    case uuidArray = 2951

    /// The type of an array's elements; nil for what is no array.
    var element: ServerType? {
        switch self {
        case .booleanArray: .boolean
        case .byteaArray: .bytea
        case .smallintArray: .smallint
        case .integerArray: .integer
        case .textArray: .text
        case .varyingCharacterArray: .varyingCharacter
        case .bigintArray: .bigint
        case .realArray: .real
        case .doubleArray: .double
        case .jsonArray: .json
        case .jsonbArray: .jsonb
        case .timestampArray: .timestamp
        case .timestamptzArray: .timestamptz
        case .numericArray: .numeric
        case .uuidArray: .uuid
        default: nil
        }
    }

    /// The kind of slot in which a value arrives; nil for what the driver does not read.
    var slotKind: Slot.Kind? {
        switch self {
        case .boolean, .smallint, .integer, .bigint, .objectIdentifier, .timestamp, .timestamptz:
            .integer
        case .real, .double: .real
        case .text, .varyingCharacter, .paddedCharacter, .character, .name, .json, .jsonb,
            .unknown:
            .text
        case .bytea, .uuid, .numeric: .data
        default: nil
        }
    }

    /// Microseconds from 1970 to 2000, where the server's timestamps begin.
    static let epoch: Int64 = 946_684_800_000_000

    /// The name of the type of its arrays; nil where the driver writes none.
    var arrayName: String? {
        switch self {
        case .boolean: "boolean[]"
        case .bytea: "bytea[]"
        case .smallint: "smallint[]"
        case .integer: "integer[]"
        case .bigint: "bigint[]"
        case .text: "text[]"
        case .varyingCharacter: "character varying[]"
        case .json: "json[]"
        case .jsonb: "jsonb[]"
        case .real: "real[]"
        case .double: "double precision[]"
        case .timestamp: "timestamp[]"
        case .timestamptz: "timestamptz[]"
        case .numeric: "numeric[]"
        case .uuid: "uuid[]"
        default: nil
        }
    }

    /// The largest integer that a column of the type holds, of those that a key may be.
    var largestInteger: Int64 {
        switch self {
        case .smallint: Int64(Int16.max)
        case .integer: Int64(Int32.max)
        default: .max
        }
    }

    /// The type of the library's own column for a field.
    static func ofNewColumn(for type: FieldType) -> ServerType {
        switch type {
        case .boolean: .boolean
        case .integer: .bigint
        case .double, .float: .double
        case .text, .url: .text
        case .data: .bytea
        case .date: .timestamptz
        case .uuid: .uuid
        case .decimal: .numeric
        case .json: .json
        }
    }

    /// The name that a new column's type has.
    static func name(of type: FieldType) -> String {
        switch type {
        case .boolean: "boolean"
        case .integer(let bits, let signed):
            switch signed ? bits : bits + 1 {
            case ...16: "smallint"
            case ...32: "integer"
            default: "bigint"
            }
        case .double, .float: "double precision"
        case .text, .url: "text"
        case .data: "bytea"
        case .date: "timestamp with time zone"
        case .uuid: "uuid"
        case .decimal: "numeric"
        case .json: "json"
        }
    }
}
