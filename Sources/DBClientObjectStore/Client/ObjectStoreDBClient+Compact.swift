import DBClientCore

extension ObjectStoreDBClient {
    /// Returns the space of the file's free pages to the file system, while the store is in use.
    ///
    /// LMDB reuses free pages and never returns one. Free pages at the end of the file are cut off. Those within it
    /// become holes, so that the file keeps its size and takes less space on the disk
    /// (``ObjectStoreStatistics/diskSize``). Pages of snapshots that are still read stay, and can be returned once
    /// these have ended.
    ///
    /// Reads continue. Writes of every process wait until it is done, which takes milliseconds for thousands of pages.
    /// Later writes into the holes allocate their space again.
    ///
    /// - Returns: How many bytes less the file takes on the disk.
    /// - Throws: `.closed`, `.busy`, `.io`; `.unsupported` where the file system has no holes.
    @discardableResult
    public func compact() throws -> Int {
        try session.compact()
    }
}
