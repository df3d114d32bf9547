import Foundation

/// The key that a store is encrypted with: 256 bits, or a passphrase from which the engine derives them.
///
/// ```swift
/// let client = try ObjectStoreDBClient(at: url, key: .passphrase(text))
/// ```
///
/// A key shows nothing of itself in descriptions, mirrors, logs and errors. Its bytes are overwritten in memory when the
/// last copy of the value is released.
public struct StoreKey: Sendable {
    /// What the bytes of a key are.
    package enum Kind: Sendable {
        /// The 256 bits that the store is encrypted with, used as they are.
        case key
        /// UTF-8 text that a memory-hard function makes the key from.
        case passphrase
    }

    /// How long a key is that is given as bytes.
    public static let byteCount = 32

    package let kind: Kind
    private let secret: SecretBytes

    private init(_ kind: Kind, _ bytes: some Collection<UInt8>) {
        self.kind = kind
        secret = SecretBytes(bytes)
    }

    /// A key of 32 bytes, from a source of random numbers that is fit for it, such as ``random()``.
    ///
    /// What has another length is refused with `.invalidValue` when a store is opened with it.
    public static func data(_ bytes: some Collection<UInt8>) -> StoreKey { StoreKey(.key, bytes) }

    /// A text that a person remembers; the engine derives the key from it, at a cost that it keeps in the store.
    ///
    /// The text is taken in Unicode's form C, so that it is the same key however it was typed. An empty text is refused
    /// with `.invalidValue` when a store is opened with it.
    public static func passphrase(_ text: String) -> StoreKey {
        StoreKey(.passphrase, Array(text.precomposedStringWithCanonicalMapping.utf8))
    }

    /// A new key from the system's source of random numbers; the app keeps its bytes where secrets are kept.
    public static func random() -> StoreKey {
        var generator = SystemRandomNumberGenerator()
        return StoreKey(
            .key,
            (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        )
    }

    /// Calls a closure with the bytes, which must not be kept: those of the key, or the passphrase as UTF-8.
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try secret.withUnsafeBytes(body)
    }

    /// Refuses bytes that are no key.
    package func validate() throws {
        let count = secret.count
        switch kind {
        case .key where count != Self.byteCount:
            throw DBClientError(
                .invalidValue,
                "The key of a store must have \(Self.byteCount) bytes; got \(count).",
                hint: "Make one with StoreKey.random(), or use .passphrase for text."
            )
        case .passphrase where count == 0:
            throw DBClientError(.invalidValue, "The passphrase of a store must not be empty.")
        case .key, .passphrase: break
        }
    }
}

extension StoreKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Tells that it is a key, and nothing of it.
    public var description: String { "StoreKey(hidden)" }

    /// Tells that it is a key, and nothing of it.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump(_:)` and debuggers show nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
