/// Results of which one feed is made: all values are read before the first commit is told.
extension ReloadingResult {
    /// Reads the result for a feed that begins now, on the caller's thread.
    func loadBlocking(for reader: ResultReader) throws {
        let begun = beginFeed()
        let (coder, query, orderKeys) = (coder, window.query, orderKeys)
        let entries = try reader.client.readBlocking {
            try coder.entries(of: query, areAll: true, orderKeys, in: $0)
        }
        show(entries, since: begun, to: reader)
    }

    /// Reads the result for a feed that begins now.
    func load(for reader: ResultReader) async throws {
        let begun = beginFeed()
        let (coder, query, orderKeys) = (coder, window.query, orderKeys)
        let entries = try await reader.client.read {
            try coder.entries(of: query, areAll: true, orderKeys, in: $0)
        }
        show(entries, since: begun, to: reader)
    }

    /// Has commits come from here on, and returns the last one that a reading which begins now has seen.
    private func beginFeed() -> (reading: Int, includes: UInt64) {
        let reading = beginReading()
        watch()
        hub.join { $0.add(feed: self) }
        return (reading, hub.resolvedNumber)
    }

    private func show(
        _ entries: [ResultEntry],
        since begun: (reading: Int, includes: UInt64),
        to reader: ResultReader
    ) {
        let loaded = LoadedRows(
            entries: entries,
            includes: begun.includes,
            mayInclude: hub.begunNumber
        )
        hub.perform { desk in
            if let error = desk.failure(of: reader.engine) { return reader.end(error) }
            self.add(reader)
            self.take(.success(loaded), from: reader.engine, begun.reading)
            reader.begin()
        }
    }
}
