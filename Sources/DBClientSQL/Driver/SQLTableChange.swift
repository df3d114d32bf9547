public import DBClientCore

/// A change of a table for which a dialect has statements.
public enum SQLTableChange {
    /// Makes the table of an entity, with a note of what its columns are written as.
    case create(EntitySchema)
    /// Adds a field's column.
    ///
    /// The literal is what the rows have of it, and those that leave it out from now on, as programs of the former
    /// version do; nil for null.
    case addColumn(FieldSchema, beginningWith: String?)
    /// Lets a field's column be null, given the indexes that it is in, which may go.
    case relaxColumn(FieldSchema, indexes: [String])
    /// Drops a column, given the indexes that it is in.
    case dropColumn(String, indexes: [String])
    /// Notes with the table what its columns were written as, given by their names, and keeps what else is noted
    /// there; for a database in which each column's declaration has its note that is no statement.
    case note([(name: String, field: WrittenField)], beside: String?)
}
