import Foundation

/// How far an encrypted store has come, to be kept apart from its file.
///
/// A whole file that is put back is a store as it once was. Keep the version of the store elsewhere after writes that must
/// not be undone so, such as in a keychain or with a server, and check the store against it when it is opened:
///
/// ```swift
/// let store = try ObjectStoreDBClient(at: url, key: key)
/// if let version { try store.checkVersion(isAtLeast: version) }
/// ```
///
/// A version says which store it is of, by a value that is derived from the store's own key, and how many commits the
/// store has had; nothing else.
public struct StoreVersion: RawRepresentable, Hashable, Codable, Sendable {
    /// The number of commits since the store was made.
    let commits: UInt64
    /// Derived from the data key, so that no other store has it.
    let store: [UInt8]

    static let storeSize = 16

    init(store: [UInt8], commits: UInt64) {
        self.store = store
        self.commits = commits
    }

    /// Creates a version from its text; nil for a text that is none.
    public init?(rawValue: String) {
        let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let commits = UInt64(parts[0]), String(commits) == parts[0],
            let store = Data(base64Encoded: String(parts[1])), store.count == Self.storeSize
        else { return nil }
        self.init(store: Array(store), commits: commits)
    }

    /// The text of the version: the number of commits, and what tells the store, in base 64.
    public var rawValue: String { "\(commits)-\(Data(store).base64EncodedString())" }
}
