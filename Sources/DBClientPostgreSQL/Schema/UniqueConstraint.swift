/// A unique index or primary key.
struct UniqueConstraint {
    /// The columns, most significant first.
    let columns: [String]
    let isPrimaryKey: Bool
}
