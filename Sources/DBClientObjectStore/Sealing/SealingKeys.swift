import DBClientCore
import Synchronization

/// The store's data key, and the keys that are derived from it to seal with.
///
/// Random nonces of 96 bits may repeat after some billions of uses of one key. So every process that writes draws a
/// salt of 128 bits, derives a key of its own from it, and takes another salt long before that. What is sealed begins
/// with its salt.
final class SealingKeys: Sendable {
    static let saltSize = 16
    /// The bytes that sealing adds to a text: the salt, and what the cipher adds.
    static let overhead = saltSize + Cipher.overhead

    private struct Salt: Hashable {
        var first: UInt64
        var second: UInt64
    }

    private struct State {
        var known: [Salt: Cipher.Key] = [:]
        var own: (salt: Salt, key: Cipher.Key)?
        var useCount = 0
        /// The data key; nil once the store was closed.
        var dataKey: Cipher.Key?
    }

    private let state: UnfairMutex<State>
    /// After so many uses of a key another is taken: with 2^31 random nonces the chance that two are alike is 2^-35.
    private static let useLimit = 1 << 31
    /// So many derived keys are kept.
    private static let knownLimit = 1_024

    init(_ dataKey: Cipher.Key) {
        state = UnfairMutex(State(dataKey: dataKey))
    }

    /// Lets go of every key, which overwrites it.
    func forget() {
        state.withLock { $0 = State() }
    }

    private func openDataKey() throws -> Cipher.Key {
        guard let key = state.withLock({ $0.dataKey }) else {
            throw DBClientError(.closed, "The client was closed.")
        }
        return key
    }

    /// Whether another key is the data key.
    func isDataKey(_ other: Cipher.Key) throws -> Bool {
        try Cipher.withBytes(of: openDataKey()) { own in
            Cipher.withBytes(of: other) { other in
                guard own.count == other.count else { return false }
                // Takes the same time wherever they differ.
                return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
            }
        }
    }

    /// Returns bytes that tell the store from others, from which the data key does not follow.
    func storeIdentity() throws -> [UInt8] {
        let key = try Cipher.derive(
            from: openDataKey(),
            salt: [UInt8](),
            "DBClient object store: identity"
        )
        return Cipher.withBytes(of: key) { Array($0.prefix(StoreVersion.storeSize)) }
    }

    func withDataKey<Value>(_ body: (Cipher.Key) throws -> Value) throws -> Value {
        try body(openDataKey())
    }

    /// Seals bytes, and returns the tag.
    func seal(
        _ text: UnsafeRawBufferPointer,
        _ place: SealedPlace,
        into target: UnsafeMutableRawBufferPointer
    ) throws -> PageTag {
        let (salt, key) = try ownKey()
        target.storeBytes(of: salt.first, as: UInt64.self)
        target.storeBytes(of: salt.second, toByteOffset: 8, as: UInt64.self)
        let rest = UnsafeMutableRawBufferPointer(rebasing: target[Self.saltSize...])
        try withUnsafeBytes(of: place) {
            try Cipher.seal(text, key, binding: $0, into: rest)
        }
        return Self.tag(of: UnsafeRawBufferPointer(target))
    }

    /// Opens sealed bytes; false when they are not what was sealed for the place.
    func open(
        _ sealed: UnsafeRawBufferPointer,
        _ place: SealedPlace,
        into target: UnsafeMutableRawBufferPointer
    ) throws -> Bool {
        guard sealed.count == target.count + Self.overhead else { return false }
        let salt = Salt(
            first: sealed.loadUnaligned(as: UInt64.self),
            second: sealed.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        )
        let key = try key(salt)
        let rest = UnsafeRawBufferPointer(rebasing: sealed[Self.saltSize...])
        return withUnsafeBytes(of: place) { Cipher.open(rest, key, binding: $0, into: target) }
    }

    /// The tag at the end of sealed bytes.
    static func tag(of sealed: UnsafeRawBufferPointer) -> PageTag {
        guard let start = sealed.baseAddress, sealed.count >= overhead else { return PageTag() }
        return PageTag(start + (sealed.count - Cipher.tagSize))
    }

    private func ownKey() throws -> (Salt, Cipher.Key) {
        try state.withLock { state in
            if let own = state.own, state.useCount < Self.useLimit {
                state.useCount += 1
                return own
            }
            var generator = SystemRandomNumberGenerator()
            let salt = Salt(first: generator.next(), second: generator.next())
            guard let dataKey = state.dataKey else {
                throw DBClientError(.closed, "The client was closed.")
            }
            let made = (salt: salt, key: try Self.derive(from: dataKey, salt))
            state.own = made
            state.useCount = 1
            state.known[salt] = made.key
            return made
        }
    }

    private func key(_ salt: Salt) throws -> Cipher.Key {
        if let key = state.withLock({ $0.known[salt] }) { return key }
        let key = try Self.derive(from: openDataKey(), salt)
        state.withLock { state in
            if state.dataKey == nil { return }
            if state.known.count >= Self.knownLimit { state.known = [:] }
            state.known[salt] = key
        }
        return key
    }

    private static func derive(from dataKey: Cipher.Key, _ salt: Salt) throws -> Cipher.Key {
        let bytes = withUnsafeBytes(of: salt) { Array($0) }
        return try Cipher.derive(from: dataKey, salt: bytes, "DBClient object store: pages")
    }
}

/// What sealed bytes are bound to beside their key: their number, and what they are.
struct SealedPlace {
    /// Little-endian, as is the rest of the file.
    let number: UInt64
    let kind: UInt64

    static func page(_ number: UInt64) -> SealedPlace { SealedPlace(number: number, kind: 1) }

    static func value(_ number: UInt64) -> SealedPlace { SealedPlace(number: number, kind: 2) }

    static let root = SealedPlace(number: 0, kind: 3)
}
