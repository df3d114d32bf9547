import DBClientCore

/// The entities of a store that a command takes elsewhere, and what would be missing there.
struct Selection {
    let entities: [EntitySchema]
    /// Whether the store has fields of these entities that they do not show.
    let lacksFields: Bool

    /// Finds entities, and refuses what would be incomplete unless that is wanted, which is told then.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - names: The names of entities; empty for all.
    ///   - relatives: Whether what the entities refer to goes with them.
    ///   - partial: Whether what no entity can show may be left out.
    ///   - product: What would lack it, for messages.
    /// - Throws: ``ToolError`` with all that would be missing, and `.invalidRequest` for a name that is no entity.
    init(
        of store: Store,
        named names: [String] = [],
        withRelatives relatives: Bool,
        partial: Bool,
        for product: String
    ) async throws {
        let catalog = try await EntityCatalog(storedIn: store.client)
        var omissions = catalog.omissions
        if !names.isEmpty {
            let taken = relatives ? Self.closure(of: names, in: catalog) : Set(names)
            omissions.removeAll { !taken.contains($0.entity) }
        }
        let lines = omissions.map { omission in
            let name = [omission.entity, omission.field].compactMap { $0 }.joined(separator: ".")
            return "\(name): \(omission.reason)"
        }
        guard partial || lines.isEmpty else {
            throw ToolError(
                "The \(product) would lack \(lines.joined(separator: "\n  and "))",
                hint: "--partial leaves out what no entity can show."
            )
        }
        for line in lines { Terminal.note("left out: \(line)") }
        let entities =
            names.isEmpty ? catalog.entities : try names.map { try catalog.entity(named: $0) }
        self.entities = entities
        lacksFields = omissions.contains { omission in
            omission.field != nil && catalog.entities.contains { $0.name == omission.entity }
        }
    }

    /// The names of entities and of all that they refer to.
    private static func closure(of names: [String], in catalog: EntityCatalog) -> Set<String> {
        var found: Set<String> = []
        var open = names
        while let name = open.popLast() {
            guard found.insert(name).inserted,
                let entity = catalog.entities.first(where: { $0.name == name })
            else { continue }
            open += entity.relationships.map(\.targetName)
        }
        return found
    }
}
