import DBClientCore

/// The numbers of rows of all entities, observed.
///
/// They are counted one after the other, since a server may take long for each, and kept by the commits from then on.
struct EntityCounts: Sendable {
    private let client: any DBClient
    private let entities: [EntitySchema]

    init(_ browser: StoreBrowser) {
        client = browser.client
        entities = browser.map.catalog.entities
    }

    /// Posts the numbers, and each later one, until the task is cancelled.
    func follow(into sink: EventSink) async {
        await withTaskGroup { group in
            for entity in entities {
                let (first, isCounted) = AsyncStream<Void>.makeStream()
                let count = RowCount(client: client, request: DynamicRequest(entity))
                group.addTask {
                    await count.follow(into: sink) { isCounted.finish() }
                }
                for await _ in first {}
            }
        }
    }
}
