public import DBClientCore

/// An expression that databases spell differently, each of them by a template.
///
/// In a template `#` stands for the operand and `?` for a placeholder; neither is there in another meaning. In that of
/// a test `@` is the value of the column with the name of its table, and a backtick the bare column.
public enum SQLExpression {
    /// A parameter that a condition compares with a field of a type; by itself it is `?`.
    case parameter(FieldType)
    /// A test of a column, with a placeholder for each constant of the form in order.
    case test(SQLForm, SQLColumn)
    /// The keys of a form, one for each row, as the operand of IN; they are of columns of these types. It has no
    /// operand.
    case keys(SQLForm, [FieldType])
    /// A text, so that the case of A to Z is ignored where it is compared or sorted.
    case folded
    /// A value of a type, so that it is compared and sorted as the library defines.
    case comparable(FieldType)
    /// The database's own function over values of a type, but for an exact sum and for reals that are added up.
    case aggregate(AggregateFunction, FieldType)
    /// The columns of an exact sum of values of a type, integers or decimals: null of none.
    case exactSum(FieldType)
    /// The columns that compare in their order as an exact sum does: zero of none.
    case comparableSum(FieldType)
    /// The sum or the average of reals as `RealSum` has it: null of none.
    ///
    /// NaN is null where it is compared, else a real or the text `NaN`. The operand of floats is a float.
    case realSum(AggregateFunction, isCompared: Bool)
    /// A field of a type in an expression. Where a real is computed with, an infinite one is an error.
    case field(FieldType, isComputedWith: Bool)
    /// A constant of a type in an expression: it has no operand.
    case constant(FieldType)
    /// A function of an expression: each `#` stands for the next operand, as many times as the call has operands.
    /// One of a time zone has placeholders for the rules before the date, its one operand.
    ///
    /// Where there is no value, the statement fails with an error of the code `.invalidValue`.
    case function(RowFunctionCall)
}
