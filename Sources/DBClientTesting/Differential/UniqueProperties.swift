import DBClientCore

/// Properties of a model that are unique together, for the library and for the oracle.
struct UniqueProperties<Model: DifferentialModel>: Sendable {
    let text: String
    let upsert: @Sendable (WriteTransaction, [Model]) throws -> UpsertOutcome<Model>
    let call: @Sendable (any DBClient, [Model]) async throws -> UpsertOutcome<Model>
    /// Whether two values have the same in the properties, and none of it is nil.
    let areEqual: @Sendable (Model, Model) -> Bool
    /// Returns a value with another key.
    let keyed: @Sendable (Model, Model.PrimaryKey) -> Model
}
