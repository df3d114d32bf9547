public import DBClientCore

/// The SQL of one database, as far as databases spell it differently.
public protocol SQLDialect: Sendable {
    /// Appends the placeholder of a parameter, counted from one.
    ///
    /// `type` is that of the field with which a condition compares it; nil where a column, a window or
    /// a raw SQL statement says what it is.
    func appendPlaceholder(
        _ number: Int,
        comparedWith type: FieldType?,
        to text: inout SQLText
    )
    /// The operator that is true when two values differ, null being a value like any other.
    var isDistinctFrom: String { get }
    /// The text for "no limit" where an offset needs one.
    var unlimited: String? { get }
    /// The prefix that makes the database return a statement's plan instead of running it.
    var explainPrefix: String { get }
    /// The most parameters of a statement.
    var maximumParameterCount: Int { get }

    /// The collation that compares texts by their bytes, as a column's declaration has it.
    var byteCollation: String { get }
    /// The most bytes of a name that the database keeps whole.
    var maximumNameLength: Int { get }
    /// Whether the database takes two columns for one whose names differ in the case of A to Z alone;
    /// false by default.
    var ignoresCaseOfNames: Bool { get }

    /// The first words of statements that change the whole session; none by default.
    var sessionVerbs: Set<String> { get }

    /// Returns the name of an entity's table.
    func tableName(of entity: EntitySchema) -> String
    /// Returns the name of a field's column.
    func columnName(of field: String) -> String
    /// Returns the statement that makes an entity's table.
    func createTable(_ entity: EntitySchema) -> String
    /// Returns the statement that adds a field's column to a table.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - table: The name of the table.
    ///   - literal: What its rows have of it, and those that leave it out from now on, as programs of the former
    ///     version do; nil for null.
    /// - Returns: The statement.
    func addColumn(_ field: FieldSchema, to table: String, beginningWith literal: String?) -> String
    /// Returns the statements that let a field's column be null, given the indexes that it is in, which may go.
    func relaxColumn(_ field: FieldSchema, of table: String, indexes: [String]) -> [String]
    /// Returns the statements that drop a column, given the indexes that it is in.
    func dropColumn(_ column: String, of table: String, indexes: [String]) -> [String]
    /// Returns how a column of the library's own is declared for a type, as the database reports it.
    func declaration(of type: FieldType) -> String
    /// Returns the statement that notes with a table what its columns were written as, given by their names, and
    /// keeps what else is noted there; nil, the default, where each column's declaration has its note.
    func note(
        _ columns: [(String, WrittenField)],
        of table: String,
        beside comment: String?
    ) -> String?
    /// Whether a column of a declared type can hold a field.
    func fits(_ column: SQLTableDescription.Column, _ field: FieldSchema) -> Bool

    /// Returns how a field is tested.
    ///
    /// Membership is asked of at least one value. For an absent field the condition is what `holdsForNil` says; null
    /// counts as false.
    func form(of test: FieldTest) throws -> SQLForm
    /// Appends a condition on a column, with a placeholder for each constant of the form in order.
    func append(_ form: SQLForm, on column: SQLColumn, to text: inout SQLText)

    /// Returns how keys of several columns are looked up, given at least one.
    ///
    /// Any number of keys is bound as a few constants.
    func form(ofKeys keys: [[StorageValue]]) throws -> SQLForm
    /// Appends the keys of a form, one for each row, as the operand of IN.
    func appendKeys(_ form: SQLForm, of types: [FieldType], to text: inout SQLText)

    /// Appends an operand, a column or a placeholder, so that the case of A to Z is ignored where it
    /// is compared or sorted.
    func appendFolded(_ operand: (inout SQLText) -> Void, to text: inout SQLText)
    /// The function of one text whose values, compared as bytes, have the natural order of the texts;
    /// nil, the default, where the database has none, so that such an order is applied by the client.
    var naturalOrderFunction: String? { get }
    /// Appends a sort key's nulls-first clause when the database's default is another.
    func appendNulls(_ ordering: RowOrdering, to text: inout SQLText)

    /// Appends a column of a new index.
    func appendIndexed(_ field: FieldSchema, to text: inout SQLText)
    /// Appends an operand of a type so that it is compared and sorted as the library defines.
    func appendComparable(
        _ operand: (inout SQLText) -> Void,
        of type: FieldType,
        to text: inout SQLText
    )
    /// Appends the database's own function over an operand of a type, but for an exact sum and for reals that are
    /// added up.
    func append(
        _ function: AggregateFunction,
        of operand: (inout SQLText) -> Void,
        _ type: FieldType,
        to text: inout SQLText
    )

    /// Appends the columns from which an exact sum of values of a type, integers or decimals, is put together.
    func appendExactSum(
        of column: (inout SQLText) -> Void,
        _ type: FieldType,
        to text: inout SQLText
    )
    /// How many columns an exact sum has; one by default.
    func exactSumWidth(of type: FieldType) -> Int
    /// Returns the exact sum from those columns; nil when it leaves the range of `Int64` or of `Decimal`, null
    /// when there was no row.
    func exactSum(_ slots: UnsafeBufferPointer<Slot>, of type: FieldType) -> StorageValue?
    /// Appends columns that compare in their order as an exact sum does, zero of none.
    func appendComparableSum(
        of column: (inout SQLText) -> Void,
        _ type: FieldType,
        to text: inout SQLText
    )
    /// Returns the constants that those columns are compared with in place of a sum, which is the default.
    func comparableSum(_ sum: StorageValue) -> [StorageValue]

    /// Appends the sum or the average of reals as `RealSum` has it: null of none.
    ///
    /// NaN is null where it is compared, else a real or the text `NaN`. The operand of floats is a float.
    func appendRealSum(
        _ function: AggregateFunction,
        of operand: (inout SQLText) -> Void,
        isCompared: Bool,
        to text: inout SQLText
    )

    /// Whether the database's own sum of integers is exact or fails, so that it is tried first.
    var checksIntegerSums: Bool { get }
    /// Whether an error says that such a sum left `Int64`, if only on its way.
    func isSumOverflow(_ error: DBClientError) -> Bool
    /// Whether a join with related rows costs the database less than a subquery of their keys.
    var joinsRelatedRows: Bool { get }
    /// The text that ends a subquery so that each of its columns is computed once, where a planner would inline the
    /// expressions; empty by default.
    var fence: String { get }
    /// How deeply nested subqueries are named; nil, the default, where the parser accepts any depth.
    var subqueryNaming: SubqueryNaming? { get }
}

extension SQLDialect {
    /// Returns nil: each column's declaration has its own note.
    public func note(
        _ columns: [(String, WrittenField)],
        of table: String,
        beside comment: String?
    ) -> String? { nil }

    /// Names of any length are kept whole.
    public var maximumNameLength: Int { .max }

    /// False: names that differ only in case are different columns.
    public var ignoresCaseOfNames: Bool { false }

    /// The empty set: no statement changes the session.
    public var sessionVerbs: Set<String> { [] }

    /// Nil, so that the client applies the natural order.
    public var naturalOrderFunction: String? { nil }

    /// Returns one, the sum in a single column.
    public func exactSumWidth(of type: FieldType) -> Int { 1 }

    /// Returns the sum itself as the only constant.
    public func comparableSum(_ sum: StorageValue) -> [StorageValue] { [sum] }

    /// False, so that integers are summed by `appendExactSum` at once.
    public var checksIntegerSums: Bool { false }

    /// Returns false, since the database's own sum is not tried.
    public func isSumOverflow(_ error: DBClientError) -> Bool { false }

    /// False, since most planners rewrite one as the other.
    public var joinsRelatedRows: Bool { false }

    /// The empty string: subqueries need no fence.
    public var fence: String { "" }

    /// Nil, so that subqueries are nested at any depth.
    public var subqueryNaming: SubqueryNaming? { nil }

    /// Returns the field's own name.
    public func columnName(of field: String) -> String { field }

    /// Appends the column's name alone.
    public func appendIndexed(_ field: FieldSchema, to text: inout SQLText) {
        text.append(column: field.name)
    }

    /// Appends the operand as it is.
    public func appendComparable(
        _ operand: (inout SQLText) -> Void,
        of type: FieldType,
        to text: inout SQLText
    ) {
        operand(&text)
    }

    /// Appends text so that it is compared and sorted in an order of texts.
    func append(
        _ operand: (inout SQLText) -> Void,
        in order: TextOrder,
        to text: inout SQLText
    ) {
        guard order == .natural, let function = naturalOrderFunction else {
            return appendFolded(operand, to: &text)
        }
        text.append("\(function)(")
        operand(&text)
        text.append(")")
    }

    /// Appends the function as standard SQL spells it.
    public func append(
        _ function: AggregateFunction,
        of operand: (inout SQLText) -> Void,
        _ type: FieldType,
        to text: inout SQLText
    ) {
        switch function {
        case .minimum: text.append("MIN(")
        case .maximum: text.append("MAX(")
        case .sum: text.append("SUM(")
        case .average: text.append("AVG(")
        }
        operand(&text)
        text.append(")")
    }
}

extension Comparison {
    /// The operator, given the one that is true when two values differ.
    package func sign(differing: String) -> String { self == .notEqual ? differing : sign }
}

/// A way to spell a condition, and the constants that it binds.
public struct SQLForm {
    /// Identifies the spelling: two forms of one identifier differ in their constants alone.
    public var identifier: UInt32
    /// The constants in the order of their placeholders.
    public var constants: [StorageValue]

    /// Creates a form from an identifier and its constants.
    public init(_ identifier: UInt32, _ constants: [StorageValue]) {
        self.identifier = identifier
        self.constants = constants
    }
}

/// A column of the table that a statement is about.
public struct SQLColumn {
    /// The name of the table.
    public var table: String
    /// The name of the column.
    public var name: String
    /// The type of the field.
    public var type: FieldType

    /// Creates a column from its table, name and type.
    public init(table: String, name: String, type: FieldType) {
        self.table = table
        self.name = name
        self.type = type
    }
}
