import DBClientCore
import DBClientSQL
import Foundation
import Synchronization

/// The key of an encrypted file, as every connection of a client gives it to SQLCipher.
final class SQLiteCipher: Sendable {
    private struct State {
        /// What SQLCipher takes: the key and the salt in hexadecimal, so that it derives nothing itself.
        ///
        /// Nil once the client was closed.
        var phrase: SecretBytes?
        /// How often the key was changed.
        var generation = 0
        var isChanging = false
    }

    private let state: Mutex<State>
    /// What the file begins with; it stays the same for as long as there is the file.
    private let salt: SQLiteSalt

    /// Derives the key of a file.
    ///
    /// - Parameters:
    ///   - key: What the user has.
    ///   - path: The file, which may be empty.
    /// - Throws: `.notEncrypted`; `.wrongKey` for a passphrase where the key of the file was not derived from one.
    convenience init(_ key: StoreKey, for path: String) throws {
        let beginning = SQLiteHandle.beginning(of: path, count: SQLiteSalt.count)
        if let beginning, SQLiteSalt.isPlain(beginning) {
            throw DBClientError(
                .notEncrypted,
                "The store is not encrypted.",
                hint: "Open it without a key, and copy it into a store that has one."
            )
        }
        try self.init(key, beginning.map { SQLiteSalt($0) } ?? .new())
    }

    private init(_ key: StoreKey, _ salt: SQLiteSalt) throws {
        self.salt = salt
        state = Mutex(State(phrase: try salt.phrase(of: key)))
    }

    /// Returns the same file's cipher with another key.
    func withKey(_ key: StoreKey) throws -> SQLiteCipher { try SQLiteCipher(key, salt) }

    /// Calls a closure with what SQLCipher takes, and with how often the key was changed before.
    func withPhrase(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        let (phrase, generation) = state.withLock { ($0.phrase, $0.generation) }
        guard let phrase else { throw DBClientError(.closed, "The client was closed.") }
        try phrase.withUnsafeBytes(body)
        return generation
    }

    /// Overwrites the key in memory, once no connection needs it any more.
    func forget() { state.withLock { $0.phrase = nil } }

    // MARK: Another key

    /// Whether connections that were opened with the key of a generation can still read.
    func isCurrent(_ generation: Int) -> Bool {
        state.withLock { $0.generation == generation && !$0.isChanging }
    }

    /// Notes that the key of the file is being changed.
    func beginChange() { state.withLock { $0.isChanging = true } }

    /// Notes that the key was changed to that of another cipher, or, if that is nil, that it was not.
    func endChange(to other: SQLiteCipher?) {
        let phrase = other?.state.withLock { $0.phrase }
        state.withLock { state in
            state.isChanging = false
            guard let phrase else { return }
            state.phrase = phrase
            state.generation += 1
        }
    }

    /// Runs a body that reads, again whenever it failed because the key was being changed.
    func repeating<Value>(_ body: () throws -> Value) throws -> Value {
        while true {
            let generation = generation
            do {
                return try body()
            } catch let error as DBClientError where error.code == .wrongKey {
                guard hasChanged(since: generation) else { throw error }
            }
        }
    }

    /// Tells whether the connection of a reader has the key of the file.
    var readerCheck: @Sendable (SQLTransaction) -> Bool {
        { [self] reader in
            (reader.connection as? SQLiteConnection)?.generation == generation
        }
    }

    var generation: Int { state.withLock { $0.generation } }

    /// Whether the key is another one than in a generation, once no change is under way.
    private func hasChanged(since generation: Int) -> Bool {
        while true {
            let (isChanging, hasChanged) = state.withLock {
                ($0.isChanging, $0.generation != generation)
            }
            if !isChanging { return hasChanged }
            usleep(1_000)
        }
    }
}
