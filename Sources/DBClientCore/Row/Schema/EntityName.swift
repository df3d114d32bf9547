/// The stored name of an entity as what it is found by: two are equal if their bytes are.
///
/// As a `String`, two names that Unicode holds to be equal would be one.
public struct EntityName: Hashable, Comparable, Sendable {
    /// The UTF-8 bytes of the name, by which names are compared.
    public let bytes: [UInt8]
    /// Made once, since each write of a row asks for it several times.
    private let hash: Int

    /// Creates the name of an entity from its text.
    public init(_ name: some StringProtocol) {
        self.init(bytes: Array(name.utf8))
    }

    /// Takes the bytes of a name.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
        hash = bytes.hashValue
    }

    /// Whether the bytes of two names are equal.
    public static func == (left: EntityName, right: EntityName) -> Bool {
        left.hash == right.hash && left.bytes == right.bytes
    }

    /// Whether a name comes before another one by its bytes.
    public static func < (left: EntityName, right: EntityName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

extension EntityName: CustomStringConvertible {
    /// The name as a string, decoded from its UTF-8.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
