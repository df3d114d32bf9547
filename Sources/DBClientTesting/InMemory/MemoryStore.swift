import DBClientCore

/// Everything that is stored, as a value: a copy is a snapshot, and putting an old copy back undoes
/// what came after it.
struct MemoryStore: Sendable {
    /// The tables by the bytes of their names; as a `String`, two names that Unicode holds to be
    /// equal would be one.
    private var tables: [[UInt8]: MemoryTable] = [:]

    /// Returns the table of an entity, empty when nothing was written to it.
    func table(of entity: EntitySchema) throws -> MemoryTable {
        guard let table = tables[Array(entity.name.utf8)] else { return MemoryTable(entity) }
        try table.checkShape(of: entity)
        return table
    }

    /// Changes the table of an entity in place.
    mutating func change<Result>(
        _ entity: EntitySchema,
        _ body: (inout MemoryTable) throws -> Result
    ) throws -> Result {
        let name = Array(entity.name.utf8)
        try tables[name]?.checkShape(of: entity)
        return try body(&tables[name, default: MemoryTable(entity)])
    }
}
