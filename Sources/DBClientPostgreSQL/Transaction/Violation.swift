import DBClientCore

/// A rule of a table's that a statement was refused for.
///
/// Where a unit of work has read before, the row in its way may have come from a transaction that what it
/// read does not show: it looked for a key, another one wrote it, and now it is taken. In no order of the
/// two does that happen, so the unit runs again, with a newer snapshot. When it is refused for the same
/// again, that is so.
///
/// A statement that waited for a migration is checked against the columns of after it, with the row of
/// before it, before anything notices that the row was written since: a column that was added and filled has
/// no value then. So that is believed when it is met again as well, whatever the unit has read.
struct Violation: Hashable {
    /// The constraint, or the column that has no value.
    let rule: String?
    /// The values, as the server shows them to a role that may read them, or the column's table.
    let detail: String?
    /// Whether a required value is missing.
    let isMissingValue: Bool

    /// Nil for an error of another kind.
    init?(_ error: DBClientError) {
        guard let server = error.underlying as? PostgreSQLServerError else { return nil }
        switch server.sqlState {
        case "23505", "23P01":
            rule = server.constraint
            detail = server.detail
            isMissingValue = false
        case "23502":
            rule = server.column
            detail = server.table ?? ""
            isMissingValue = true
        default: return nil
        }
    }

    /// How many attempts in a row have to be refused for it before it is believed: more where nothing
    /// shows that it is about the same values.
    var proof: Int { detail == nil ? 3 : 1 }
}
