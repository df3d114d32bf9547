import DBClientCore
import Foundation
import Synchronization

/// One entity, `Retyped`, whose value is of a type that differs from version to version.
struct Retyped<Kind: RetypedKind>: Stored {
    let id: Int
    var value: Kind.Value

    init(_ id: Int, _ value: Kind.Value) {
        self.id = id
        self.value = value
    }

    static var schema: Schema<Retyped<Kind>> { RetypedSchemas.schema(for: Kind.self) }
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        value = try Kind.read(from: &row)
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try Kind.write(value, to: &row)
    }

    /// A value of the version for each that the type has to show, with keys from 1.
    static var samples: [Retyped<Kind>] {
        Kind.samples.enumerated().map { Retyped($0.offset + 1, $0.element) }
    }
}

/// The type of the value in one version of the model.
protocol RetypedKind: Sendable {
    associatedtype Value: Equatable & Sendable
    static var field: SchemaField<Retyped<Self>> { get }
    static func read(from row: inout RowReader) throws -> Value
    static func write(_ value: Value, to row: inout RowWriter) throws
    static var samples: [Value] { get }
    /// What the value is in the store: versions that agree in it can be read as each other.
    static var form: String { get }
    /// The form that the version allows to be absent, if it does no more than that.
    static var relaxes: String? { get }
}

extension RetypedKind {
    static var relaxes: String? { nil }

    /// Whether what another version wrote is read as its own: what is written alike, and JSON where one of the two
    /// codes itself.
    static func reads(_ other: any RetypedKind.Type, relaxed: Bool = false) -> Bool {
        let own = relaxed ? relaxes ?? form : form
        func isJSON(_ form: String) -> Bool { form.contains(" of ") || form.contains("coded") }
        if own == other.form { return true }
        return isJSON(own) && isJSON(other.form) && (own + other.form).contains("coded")
            && own.hasSuffix("?") == other.form.hasSuffix("?")
    }
}

/// A type that has values to show.
protocol RetypedValue: Equatable, Sendable {
    static var samples: [Self] { get }
    static var form: String { get }
}

/// A value of a column of its type.
enum Storing<Value: StorableValue & RetypedValue>: RetypedKind {
    static var field: SchemaField<Retyped<Self>> { .field(\.value, "value") }
    static var samples: [Value] { Value.samples }
    static var form: String { Value.form }

    static func read(from row: inout RowReader) throws -> Value { try row.read() }

    static func write(_ value: Value, to row: inout RowWriter) throws { try row.write(value) }
}

/// A value of a column of its type, or none.
enum StoringOptional<Wrapped: StorableValue & RetypedValue>: RetypedKind {
    static var field: SchemaField<Retyped<Self>> { .field(\.value, "value") }
    static var samples: [Wrapped?] { Wrapped.samples + [nil] }
    static var form: String { Wrapped.form + "?" }
    static var relaxes: String? { Wrapped.form }

    static func read(from row: inout RowReader) throws -> Wrapped? { try row.read() }

    static func write(_ value: Wrapped?, to row: inout RowWriter) throws { try row.write(value) }
}

/// A field whose value is kept in the form of its `Codable` conformance.
enum Coding<Value: Codable & RetypedValue>: RetypedKind {
    static var field: SchemaField<Retyped<Self>> { .field(\.value, "value") }
    static var samples: [Value] { Value.samples }
    static var form: String { Value.form }

    static func read(from row: inout RowReader) throws -> Value { try row.read() }

    static func write(_ value: Value, to row: inout RowWriter) throws { try row.write(value) }
}

private enum RetypedSchemas {
    private static let made = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func schema<Kind: RetypedKind>(for kind: Kind.Type) -> Schema<Retyped<Kind>> {
        made.withLock { made in
            if let schema = made[ObjectIdentifier(kind)] as? Schema<Retyped<Kind>> { return schema }
            let schema = Schema<Retyped<Kind>>(
                name: "Retyped",
                fields: [.field(\.id, "id", primaryKey: .given), Kind.field]
            )
            made[ObjectIdentifier(kind)] = schema
            return schema
        }
    }
}

extension Bool: RetypedValue {
    static var samples: [Bool] { [true, false] }
    static var form: String { "boolean" }
}

extension Int: RetypedValue {
    static var samples: [Int] { [0, 1, 1_700] }
    static var form: String { "int64" }
}

extension Int8: RetypedValue {
    static var samples: [Int8] { [0, 1, -5] }
    static var form: String { "int8" }
}

extension OffsetUInt64: RetypedValue {
    static var samples: [OffsetUInt64] { [0, 1, OffsetUInt64(.max)] }
    static var form: String { "int64 less 2^63" }
}

extension Double: RetypedValue {
    static var samples: [Double] { [0, 1.5] }
    static var form: String { "double" }
}

extension String: RetypedValue {
    static var samples: [String] { ["calm", "a,b", "https://example.com", "12", "[1]"] }
    static var form: String { "text" }
}

extension Data: RetypedValue {
    static var samples: [Data] { [Data(), Data(0..<16), Data([1])] }
    static var form: String { "data" }
}

extension UUID: RetypedValue {
    static var samples: [UUID] { [UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6))] }
    static var form: String { "uuid" }
}

extension Date: RetypedValue {
    static var samples: [Date] { [0, 1_700].map { Date(timeIntervalSince1970: $0) } }
    static var form: String { "date" }
}

extension Decimal: RetypedValue {
    static var samples: [Decimal] { [0, 12] }
    static var form: String { "decimal" }
}

extension URL: RetypedValue {
    static var samples: [URL] { ["https://example.com"].compactMap { URL(string: $0) } }
    static var form: String { "url" }
}

extension Array: RetypedValue where Element: RetypedValue {
    static var samples: [[Element]] { [[], Element.samples] }
    static var form: String { "list of \(Element.form)" }
}

extension Set: RetypedValue where Element: RetypedValue {
    static var samples: [Set<Element>] { [[], Set(Element.samples)] }
    static var form: String { "set of \(Element.form)" }
}

extension Dictionary: RetypedValue where Key == String, Value: RetypedValue {
    static var samples: [[String: Value]] { [[:], ["a": Value.samples[0]]] }
    static var form: String { "dictionary of \(Value.form)" }
}

/// A text of which few are left.
enum RetypedMood: String, StorableValue, RetypedValue {
    case calm
    case cross

    static let samples: [RetypedMood] = [.calm, .cross]
    static let form = "text"
}

/// Another text of which few are left, of the same words.
enum RetypedTemper: String, StorableValue, RetypedValue {
    case calm
    case cross

    static let samples: [RetypedTemper] = [.cross, .calm]
    static let form = "text"
}

struct RetypedPoint: Codable, RetypedValue {
    var x: Int
    var y: Int

    static let samples = [RetypedPoint(x: 1, y: 2)]
    static let form = "coded"
}

struct RetypedPlace: Codable, RetypedValue {
    var name: String

    static let samples = [RetypedPlace(name: "a")]
    static let form = "coded"
}
