/// What a person should know of a table or a column of which there is no model or no field.
public struct GenerationNotice: Hashable, Sendable, CustomStringConvertible {
    /// What became of it.
    public enum Kind: Hashable, Sendable {
        /// There is no model of the table.
        case refusedTable
        /// The model of the table lacks the column.
        case leftOutColumn
        /// The column is a plain field, not a relationship or another type that it might be.
        case plainField
    }

    /// What became of the table or the column.
    public let kind: Kind
    /// The name of the table.
    public let table: String
    /// The name of the column; nil for the table as a whole.
    public let column: String?
    /// The reason, as a sentence.
    public let reason: String

    /// The notice as one line.
    public var description: String {
        let place = column.map { "\(table).\($0)" } ?? table
        return switch kind {
        case .refusedTable: "\(place): no model. \(reason)"
        case .leftOutColumn: "\(place): left out. \(reason)"
        case .plainField: "\(place): a plain field. \(reason)"
        }
    }
}
