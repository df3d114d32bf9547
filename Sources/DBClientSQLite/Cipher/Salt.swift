import DBClientCore
import Foundation

#if Encryption
import Crypto
import CryptoExtras
#endif

/// The first bytes of an encrypted file, which alone are legible: random ones, and by what the key is derived from a
/// passphrase.
///
/// SQLCipher derives the key that pages are authenticated with from the key and these bytes, so they cannot be changed
/// unnoticed.
struct SQLiteSalt {
    static let count = 16

    /// Tells that the derivation is scrypt, with blocks of 8 and without parallelism.
    private static let scrypt: UInt8 = 0x51
    /// The base-2 logarithm of scrypt's cost: 128 MB for each try.
    private static let cost: UInt8 = 17
    /// What is accepted of a file: one that asks for more would use up the memory.
    private static let costs: ClosedRange<UInt8> = 14...20

    private let bytes: [UInt8]

    /// Takes the first bytes of a file.
    init(_ bytes: [UInt8]) {
        self.bytes = Array(bytes.prefix(Self.count))
    }

    /// Makes those of a new file, of whatever kind its key is: the key of another kind can come later.
    static func new() -> SQLiteSalt {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<count - 2).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        return SQLiteSalt(random + [scrypt, cost])
    }

    private static let plainBeginning = Array("SQLite format 3\0".utf8)

    /// Whether a file begins as one that is not encrypted.
    static func isPlain(_ beginning: [UInt8]) -> Bool {
        beginning.prefix(plainBeginning.count) == plainBeginning[...]
    }

    /// Returns what SQLCipher takes for a key.
    ///
    /// - Throws: `.wrongKey` for a passphrase where the file says nothing of a derivation; `.unsupported` for one where
    ///   the trait is missing.
    func phrase(of key: StoreKey) throws -> SecretBytes {
        switch key.kind {
        case .key: return key.withUnsafeBytes { phrase($0) }
        case .passphrase: return try derived(key)
        }
    }

    /// A key of 64 digits and a salt of 32, which SQLCipher takes as they are.
    private func phrase(_ key: UnsafeRawBufferPointer) -> SecretBytes {
        var text: [UInt8] = []
        // As much as it needs from the beginning, so that no copy stays behind.
        text.reserveCapacity(3 + 2 * (key.count + bytes.count))
        defer { text.withUnsafeMutableBytes { overwriteBytes($0) } }
        text.append(contentsOf: "x'".utf8)
        for byte in key { Self.append(byte, to: &text) }
        for byte in bytes { Self.append(byte, to: &text) }
        text.append(contentsOf: "'".utf8)
        return SecretBytes(text)
    }

    private static func append(_ byte: UInt8, to text: inout [UInt8]) {
        for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 48 + digit : 87 + digit) }
    }

    private func derived(_ key: StoreKey) throws -> SecretBytes {
        guard bytes.count == Self.count, bytes[14] == Self.scrypt, Self.costs.contains(bytes[15])
        else {
            throw DBClientError(
                .wrongKey,
                "The key of the store is not derived from a passphrase.",
                hint: "Open it with the key that it was made with, of 32 bytes."
            )
        }
        #if Encryption
        let derived = try key.withUnsafeBytes { passphrase in
            try KDF.Scrypt.deriveKey(
                from: passphrase,
                salt: bytes,
                outputByteCount: StoreKey.byteCount,
                rounds: 1 << Int(bytes[15]),
                blockSize: 8,
                parallelism: 1
            )
        }
        return derived.withUnsafeBytes { phrase($0) }
        #else
        throw DBClientError(
            .unsupported,
            "A key is derived from a passphrase only with the trait Encryption of the package.",
            hint: "Add the trait to the dependency on the package, or use a key of 32 bytes."
        )
        #endif
    }
}
