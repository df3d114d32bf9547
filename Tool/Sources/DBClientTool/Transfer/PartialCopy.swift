import DBClientCore

/// Copies the rows of entities of which the source has more than the entities can show: a snapshot of the source, in one
/// transaction of the target.
///
/// `DBClient.copy` refuses to copy such entities, since what they lack would be lost; here that is wanted.
struct PartialCopy {
    let source: Store
    let target: Store
    let entities: [EntitySchema]
    /// Whether rows of the target that have the keys of copied ones are replaced.
    let replaces: Bool

    /// What became of the rows of an entity.
    struct Outcome: Sendable {
        let name: String
        var inserted = 0
        var updated = 0
    }

    /// As many rows as are in memory at a time.
    private static let pageSize = 1_000

    /// Copies everything, and returns what became of the rows of each entity.
    func run() async throws -> [Outcome] {
        let progress = Progress()
        defer { progress.end() }
        let reading = source.client
        // What a row refers to comes before it.
        let ordered = ResumableCopy.steps(of: entities).flatMap(\.self)
        return try await target.client.write { transaction in
            try reading.readBlocking { source in
                var outcomes: [Outcome] = []
                for entity in ordered + ordered.flatMap(\.links) {
                    var outcome = Outcome(name: entity.name)
                    var last: DynamicRow?
                    while true {
                        let request = DynamicRequest(entity).limit(Self.pageSize)
                        let page = try source.fetch(last.map { request.after($0) } ?? request)
                        if page.isEmpty { break }
                        if replaces {
                            let written = try transaction.upsert(page)
                            outcome.inserted += written.inserted
                            outcome.updated += written.updated
                        } else {
                            try transaction.insert(page)
                            outcome.inserted += page.count
                        }
                        last = page.last
                        let rows = outcome.inserted + outcome.updated
                        progress.tell(entity.name, rows: rows, fraction: nil)
                    }
                    outcomes.append(outcome)
                }
                let links = Set(ordered.flatMap(\.links).map(\.name))
                return outcomes.filter { !links.contains($0.name) }
            }
        }
    }
}
