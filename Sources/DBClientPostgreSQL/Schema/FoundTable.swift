import CLibPQ
import DBClientSQL

/// What the server's catalog has of a table.
struct FoundTable {
    /// The name that it was looked for by.
    let name: String
    /// The server's number of the table.
    var identifier: Int64 = 0
    /// What it is.
    var kind = Kind.table
    /// The schema that it is in.
    var schema = ""
    /// What others say of the table in its comment.
    var comment: String?
    /// Whether it is a plain table without triggers, rules and foreign keys that refer to it.
    var isPlain = false
    /// The columns in the order of the table.
    var columns: [Column] = []
    /// The indexes over plain columns and every row, and those that the library made over shortened values, whose
    /// comment names their columns.
    var indexes: [Index] = []

    /// What may be read like a table, by the server's letters.
    enum Kind: String {
        case table = "r"
        case partitionedTable = "p"
        case view = "v"
        case materialisedView = "m"
        case foreignTable = "f"

        /// Whether its rows are kept elsewhere than in a table of this server that programs write to.
        var isDerived: Bool { self != .table && self != .partitionedTable }
    }

    /// A column, as the catalog describes it.
    struct Column {
        /// What is known of it without a look at its collation and, where it is a domain, at its type.
        var description: SQLTableDescription.Column
        /// The number by which indexes name it.
        var number: Int64
        /// The server's number of the type.
        var typeIdentifier: Int64
        /// The type where it is one that is read and written here.
        var type: ServerType?
        /// The length, digits or precision of the type, as the server counts it; -1 for none.
        var modifier: Int64
        /// The server's number of the collation; 0 for none.
        var collation: Int64
        /// Whether the type is made of another one: a domain, or an array of what a user has defined.
        var isMade: Bool

        /// The most characters of a value; nil where there is no limit or the type is no text.
        var maximumLength: Int? {
            guard type == .varyingCharacter || type == .paddedCharacter, modifier >= 4 else {
                return nil
            }
            // Four bytes of the server's own count in it.
            return Int(modifier) - 4
        }
    }

    /// An index that the library can rely on.
    struct Index {
        var name: String
        var columns: [String]
        var isUnique: Bool
        var isPrimaryKey: Bool
        /// Whether it is that of a partitioned table, each of whose partitions has one of its own.
        var isPartitioned: Bool
        /// The server's number of the index.
        var identifier: Int64
    }
}

extension FoundTable? {
    /// Returns the table, and keeps it no longer, if it is the one of a name.
    mutating func take(of name: String) -> FoundTable? {
        defer { self = nil }
        return self?.name == name ? self : nil
    }
}
