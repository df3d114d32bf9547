/// Tells how far a copy is, page by page.
struct CopyGauge {
    private let tell: (CopyProgress) -> Void
    /// How many values each entity has, and how many rows there are with those between them.
    private var counts: [EntitySchema: Int] = [:]
    private var total = 0
    private var done = 0
    private var entity: EntitySchema?
    private var copied = 0

    init(
        _ entities: [EntitySchema],
        in reader: any EngineReader,
        _ tell: @escaping (CopyProgress) -> Void
    ) throws {
        self.tell = tell
        for entity in entities {
            let count = try reader.count(RowQuery(entity))
            counts[entity] = count
            total += count
            for link in entity.relationships.compactMap(\.link) {
                total += try reader.count(RowQuery(link.entity))
            }
        }
    }

    mutating func begin(_ entity: EntitySchema) {
        self.entity = entity
        copied = 0
    }

    mutating func add(values count: Int) {
        copied += count
        add(links: count)
    }

    mutating func add(links count: Int) {
        done += count
        guard let entity else { return }
        tell(
            CopyProgress(
                entity: entity.name,
                copied: copied,
                count: counts[entity] ?? copied,
                fraction: Double(done) / Double(total)
            )
        )
    }
}
