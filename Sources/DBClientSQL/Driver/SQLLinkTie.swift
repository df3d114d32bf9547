/// Whether the database deletes the links in a table with their owners.
public enum SQLLinkTie: Sendable {
    /// The database deletes the links with their owners.
    case tied(isNew: Bool)
    /// The database does not, so the library deletes them.
    case none
    /// The table of the owners does not exist yet.
    case ownerMissing
}
