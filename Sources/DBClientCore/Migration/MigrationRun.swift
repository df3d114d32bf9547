/// What a step works with.
struct MigrationRun {
    /// The transaction, for whole values.
    let transaction: any WriteTransaction
    /// The engine's side of it, past those who observe and decorate it.
    let writer: any EngineWriter
    /// Tells which part of the step is done.
    let advance: (Double) -> Void

    /// Takes away everything that is stored of an entity, its links included.
    func drop(_ entity: EntitySchema) throws {
        for link in try RelationshipRegistry().remove(entity, with: writer) {
            try writer.drop(link.entity)
        }
        try writer.drop(entity)
        transaction.forgetRelationships()
    }
}
