import Foundation

/// A value as it is passed to a JSON encoder, so that equal values have equal text: what a set or a
/// dictionary iterates over in an order of its own is sorted, however deep it is.
struct CanonicalJSON<Value: Encodable>: Encodable {
    private let value: Value
    private let normalization: JSONNormalization

    init(_ value: Value, _ normalization: JSONNormalization) {
        self.value = value
        self.normalization = normalization
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case is any JSONScalar:
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case let collection as any UnorderedCollection where type(of: collection).isUnordered:
            try collection.encodeSorted(to: encoder, normalization)
        default: try value.encode(to: CanonicalEncoder(encoder, normalization))
        }
    }
}

/// What the encoder takes as it is: numbers, and what it gives another form than that of their `Codable`
/// conformance.
private protocol JSONScalar {}

extension Bool: JSONScalar {}
extension String: JSONScalar {}
extension Double: JSONScalar {}
extension Float: JSONScalar {}
extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension Int128: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension UInt128: JSONScalar {}
extension Date: JSONScalar {}
extension Data: JSONScalar {}
extension URL: JSONScalar {}
extension Decimal: JSONScalar {}

/// A collection whose order of iteration differs from run to run.
private protocol UnorderedCollection {
    /// Whether the order shows in the collection's JSON.
    static var isUnordered: Bool { get }
    /// Encodes the elements in the order of their JSON text.
    func encodeSorted(to encoder: any Encoder, _ normalization: JSONNormalization) throws
}

extension Set: UnorderedCollection where Element: Encodable {
    fileprivate static var isUnordered: Bool { true }

    fileprivate func encodeSorted(
        to encoder: any Encoder,
        _ normalization: JSONNormalization
    ) throws {
        var container = encoder.unkeyedContainer()
        for element in try normalization.sorted(self, by: { $0 }) {
            try container.encode(CanonicalJSON(element, normalization))
        }
    }
}

extension Dictionary: UnorderedCollection where Key: Encodable, Value: Encodable {
    /// Unless it is an object, whose keys are sorted by the encoder.
    fileprivate static var isUnordered: Bool {
        Key.self != String.self && Key.self != Int.self
            && !(Key.self is any CodingKeyRepresentable.Type)
    }

    fileprivate func encodeSorted(
        to encoder: any Encoder,
        _ normalization: JSONNormalization
    ) throws {
        var container = encoder.unkeyedContainer()
        for (key, value) in try normalization.sorted(self, by: { $0.key }) {
            try container.encode(CanonicalJSON(key, normalization))
            try container.encode(CanonicalJSON(value, normalization))
        }
    }
}

extension JSONNormalization {
    /// Returns elements in the order of the JSON text of something of theirs.
    fileprivate func sorted<Elements: Sequence>(
        _ elements: Elements,
        by part: (Elements.Element) -> some Encodable
    ) throws -> [Elements.Element] {
        try elements.map { (text: try JSONField.encode(part($0), self), element: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }
            .map(\.element)
    }
}

/// An encoder that hands values on to another as ``CanonicalJSON``.
private struct CanonicalEncoder: Encoder {
    private let base: any Encoder
    private let normalization: JSONNormalization

    init(_ base: any Encoder, _ normalization: JSONNormalization) {
        self.base = base
        self.normalization = normalization
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed(base.container(keyedBy: type), normalization))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        Unkeyed(base.unkeyedContainer(), normalization)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(base.singleValueContainer(), normalization)
    }
}

extension CanonicalEncoder {
    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        private var base: KeyedEncodingContainer<Key>
        private let normalization: JSONNormalization

        init(_ base: KeyedEncodingContainer<Key>, _ normalization: JSONNormalization) {
            self.base = base
            self.normalization = normalization
        }

        var codingPath: [any CodingKey] { base.codingPath }

        mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }
        mutating func encode(_ value: Bool, forKey key: Key) throws {
            try base.encode(value, forKey: key)
        }
        mutating func encode(_ value: String, forKey key: Key) throws {
            try base.encode(value, forKey: key)
        }
        mutating func encode(_ value: Int, forKey key: Key) throws {
            try base.encode(value, forKey: key)
        }
        mutating func encode(_ value: Double, forKey key: Key) throws {
            try base.encode(value, forKey: key)
        }
        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            try base.encode(CanonicalJSON(value, normalization), forKey: key)
        }

        mutating func nestedContainer<Nested>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            KeyedEncodingContainer<Nested>(
                CanonicalEncoder.Keyed<Nested>(
                    base.nestedContainer(keyedBy: type, forKey: key),
                    normalization
                )
            )
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            Unkeyed(base.nestedUnkeyedContainer(forKey: key), normalization)
        }

        mutating func superEncoder() -> any Encoder {
            CanonicalEncoder(base.superEncoder(), normalization)
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder {
            CanonicalEncoder(base.superEncoder(forKey: key), normalization)
        }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        private var base: any UnkeyedEncodingContainer
        private let normalization: JSONNormalization

        init(_ base: any UnkeyedEncodingContainer, _ normalization: JSONNormalization) {
            self.base = base
            self.normalization = normalization
        }

        var codingPath: [any CodingKey] { base.codingPath }
        var count: Int { base.count }

        mutating func encodeNil() throws { try base.encodeNil() }
        mutating func encode(_ value: Bool) throws { try base.encode(value) }
        mutating func encode(_ value: String) throws { try base.encode(value) }
        mutating func encode(_ value: Int) throws { try base.encode(value) }
        mutating func encode(_ value: Double) throws { try base.encode(value) }
        mutating func encode<T: Encodable>(_ value: T) throws {
            try base.encode(CanonicalJSON(value, normalization))
        }

        mutating func nestedContainer<Nested>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            KeyedEncodingContainer<Nested>(
                CanonicalEncoder.Keyed<Nested>(base.nestedContainer(keyedBy: type), normalization)
            )
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            Unkeyed(base.nestedUnkeyedContainer(), normalization)
        }

        mutating func superEncoder() -> any Encoder {
            CanonicalEncoder(base.superEncoder(), normalization)
        }
    }

    private struct Single: SingleValueEncodingContainer {
        private var base: any SingleValueEncodingContainer
        private let normalization: JSONNormalization

        init(_ base: any SingleValueEncodingContainer, _ normalization: JSONNormalization) {
            self.base = base
            self.normalization = normalization
        }

        var codingPath: [any CodingKey] { base.codingPath }

        mutating func encodeNil() throws { try base.encodeNil() }
        mutating func encode(_ value: Bool) throws { try base.encode(value) }
        mutating func encode(_ value: String) throws { try base.encode(value) }
        mutating func encode(_ value: Int) throws { try base.encode(value) }
        mutating func encode(_ value: Double) throws { try base.encode(value) }
        mutating func encode<T: Encodable>(_ value: T) throws {
            try base.encode(CanonicalJSON(value, normalization))
        }
    }
}
