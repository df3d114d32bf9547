import DBClientCore

extension ObjectStoreDBClient {
    /// Gives the room of the file's free pages back to the file system, while the store is in use.
    ///
    /// LMDB uses free pages again and never gives one back. What was free at the end of the file makes it shorter; what
    /// is free within it becomes holes, so that the file keeps its size and takes less room on the disk
    /// (``ObjectStoreStatistics/diskSize``). Pages of snapshots that are still read stay, and can be given back once
    /// these have ended.
    ///
    /// Reads go on. Writes of every process wait until it is done, which takes milliseconds for thousands of pages.
    /// Later writes into the holes take their room from the file system again.
    ///
    /// - Returns: How many bytes less the file takes on the disk.
    /// - Throws: `.closed`, `.busy`, `.io`; `.unsupported` where the file system has no holes.
    @discardableResult
    public func compact() throws -> Int {
        try session.compact()
    }
}
