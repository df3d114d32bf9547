public import DBClientCore

/// A change of a table for which a dialect has statements.
public enum SQLTableChange {
    /// Makes the table of an entity, with a note of what its columns are written as.
    ///
    /// The literals are what rows have of fields, given by their positions, where they leave them out, as programs of
    /// a former version do.
    case create(EntitySchema, beginningWith: [Int: String])
    /// Adds a field's column.
    ///
    /// The literal is what the rows have of it, and those that leave it out from now on, as programs of the former
    /// version do; nil for null.
    case addColumn(FieldSchema, beginningWith: String?)
    /// Lets a field's column be null, given the indexes that it is in, which may go.
    case relaxColumn(FieldSchema, indexes: [String])
    /// Declares a column as a field needs it, with its type and the collation of bytes, or, for a column without a
    /// field, lets rows leave it out; no statement for a database that cannot change a column in place.
    ///
    /// No migration does so. An error shows the statements of a table that does not fit its model.
    case redeclareColumn(String, as: FieldSchema?)
    /// Drops a column, given the indexes that it is in.
    case dropColumn(String, indexes: [String])
    /// Notes with the table what its columns were written as, given by their names, and keeps what else is noted
    /// there; for a database in which each column's declaration has its note that is no statement.
    case note([(name: String, field: WrittenField)], beside: String?)
}
