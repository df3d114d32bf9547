import DBClientCore
import Foundation

#if Encryption
import Crypto
import CryptoExtras
#endif

/// Every call of the cryptographic library: an authenticated cipher, derivations of keys, and random bytes.
///
/// AES-256-GCM seals. What is sealed is the nonce, which is random, the text and the tag. Without the trait each call
/// throws `.unsupported`.
enum Cipher {
    static let nonceSize = 12
    static let tagSize = 16
    static let overhead = nonceSize + tagSize
    static let keySize = 32

    /// A key of the cipher, whose memory the library overwrites when it is released.
    struct Key: Sendable {
        #if Encryption
        fileprivate let key: SymmetricKey
        #endif
    }

    /// Throws `.unsupported` where the library was built without a cipher.
    static func checkPresence() throws {
        #if !Encryption
        throw DBClientError(
            .unsupported,
            "The library was built without encryption.",
            hint: "Enable the trait Encryption of the package."
        )
        #endif
    }

    #if Encryption
    /// Writes sealed bytes, `overhead` more than there are.
    static func seal(
        _ text: UnsafeRawBufferPointer,
        _ key: Key,
        binding context: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) throws {
        do {
            let box = try AES.GCM.seal(text, using: key.key, authenticating: context)
            guard let combined = box.combined, combined.count == target.count else {
                throw failure()
            }
            combined.copyBytes(to: target)
        } catch is CryptoKitError {
            throw failure()
        }
    }

    /// Opens sealed bytes; false when they are not what was sealed with the key and the context.
    static func open(
        _ sealed: UnsafeRawBufferPointer,
        _ key: Key,
        binding context: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard sealed.count == target.count + overhead,
            let box = try? AES.GCM.SealedBox(combined: sealed),
            var text = try? AES.GCM.open(box, using: key.key, authenticating: context)
        else { return false }
        text.copyBytes(to: target)
        // The copy may be a key, or what a page says.
        text.withUnsafeMutableBytes { overwriteBytes($0) }
        return true
    }

    /// Returns a key that has a copy of bytes.
    static func key(_ bytes: UnsafeRawBufferPointer) throws -> Key {
        Key(key: SymmetricKey(data: bytes))
    }

    /// Derives a key from another one by HKDF over SHA-256.
    static func derive(
        from key: Key,
        salt: some DataProtocol,
        _ purpose: StaticString
    ) throws -> Key {
        let info = purpose.withUTF8Buffer { Array($0) }
        return Key(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.key,
                salt: salt,
                info: info,
                outputByteCount: keySize
            )
        )
    }

    /// Derives a key from a passphrase by scrypt, which takes as much memory as time.
    static func stretch(
        _ passphrase: UnsafeRawBufferPointer,
        salt: [UInt8],
        _ cost: PassphraseCost
    ) throws -> Key {
        do {
            return Key(
                key: try KDF.Scrypt.deriveKey(
                    from: passphrase,
                    salt: salt,
                    outputByteCount: keySize,
                    rounds: 1 << cost.logarithmOfRounds,
                    blockSize: cost.blockSize,
                    parallelism: cost.parallelism,
                    maxMemory: cost.memory + 1 << 20
                )
            )
        } catch {
            throw failure()
        }
    }

    /// Calls a closure with a key's bytes, which must not be kept.
    static func withBytes<Value>(
        of key: Key,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        try key.key.withUnsafeBytes(body)
    }

    /// Returns a random key of 256 bits.
    static func makeKey() throws -> Key { Key(key: SymmetricKey(size: .bits256)) }

    private static func failure() -> DBClientError {
        DBClientError(.engine, "The cipher failed.")
    }
    #else
    static func seal(
        _ text: UnsafeRawBufferPointer,
        _ key: Key,
        binding context: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) throws { try checkPresence() }

    static func open(
        _ sealed: UnsafeRawBufferPointer,
        _ key: Key,
        binding context: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) -> Bool { false }

    static func key(_ bytes: UnsafeRawBufferPointer) throws -> Key {
        try checkPresence()
        return Key()
    }

    static func derive(
        from key: Key,
        salt: some DataProtocol,
        _ purpose: StaticString
    ) throws -> Key {
        try checkPresence()
        return Key()
    }

    static func stretch(
        _ passphrase: UnsafeRawBufferPointer,
        salt: [UInt8],
        _ cost: PassphraseCost
    ) throws -> Key {
        try checkPresence()
        return Key()
    }

    static func withBytes<Value>(
        of key: Key,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    static func makeKey() throws -> Key {
        try checkPresence()
        return Key()
    }
    #endif

    /// Bytes of the system's source of random numbers.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
