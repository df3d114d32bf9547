import DBClientCore

extension ObjectStoreDBClient {
    /// Returns how far an encrypted store has come, by its newest commit.
    ///
    /// After a write it is that of the write's commit, or of a later one.
    ///
    /// - Throws: `.notEncrypted` for a store without a key, `.closed`, `.corrupt`.
    public func version() throws -> StoreVersion {
        try session.version()
    }

    /// Checks that an encrypted store is not older than it once was.
    ///
    /// A store of the same key that was copied and went on by itself is not told from one that is newer.
    ///
    /// - Parameter version: The version that is known of the store.
    /// - Throws: `.corrupt` for an older store, and for one that is another store; `.notEncrypted` for a store without a
    ///   key, `.closed`.
    public func checkVersion(isAtLeast version: StoreVersion) throws {
        let found = try self.version()
        guard found.store == version.store else {
            throw DBClientError(
                .corrupt,
                "The encrypted store must be the one that the version is of; it is another one.",
                hint: "A store that was copied or made anew has another version."
            )
        }
        guard found.commits >= version.commits else {
            throw DBClientError(
                .corrupt,
                "The encrypted store must have at least \(version.commits) commits; it has \(found.commits).",
                hint: "Its file was put back to an older state."
            )
        }
    }
}
