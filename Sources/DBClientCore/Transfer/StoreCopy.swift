/// Copies entities whole, with what is between them, from a read of one store to a write of another.
struct StoreCopy {
    let entities: [EntitySchema]
    let policy: CopyConflictPolicy
    let source: ReadTransaction
    let target: WriteTransaction
    let reader: any EngineReader
    let writer: any EngineWriter
    /// The relationships that the source knows of.
    private let sourceRegistry = RelationshipRegistry()
    /// The relationships that the target knows of.
    private var registry: RelationshipRegistry { target.registry }
    let progress: ((CopyProgress) -> Void)?

    init(
        _ entities: [EntitySchema],
        _ policy: CopyConflictPolicy,
        from source: ReadTransaction,
        to target: WriteTransaction,
        _ progress: ((CopyProgress) -> Void)?
    ) throws {
        self.entities = entities
        self.policy = policy
        self.source = source
        self.target = target
        reader = try source.reader()
        writer = try target.rowWriter()
        self.progress = progress
    }

    /// Copies everything, and returns how much it was.
    func run() throws -> CopyOutcome {
        try target.checkNotCancelled()
        let stored = try entities.filter { try isStored($0) }
        for entity in stored { try checkLinks(of: entity) }
        let joining = try entitiesThatMayJoinChains(of: stored)
        var gauge = try progress.map { try CopyGauge(stored, in: reader, $0) }
        var outcomes = entities.map { CopyOutcome.Entity($0.name) }
        for (index, entity) in entities.enumerated() where stored.contains(entity) {
            outcomes[index] = try copy(entity, &gauge)
            for link in entity.relationships.compactMap(\.link) { try copy(link, &gauge) }
        }
        // Only now everything is there.
        for entity in joining { try checkChains(of: entity) }
        return CopyOutcome(entities: outcomes)
    }

    /// Returns whether the source has anything of an entity.
    ///
    /// - Throws: `.schemaMismatch` when what it has is not what the model says: fields that the model lacks
    ///   would be lost.
    private func isStored(_ entity: EntitySchema) throws -> Bool {
        let difference: ShapeDifference?
        do {
            difference = try reader.difference(from: entity)
        } catch let error as DBClientError where error.code == .unsupported {
            // Then reading the rows tells.
            return true
        }
        guard let difference else { return false }
        guard !difference.fits || !difference.surplus.isEmpty else { return true }
        let unlike = difference.missing + difference.unfit + difference.relaxed
        let field = unlike.first.map { entity.fields[$0].name } ?? difference.surplus.first
        throw mismatch(of: entity, field)
    }

    /// Throws when the source keeps to-many relationships of an entity that the model lacks, or has in
    /// another kind: they are no fields of its rows.
    private func checkLinks(of entity: EntitySchema) throws {
        for stored in try sourceRegistry.relationships(of: entity, in: reader) {
            guard let link = stored.link else { continue }
            let isKnown = entity.relationships.contains {
                $0.kind == stored.kind && $0.link?.entity.exactName == link.entity.exactName
            }
            if !isKnown { throw mismatch(of: entity, stored.name) }
        }
    }

    private func mismatch(of entity: EntitySchema, _ field: String?) -> DBClientError {
        DBClientError(
            .schemaMismatch,
            "The entity must be stored in the source as the model says.",
            entity: entity.name,
            field: field,
            hint: "Migrate the source first, or fetch the values and insert them."
        )
    }

    private func copy(
        _ entity: EntitySchema,
        _ gauge: inout CopyGauge?
    ) throws -> CopyOutcome.Entity {
        var outcome = CopyOutcome.Entity(entity.name)
        gauge?.begin(entity)
        try forEachPage(of: entity) { rows in
            if outcome.count == 0 { try registry.register(entity, with: writer) }
            switch policy {
            case .refuse:
                try insert(rows)
                try clearLinks(of: rows)
                outcome.inserted += rows.count
            case .replace:
                let replaced = try replace(rows)
                outcome.inserted += rows.count - replaced
                outcome.updated += replaced
            }
            gauge?.add(values: rows.count)
        }
        return outcome
    }

    /// Inserts or replaces rows, and returns how many were replaced.
    ///
    /// Those lose their links, since they get the ones of the source.
    private func replace(_ rows: RowBuffer) throws -> Int {
        let entity = rows.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        try rows.withBatch { batch in
            try target.intercept(.on(entity, .upsert, rows.count)) {
                try writer.upsert(rows) { row, isInserted in
                    if isInserted { return }
                    keys.append { batch[row, entity.primaryKey[$0]] }
                }
            }
            if keys.count < rows.count { try clearLinks(of: rows) }
            guard keys.count > 0 else { return }
            for link in entity.relationships.compactMap(\.link) {
                let owners = RowCondition.keys(link.owner, in: keys)
                _ = try writer.delete(RowQuery(link.entity, where: owners))
            }
        }
        return keys.count
    }

    private func insert(_ rows: RowBuffer) throws {
        try target.intercept(.on(rows.entity, .insert, rows.count)) { try writer.insert(rows) }
    }

    /// Takes away what links of deleted rows with the keys of new ones may be left.
    private func clearLinks(of rows: RowBuffer) throws {
        let entity = rows.entity
        for link in entity.relationships.compactMap(\.link)
        where try writer.mayKeepLinksOfDeleted(link.entity) {
            let keys = RowBuffer(entity, columns: entity.primaryKey)
            rows.withBatch { batch in
                for row in 0..<batch.count { keys.append { batch[row, entity.primaryKey[$0]] } }
                keys.lenders = [rows]
            }
            _ = try writer.delete(RowQuery(link.entity, where: .keys(link.owner, in: keys)))
        }
    }

    private func copy(_ link: LinkSchema, _ gauge: inout CopyGauge?) throws {
        try forEachPage(of: link.entity) { rows in
            try insert(rows)
            gauge?.add(links: rows.count)
        }
    }

    /// Returns the entities whose values may become parts of chains that the source does not have: where
    /// values hold their own kind, and the target has some already.
    private func entitiesThatMayJoinChains(
        of stored: [EntitySchema]
    ) throws -> [EntitySchema] {
        let holding = stored.filter(\.mayHoldInCircles)
        if holding.isEmpty { return [] }
        let isJoined = try entities.contains { entity in
            var isFound = false
            try writer.scan(RowQuery(entity, limit: 1)) { batch in
                isFound = batch.count > 0
                return false
            }
            return isFound
        }
        return isJoined ? holding : []
    }

    /// Throws when copied values contain themselves, or are nested too deep, through what the target had
    /// before.
    private func checkChains(of entity: EntitySchema) throws {
        try forEachPage(of: entity) { try RelationshipLoader(writer).checkDepth(of: $0) }
    }

    private func forEachPage(
        of entity: EntitySchema,
        _ body: (RowBuffer) throws -> Void
    ) throws {
        var pages = RowPages(of: entity, in: source)
        let rows = RowBuffer(entity)
        while try pages.next(into: rows) {
            try target.checkNotCancelled()
            try body(rows)
        }
    }
}
