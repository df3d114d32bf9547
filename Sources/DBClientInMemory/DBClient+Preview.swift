public import DBClientCore

extension DBClient {
    /// Returns a client that shows what this one holds and keeps what is written to it in memory: for
    /// previews, and to try something out.
    ///
    /// ```swift
    /// #Preview { HeroList(client: store.preview()) }
    /// ```
    ///
    /// Every call means what it means on this client: what is stored here is found, sorted, counted,
    /// updated and deleted together with what was written to the preview, unique values and relationships
    /// included. This client is never written to. The preview is observed by itself; what is written here
    /// later does not reach it.
    ///
    /// An entity is read whole, on one snapshot, by the first call that concerns it and by those that come
    /// meanwhile; as the first of them has read it, it stays in memory from then on. So a preview costs as
    /// much memory as the entities it touches, that first call blocks its thread for as long as reading takes,
    /// and entities that are first touched at different times may show different states of a store that is
    /// written to meanwhile. Inside a write of this client that first call throws `.invalidRequest`, since the
    /// write may be undone.
    ///
    /// Where this client has one connection, as SQLite in memory has, do not write to the preview inside a
    /// transaction of it: such a write waits for others to the preview, which may wait for that connection to
    /// read an entity.
    ///
    /// Closing the preview leaves this client open. A preview is not copied to this client.
    public func preview() -> InMemoryDBClient {
        InMemoryDBClient(engine: MemoryEngine(previewing: self))
    }
}
