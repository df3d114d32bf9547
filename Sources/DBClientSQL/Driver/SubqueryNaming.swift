/// How a dialect puts subqueries before a statement, under names, as in a `WITH` clause.
public struct SubqueryNaming: Sendable {
    /// The prefix of their names, with which no table's name begins.
    public var namePrefix: String
    /// The prefix of a placeholder's number, since their order is then another than the text's.
    public var numberPrefix: String

    /// Creates the naming from its two prefixes.
    public init(namePrefix: String, numberPrefix: String) {
        self.namePrefix = namePrefix
        self.numberPrefix = numberPrefix
    }
}
