import DBClientCore
import Foundation

/// The header of an encrypted store: the data key, sealed with a key that is derived from the app's, and how that is
/// derived.
///
/// A new key for the store seals the same data key anew. The header is not secret; a checksum tells damage from a wrong
/// key.
struct StoreHeader: Equatable {
    private var kind: UInt8
    private var cost: PassphraseCost
    private var salt: [UInt8]
    private var wrapped: [UInt8]

    private static let magic = Array("DBClSeal".utf8)
    private static let version: UInt8 = 1
    private static let saltSize = 32
    private static let wrappedSize = Cipher.keySize + Cipher.overhead
    /// Where the salt begins: after the magic, the version, the kind of key, and the cost of its derivation.
    private static let saltStart = 16
    private static let boundSize = saltStart + saltSize
    private static let checksumStart = boundSize + wrappedSize
    static let size = checksumStart + 4

    /// Seals a data key with a key that is derived from the app's, by a fresh salt and at a cost.
    init(_ dataKey: Cipher.Key, with key: StoreKey, _ cost: PassphraseCost = .usual) throws {
        kind = Self.kind(of: key)
        self.cost = cost
        salt = Cipher.randomBytes(Self.saltSize)
        wrapped = [UInt8](repeating: 0, count: Self.wrappedSize)
        let outer = try outerKey(key)
        try Cipher.withBytes(of: dataKey) { bytes in
            try bound.withUnsafeBytes { bound in
                try wrapped.withUnsafeMutableBytes {
                    try Cipher.seal(bytes, outer, binding: bound, into: $0)
                }
            }
        }
    }

    /// Reads a header.
    ///
    /// - Throws: `.corrupt` for what is none, or asks for a derivation that no store asks for.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count == Self.size, let start = bytes.baseAddress,
            bytes.prefix(Self.magic.count).elementsEqual(Self.magic), bytes[8] == Self.version,
            checksum(start, Self.checksumStart)
                == bytes.loadUnaligned(fromByteOffset: Self.checksumStart, as: UInt32.self)
        else { throw Self.damaged() }
        guard bytes[13..<Self.saltStart].allSatisfy({ $0 == 0 }) else { throw Self.damaged() }
        kind = bytes[9]
        cost = PassphraseCost(
            logarithmOfRounds: Int(bytes[10]),
            blockSize: Int(bytes[11]),
            parallelism: Int(bytes[12])
        )
        salt = Array(bytes[Self.saltStart..<Self.boundSize])
        wrapped = Array(bytes[Self.boundSize..<Self.checksumStart])
        guard kind <= 1, cost.isSane else { throw Self.damaged() }
    }

    /// The bytes that are stored, with the checksum at the end.
    var coded: [UInt8] {
        var bytes = bound + wrapped
        let sum = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { checksum($0, bytes.count) } ?? 0
        }
        withUnsafeBytes(of: sum) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Opens the data key.
    ///
    /// - Throws: `.wrongKey`, and `.invalidValue` for bytes that are no key.
    func dataKey(_ key: StoreKey) throws -> Cipher.Key {
        try key.validate()
        guard Self.kind(of: key) == kind else { throw Self.wrongKey() }
        let outer = try outerKey(key)
        let bytes = SecretBytes([UInt8](repeating: 0, count: Cipher.keySize))
        let isOpen = bytes.withUnsafeBytes { target in
            wrapped.withUnsafeBytes { wrapped in
                bound.withUnsafeBytes { bound in
                    Cipher.open(
                        wrapped,
                        outer,
                        binding: bound,
                        into: UnsafeMutableRawBufferPointer(mutating: target)
                    )
                }
            }
        }
        guard isOpen else { throw Self.wrongKey() }
        return try bytes.withUnsafeBytes { try Cipher.key($0) }
    }

    /// What the sealed key is bound to.
    private var bound: [UInt8] {
        Self.magic + [
            Self.version, kind, UInt8(clamping: cost.logarithmOfRounds),
            UInt8(clamping: cost.blockSize), UInt8(clamping: cost.parallelism), 0, 0, 0,
        ] + salt
    }

    private static func kind(of key: StoreKey) -> UInt8 { key.kind == .key ? 0 : 1 }

    /// The key that seals the data key.
    private func outerKey(_ key: StoreKey) throws -> Cipher.Key {
        try key.validate()
        return try key.withUnsafeBytes { bytes in
            let first =
                try kind == 0
                ? Cipher.key(bytes) : Cipher.stretch(bytes, salt: salt, cost)
            return try Cipher.derive(from: first, salt: salt, "DBClient object store: data key")
        }
    }

    static func damaged() -> DBClientError {
        DBClientError(.corrupt, "The header of the encrypted store is damaged.")
    }

    static func wrongKey() -> DBClientError {
        DBClientError(.wrongKey, "The store was encrypted with another key.")
    }
}
