/// Results of which one feed is made: all values are read before the first commit is told.
extension RefetchingLiveQuery {
    /// Reads the result for a feed that begins now, on the caller's thread.
    func loadBlocking(for subscriber: ResultSubscriber) throws {
        let begun = beginFeed()
        let (coder, query, orderKeys) = (coder, window.query, orderKeys)
        let entries = try subscriber.client.readBlocking {
            try coder.entries(of: query, areAll: true, orderKeys, in: $0)
        }
        show(entries, since: begun, to: subscriber)
    }

    /// Reads the result for a feed that begins now.
    func load(for subscriber: ResultSubscriber) async throws {
        let begun = beginFeed()
        let (coder, query, orderKeys) = (coder, window.query, orderKeys)
        let entries = try await subscriber.client.read {
            try coder.entries(of: query, areAll: true, orderKeys, in: $0)
        }
        show(entries, since: begun, to: subscriber)
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
        to subscriber: ResultSubscriber
    ) {
        let loaded = LoadedRows(
            entries: entries,
            includes: begun.includes,
            mayInclude: hub.begunNumber
        )
        hub.perform { registry in
            if let error = registry.failure(of: subscriber.engine) { return subscriber.end(error) }
            self.add(subscriber)
            self.take(.success(loaded), from: subscriber.engine, begun.reading)
            subscriber.begin()
        }
    }
}
