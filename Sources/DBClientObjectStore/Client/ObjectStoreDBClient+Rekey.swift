public import DBClientCore

extension ObjectStoreDBClient {
    /// Gives an encrypted store another key, while it is in use.
    ///
    /// The pages of a store are sealed with a data key of its own, which is kept sealed with the key of the app: that
    /// alone is sealed anew, in one commit. A process that is killed meanwhile leaves a store with the former key or with
    /// the new one. Clients that are open go on, and need no key until they open the store again.
    ///
    /// The former key gives the data key with a file from before, and with today's until the page that had the former
    /// header is used again; and with the data key all that is written later. Where a key has become known, copy the store
    /// into a new one, which has another data key.
    ///
    /// - Parameter key: The new key.
    /// - Throws: `.notEncrypted` for a store without a key, `.invalidValue` for bytes that are no key, `.closed`, `.busy`.
    public func rekey(to key: StoreKey) throws {
        try session.rekey(to: key)
    }
}
