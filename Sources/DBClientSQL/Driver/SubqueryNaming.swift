/// How a dialect puts subqueries before a statement, under names, as in a `WITH` clause.
public struct SubqueryNaming: Sendable {
    /// With what their names begin, and the name of no table.
    public var namePrefix: String
    /// The prefix of a placeholder's number, since their order is then another than the text's.
    public var numberPrefix: String

    /// Creates what a dialect says.
    public init(namePrefix: String, numberPrefix: String) {
        self.namePrefix = namePrefix
        self.numberPrefix = numberPrefix
    }
}
