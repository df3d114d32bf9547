extension EntitySchema {
    /// Whether rows of another schema of this entity are read like its own.
    func hasRows(of other: EntitySchema) -> Bool {
        other === self
            || other.fields.count == fields.count && other.primaryKey == primaryKey
                && zip(other.fields, fields).allSatisfy { $0.holds($1) }
    }
}
