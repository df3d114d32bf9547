/// A unique index or primary key.
struct UniqueConstraint {
    /// The names of the columns, most significant first.
    let columns: [String]
    let isPrimaryKey: Bool
}
