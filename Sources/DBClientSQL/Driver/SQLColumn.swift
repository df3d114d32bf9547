public import DBClientCore

/// A column of the table that a statement is about.
public struct SQLColumn {
    /// The name of the table, not quoted.
    public var table: String
    /// The name of the column, not quoted.
    public var name: String
    /// The type of the field that the column keeps.
    public var type: FieldType
    /// How statements read, compare and store a value of the column.
    public var form: SQLColumnForm

    /// Creates a column from its table, name and type, by default one of the library's own.
    public init(table: String, name: String, type: FieldType, form: SQLColumnForm = .own) {
        self.table = table
        self.name = name
        self.type = type
        self.form = form
    }
}
