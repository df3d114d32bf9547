import DBClientCore

/// What the statement of a verb over a query is put into, part by part.
///
/// There are two: `QueryShape` keeps what distinguishes statements, and the constants; `QueryRenderer`
/// writes the text. One walk drives both, `write(_:_:setting:)`, so that a placeholder and its constant are of
/// the same part, and the parts come in the same order.
protocol StatementSink {
    /// What is put aside while the parts of related rows are written.
    associatedtype Outer

    var dialect: any SQLDialect { get }
    /// Whether related rows are joined where that is possible.
    var joinsRelatedRows: Bool { get }
    /// Whether it is asked by a subquery of the row's own that no related rows are there.
    var negatesByExistence: Bool { get }
    var integerSum: SQLIntegerSum { get }

    // The statement.
    /// Writes the beginning, up to the table that rows come from.
    mutating func begin(
        _ verb: QueryVerb,
        _ query: RowQuery,
        _ assignments: RowAssignments?
    ) throws
    mutating func order(by query: RowQuery) throws
    mutating func limit(to count: Int)
    /// Writes the offset, after a limit where a database wants one.
    mutating func offset(by count: Int, isLimited: Bool)
    /// Writes what stands after the rows of the query, such as the end of a subquery.
    mutating func end(_ verb: QueryVerb, _ query: RowQuery)
    /// Writes by what the rows are grouped.
    mutating func beginGroups(_ rendered: RenderedGrouping)
    /// Writes the word before a condition on a group.
    mutating func beginHaving()
    mutating func endGroups(_ rendered: RenderedGrouping)

    // The tables and what their rows must fulfil.
    /// Begins a part of joined rows, behind the first.
    mutating func beginPart(_ part: RowJoin.Part)
    /// Ends the parts of joined rows.
    mutating func endParts(of join: RowJoin)
    /// Begins the steps of a walk, behind the condition of the rows that it starts from.
    mutating func beginSteps(of walk: RowWalk)
    /// Ends a walk, behind the condition of what may be reached.
    mutating func endWalk(_ walk: RowWalk)
    mutating func beginJoin(_ rows: RelatedRows) -> Outer
    mutating func endJoin(_ rows: RelatedRows, _ outer: Outer)
    /// Begins what the rows of a table must fulfil.
    ///
    /// - Parameters:
    ///   - isTrue: Whether every row does.
    ///   - isWhole: Whether they are the statement's own, which also says what its tables must be.
    mutating func beginWhere(isTrue: Bool, isWhole: Bool)
    mutating func endWhere(isTrue: Bool, isWhole: Bool)

    // Conditions on a row.
    /// Begins a condition, inside of those that were begun and not ended.
    mutating func nest()
    mutating func unnest()
    /// Says that every row is meant, of which a text has no word.
    mutating func everyRow()
    mutating func constant(_ value: Bool)
    mutating func comparison(
        _ column: Int,
        _ comparison: Comparison,
        _ value: StorageValue,
        _ order: TextOrder
    )
    mutating func fields(_ column: Int, _ comparison: Comparison, _ other: Int)
    mutating func absence(of column: Int, isNegated: Bool)
    /// Writes a test of a field.
    mutating func form(_ form: SQLForm, of column: Int)
    mutating func keys(_ form: SQLForm, of columns: [Int])
    mutating func beginNot()
    mutating func endNot()
    /// Writes words that follow from what was told.
    mutating func words(_ sql: String)
    /// Begins operands, of which there may be none.
    mutating func beginList(_ conjunction: Conjunction, of count: Int)
    mutating func openParenthesis()
    mutating func separate(_ conjunction: Conjunction)
    mutating func closeParenthesis()

    // Expressions.
    /// Begins a comparison of computed values.
    mutating func beginComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    )
    mutating func separateComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    )
    mutating func endComparison(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    )
    /// Begins another part of a condition or an expression, which the words that follow belong to.
    mutating func begin(_ part: ExpressionPart)
    mutating func field(_ column: Int, isComputedWith: Bool)
    mutating func constant(_ value: StorageValue, _ type: FieldType)
    /// Writes what a call has before an operand, or after the last one.
    mutating func call(
        _ function: RowFunction,
        _ type: FieldType,
        _ operands: [RowExpression],
        before operand: Int
    )

    // Conditions on related rows.
    /// Begins what related rows must fulfil, negated where a subquery of the row's own asks for it.
    mutating func beginRelated(_ rows: RelatedRows, isNegated: Bool) -> Outer
    mutating func endRelated(_ rows: RelatedRows, _ outer: Outer)
    mutating func count(_ count: RowCount)
    /// Writes how a total compares, and with what.
    mutating func total(_ total: RowTotal, of entity: EntitySchema, _ constants: [StorageValue])

    // What is computed of related rows.
    /// Begins what related rows come to, up to the condition that they must fulfil.
    mutating func beginAnnotation(_ annotation: RowAnnotation) -> Outer
    mutating func endAnnotation(_ annotation: RowAnnotation, _ outer: Outer)

    // Conditions on a group.
    mutating func comparison(
        _ term: RowGrouping.Term,
        _ comparison: Comparison,
        _ value: StorageValue
    )
    mutating func absence(of term: RowGrouping.Term)
}

/// Whether all operands must be true, or one.
enum Conjunction {
    case and
    case or
}

/// The parts of conditions and expressions that are spelled alike in every database.
enum ExpressionPart {
    case absence(isNegated: Bool)
    case guarded(isRepeated: Bool)
    case firstPresent(count: Int)
    case choice
}
