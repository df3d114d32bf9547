/// What a dialect says to add reals up.
public struct RealSums: Sendable {
    /// Whether the database's own sum is tried first: one that leaves the range, if only on its way, is
    /// infinite or no number then, and no error.
    public var areTriedFirst: Bool
    /// What stands before and after the values of a sum that is zero of none.
    public var total: (before: String, after: String)
    /// What stands after such a sum to ask whether it is no number.
    public var isNaN: String
    /// No number, which is read as a real, or as the text `NaN`.
    public var nan: String
    /// What is greater than every number.
    public var infinity: String
    /// What stands after a value to have it as a double.
    public var cast: String

    /// Creates what a dialect says.
    public init(
        areTriedFirst: Bool,
        total: (before: String, after: String),
        isNaN: String,
        nan: String,
        infinity: String,
        cast: String
    ) {
        self.areTriedFirst = areTriedFirst
        self.total = total
        self.isNaN = isNaN
        self.nan = nan
        self.infinity = infinity
        self.cast = cast
    }
}
