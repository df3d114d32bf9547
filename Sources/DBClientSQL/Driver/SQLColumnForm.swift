import DBClientCore

/// How statements write a field whose column is declared otherwise than the library declares it.
///
/// Each part is a template. In those of the column `#` stands for the bare column, in those of a constant for a value of
/// the type that the library's own column would have.
public struct SQLColumnForm: Hashable, Sendable {
    /// The value of the field, of the type of the library's own column.
    public var value = "#"
    /// The value where order counts, by which rows are sorted and ranges found; nil, the default, where that is
    /// `value`.
    public var ordered: String?
    /// A constant as the bare column is compared with it, so that an index over the column serves; nil, the default,
    /// where constants are compared with `value` as they are.
    public var compared: String?
    /// A constant as the bare column is tested for equality alone, so that an index over the column serves.
    ///
    /// It has one `#` and stands after `=`, so that it may be an `ANY` of several values that are equal to the field.
    /// Nil, the default, where that is `compared`.
    public var equated: String?
    /// The greatest value of the column that is no more than a constant, for `<=` and `>` with the bare column; nil, the
    /// default, where that is `compared`.
    public var floored: String?
    /// The smallest value of the column that is no less than a constant, for `<` and `>=`; nil, the default, where that
    /// is `compared`.
    public var ceiled: String?
    /// What identifies the collation of a text with an order of its own; nil, the default, for the order of bytes.
    public var collation: String?
    /// A constant as it is written to the column.
    public var stored = "#"
    /// The most characters of a text, where the declared type of the column does not say it itself; nil, the default,
    /// where it does or there is no limit.
    public var maximumLength: Int?
    /// What the column cannot keep of the values; nil, the default, where it keeps them as they are.
    public var rounding: SQLRounding?

    /// Creates the form of a column of the library's own: everything stands for itself.
    public init() {}

    /// The form of a column of the library's own.
    public static let own = SQLColumnForm()
}

extension SQLColumnForm {
    /// Returns how a constant is written that the bare column is compared with; nil where its value is.
    func constant(for comparison: Comparison) -> String? {
        switch comparison {
        case .equal: equated ?? compared
        case .notEqual: compared
        case .less, .greaterOrEqual: ceiled ?? compared
        case .lessOrEqual, .greater: floored ?? compared
        }
    }
}
