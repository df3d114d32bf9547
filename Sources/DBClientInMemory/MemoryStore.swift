import DBClientCore

/// Everything that is stored, as a value: a copy is a snapshot, and putting an old copy back undoes
/// what came after it.
struct MemoryStore: Sendable {
    /// The tables by the bytes of their names; as a `String`, two names that Unicode holds to be
    /// equal would be one.
    private var tables: [EntityName: MemoryTable] = [:]
    /// The store under a preview, for the tables to which nothing was written; nil without a preview.
    private let base: PreviewedStore?
    /// The models that the store was used with, whose relationship rules the next write takes over.
    let usage = ModelUsage()

    init(over base: PreviewedStore? = nil) {
        self.base = base
    }

    /// Returns the table of an entity as the base has it when nothing was written to it.
    func table(of entity: EntitySchema) throws -> MemoryTable {
        let name = entity.exactName
        usage.note(entity)
        if tables[name] == nil { try checkName(of: entity) }
        let table = try tables[name] ?? base?.table(of: entity)
        // What is below a preview was checked as it was read.
        if entity.isView, base == nil || tables[name] != nil {
            try entity.checkMayRead(markedAs: table?.viewMark) { source in
                tables[source.exactName].map { $0.viewMark }
            }
        }
        guard let table else { return MemoryTable(entity) }
        return try table.laidOut(for: entity)
    }

    /// Returns the mark of an entity's stored views; nil where there is none.
    func viewMark(of entity: EntitySchema) -> String? { tables[entity.exactName]?.viewMark }

    /// Keeps the mark of an entity's stored views.
    mutating func setViewMark(_ mark: String?, of entity: EntitySchema) throws {
        // A mark that is there must not keep the one from being set that replaces it.
        tables[entity.exactName]?.viewMark = nil
        try change(entity) { $0.viewMark = mark }
    }

    /// Changes the table of an entity in place.
    mutating func change<Result>(
        _ entity: EntitySchema,
        _ body: (inout MemoryTable) throws -> Result
    ) throws -> Result {
        let name = entity.exactName
        if tables[name] == nil {
            try checkName(of: entity)
            tables[name] = try base?.table(of: entity)
        }
        func change(_ table: inout MemoryTable) throws -> Result {
            if let mark = table.viewMark { try entity.checkMayWrite(markedAs: mark) }
            // Only where it has to be: the table is changed in place while there is no other reference to it.
            if !table.isLaidOut(for: entity) { table = try table.laidOut(for: entity) }
            try table.keepIndexes(of: entity)
            return try body(&table)
        }
        return try change(&tables[name, default: MemoryTable(entity)])
    }

    /// Compares the table of an entity with a model; nil when there is none.
    func difference(from entity: EntitySchema) throws -> ShapeDifference? {
        try table(named: entity)?.difference(from: entity)
    }

    /// Returns the shapes of what is stored, that of the base included.
    func shapes() throws -> [StoredShape] {
        let below = try base?.shapes().filter { tables[EntityName($0.name)] == nil } ?? []
        return tables.values.map(\.shape) + below
    }

    /// Changes the table of an entity so that the entity fits.
    mutating func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws {
        guard let table = try table(named: entity) else { return }
        tables[entity.exactName] = try table.reshaped(to: entity, adding: change.added)
    }

    /// Takes the table under an entity's name away.
    mutating func drop(_ entity: EntitySchema) throws {
        _ = try table(named: entity)
        tables[entity.exactName] = nil
    }

    /// Puts an empty table in the place of an entity's, for another entity of its name.
    mutating func replace(_ former: EntitySchema, with entity: EntitySchema) throws {
        let table = try table(named: former) ?? MemoryTable(former)
        tables[former.exactName] = table.emptied(for: entity)
    }

    /// Returns the table under an entity's name, whatever its shape.
    private func table(named entity: EntitySchema) throws -> MemoryTable? {
        if base != nil {
            throw DBClientError(
                .unsupported,
                "A preview must not be migrated.",
                entity: entity.name,
                hint: "Migrate the store under the preview."
            )
        }
        return tables[entity.exactName]
    }

    private func checkName(of entity: EntitySchema) throws {
        for name in tables.keys {
            let name = name.description
            if EntitySchema.differInCaseAlone(name, entity.name) {
                throw EntitySchema.nameTaken(entity.name, as: name)
            }
        }
    }
}
