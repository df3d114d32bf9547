/// The context in which a step of a migration runs.
struct MigrationRun {
    /// The transaction, which closures of the step read and write whole values with.
    let transaction: WriteTransaction
    /// The engine's side of it, past its observers and decorators.
    let writer: any EngineWriter
    /// Tells which part of the step is done.
    let advance: (Double) -> Void

    /// Takes away everything that is stored of an entity, its links included.
    func drop(_ entity: EntitySchema) throws {
        try dropLinks(of: entity)
        try writer.drop(entity)
        transaction.registry.forget()
    }

    /// Takes away everything that is stored of an entity, whose values become those of another.
    ///
    /// Where both have one name, no key that was generated for the former is generated again.
    func replace(_ former: EntitySchema, with entity: EntitySchema) throws {
        guard former.exactName == entity.exactName, entity.keyGeneration == .generated,
            entity.integerKey != nil
        else { return try drop(former) }
        try dropLinks(of: former)
        try writer.replace(former, with: entity)
        transaction.registry.forget()
    }

    private func dropLinks(of entity: EntitySchema) throws {
        for link in try RelationshipRegistry().remove(entity, with: writer) {
            try writer.drop(link.entity)
        }
    }
}
