import DBClientCore

/// How a field is reached, and how a value for it is made up.
struct FieldAccess<Model: Stored, Value: OracleValue>: Sendable {
    let name: String
    let field: @Sendable (Fields<Model>) -> Field<Model, Value>
    let get: @Sendable (Model) -> Value
    let make: @Sendable (RandomSource) -> Value
}
