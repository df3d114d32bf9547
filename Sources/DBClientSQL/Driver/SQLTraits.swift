public import DBClientCore

/// The constant facts of a database: words that it spells in its own way, its limits, and what it can do.
///
/// A transaction takes them once from the dialect of its connection.
public struct SQLTraits: Sendable {
    /// The operator that is true when two values differ, null being a value like any other.
    public var isDistinctFrom: String
    /// The prefix that makes the database return a statement's plan instead of running it.
    public var explainPrefix: String
    /// The collation that compares texts by their bytes, as a column's declaration has it.
    public var byteCollation: String
    /// The most parameters of a statement.
    public var maximumParameterCount: Int
    /// Whether nulls come before every value in an ascending order, and after every value in a descending one, unless
    /// the statement says otherwise; else it is the other way round.
    public var nullsAreLeast: Bool

    /// The prefix of a placeholder's number, as in `$1`; nil, the default, where a placeholder is `?` alone.
    public var placeholderPrefix: String?
    /// The text for "no limit" where an offset needs one; nil, the default, where it needs none.
    public var unlimited: String?
    /// The most bytes of a name that the database keeps whole; by default names of any length are.
    public var maximumNameLength = Int.max
    /// Whether the database takes two columns for one whose names differ in the case of A to Z alone; false by default.
    public var ignoresCaseOfNames = false
    /// Whether the name of a table may begin with that of a schema and a dot; false, the default, where a dot is a part
    /// of the name.
    public var namesSchemas = false
    /// The names whose dot is a part of the name all the same; nil where there are none.
    package var wholeNames: WholeTableNames?
    /// The first words of statements that change the whole session; none by default.
    public var sessionVerbs: Set<String> = []
    /// The function of one text whose values, compared as bytes, have the natural order of the texts, where the database
    /// calls the functions of the library; nil, the default, where it does not, so that the client applies what only the
    /// library computes.
    public var naturalOrderFunction: String?

    /// In what columns a statement returns an exact sum of integers; the digits by default.
    public var integerSum = SQLIntegerSum.digits
    /// The code and the message of the error that says that the database's own sum of integers left `Int64`, if only
    /// on its way, where that sum is exact or fails and so is tried first; nil, the default, where it is not tried.
    public var integerOverflow: (code: DBClientError.EngineCode, message: String)?
    /// Whether a join with related rows costs the database less than a subquery of their keys; false by default.
    public var joinsRelatedRows = false
    /// Whether the planner makes a join of `NOT EXISTS`, but reads all rows of a subquery that a row must not be in; false
    /// by default.
    package var negatesByExistence = false
    /// Whether a condition on the one group of all rows may stand without `GROUP BY`; true by default.
    package var filtersUngroupedRows = true
    /// The text that ends a subquery so that each of its columns is computed once, where a planner would inline the
    /// expressions; empty by default.
    public var fence = ""
    /// How deeply nested subqueries are named; nil, the default, where the parser accepts any depth.
    public var subqueryNaming: SubqueryNaming?

    /// Whether requests name the shard key of rows wherever it is known, since the database may be spread over servers by
    /// it; false by default.
    package var namesShards = false

    /// How the depth of a walk is kept; nil, the default, where no recursive statement is made.
    package var walkDepth: SQLWalkDepth?

    /// Whether one statement without a transaction reads a snapshot, and costs less than one with it.
    ///
    /// False by default. Otherwise `begin` is called with `.call`.
    public var readsWithoutTransaction = false
    /// Whether a table whose file is damaged may be read in another order than that of its keys, without an error;
    /// false by default.
    public var readsDamagedTables = false

    /// Whether the columns that the library makes are declared as another program would, so that a new table is looked
    /// at like one of those; false by default.
    package var declaresOtherColumns = false

    /// Creates the facts that have no default; the others are set one by one.
    public init(
        isDistinctFrom: String,
        explainPrefix: String,
        byteCollation: String,
        maximumParameterCount: Int,
        nullsAreLeast: Bool
    ) {
        self.isDistinctFrom = isDistinctFrom
        self.explainPrefix = explainPrefix
        self.byteCollation = byteCollation
        self.maximumParameterCount = maximumParameterCount
        self.nullsAreLeast = nullsAreLeast
    }
}

extension SQLTraits {
    /// Whether an error says that the database's own sum of integers left `Int64`.
    func isIntegerOverflow(_ error: DBClientError) -> Bool {
        guard let integerOverflow else { return false }
        return error.engineCode == integerOverflow.code
            && error.engineMessage == integerOverflow.message
    }
}
