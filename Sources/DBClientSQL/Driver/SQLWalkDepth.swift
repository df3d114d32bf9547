/// How a database keeps the depth of rows that a recursive statement reaches, in a column whose values are all equal to
/// one another.
///
/// `UNION` leaves out a row that is equal to one before it, so each row is reached once, by the fewest steps, and a
/// circle ends. Were the depth a number, a row would be new at each depth at which ways lead to it.
package struct SQLWalkDepth: Sendable {
    /// The depth of what a walk starts from.
    package var start: String
    /// The template of a depth that is greater by one.
    package var next: String
    /// The template of a depth as an integer.
    package var value: String
    /// What has the rows of a lesser depth reached first, behind the recursive part; empty where the database does so.
    package var order: String

    /// Creates the SQL for a depth; `order` may be left out where the database needs none.
    package init(start: String, next: String, value: String, order: String = "") {
        self.start = start
        self.next = next
        self.value = value
        self.order = order
    }
}
