import DBClientCore
import Synchronization

/// The store under a preview, each entity read whole when it is first asked for, and kept.
final class PreviewedStore: Sendable {
    private let client: any DBClient
    private let tables = Mutex<[EntityName: MemoryTable]>([:])

    init(_ client: any DBClient) {
        self.client = client
    }

    /// Returns the table of an entity as it was when it was first asked for.
    func table(of entity: EntitySchema) throws -> MemoryTable {
        let name = entity.exactName
        if let table = tables.withLock({ $0[name] }) { return table }
        // No thread waits for one that reads, which may wait in turn: a store with one connection gives it to
        // one thread at a time, which may ask the preview meanwhile. The first to have read decides for all.
        let table = try read(entity)
        return tables.withLock { tables in
            if let known = tables[name] { return known }
            tables[name] = table
            return table
        }
    }

    /// Returns the shapes of what is stored now.
    func shapes() throws -> [StoredShape] {
        try client.readBlocking { try $0.engineReader.shapes() }
    }

    private func read(_ entity: EntitySchema) throws -> MemoryTable {
        try client.readBlocking { transaction in
            // What is kept must not be what a write undoes.
            if transaction.isPartOfWrite {
                throw DBClientError(
                    .invalidRequest,
                    "A preview must read an entity for the first time outside writes of the store under it.",
                    entity: entity.name,
                    hint: "Read the entity through the preview before the write begins."
                )
            }
            var table = MemoryTable(entity)
            try transaction.scan(RowQuery(entity)) { batch in
                for row in 0..<batch.count { try table.insert(MemoryRow(batch, at: row)) }
                return true
            }
            return table
        }
    }
}
