/// What a dialect says to have subqueries stand before a statement, under names.
public struct SubqueryNaming: Sendable {
    /// With what their names begin, and the name of no table.
    public var namePrefix: String
    /// What stands before the number of a placeholder, since their order is another then.
    public var numberPrefix: String

    /// Creates what a dialect says.
    public init(namePrefix: String, numberPrefix: String) {
        self.namePrefix = namePrefix
        self.numberPrefix = numberPrefix
    }
}
