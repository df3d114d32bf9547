/// The rows of an entity of which the values in some columns equal those of another row.
struct RowMatch: Sendable {
    /// The entity of the rows.
    let entity: EntitySchema
    /// The columns of that entity.
    let columns: [Int]
    /// The columns of the other row that equal them, in the same order.
    let matching: [Int]
}
