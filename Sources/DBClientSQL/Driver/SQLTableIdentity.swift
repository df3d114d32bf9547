/// The identity of a table, by which prepared statements notice that another one has taken its name, for a database
/// whose statements would go on with that one.
public struct SQLTableIdentity: Sendable {
    /// A condition that holds as long as the table is there, and fails otherwise.
    public let condition: String
    /// The types of columns by the fields that they are of, as far as a parameter keeps its type where it is given
    /// that one.
    public let types: [Int: String]

    /// Creates an identity from a condition and the types of columns.
    public init(condition: String, types: [Int: String]) {
        self.condition = condition
        self.types = types
    }
}
