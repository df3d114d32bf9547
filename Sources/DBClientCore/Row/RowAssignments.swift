/// Some fields of a row with their new values.
public struct RowAssignments {
    /// The positions of the fields, ascending, each once.
    public let columns: [Int]
    /// One row of all the entity's fields, of which only `columns` are meaningful.
    public let values: RowBatch

    /// Creates assignments over slots that outlive them.
    public init(columns: [Int], values: RowBatch) {
        self.columns = columns
        self.values = values
    }
}
