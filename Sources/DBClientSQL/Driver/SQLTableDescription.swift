/// A table as the database has it.
public struct SQLTableDescription: Sendable {
    /// A column, as far as a field that it may keep depends on it.
    public struct Column: Sendable {
        /// The name of the column, not quoted.
        public var name: String
        /// The declared type, as the database reports it.
        public var type: String
        /// The type that the declared one is made of: that of a domain; else the declared one.
        public var underlyingType: String
        /// Whether the values are labels of an enumeration, or lists of them.
        public var isEnumeration = false
        /// Whether the column refuses null, as `NOT NULL` does.
        public var isRequired: Bool
        /// Whether an insert may leave the column out.
        public var hasDefault: Bool
        /// How texts in the column are compared.
        public var collation: Collation
        /// What identifies the collation among those of an order of its own; nil, the default, where there is one alone.
        public var collationName: String?
        /// How the database makes the values, where it takes none; nil, the default, where it takes them.
        public var generation: Generation?
        /// What its values were written as, where the library made the column and has noted that.
        public var written: WrittenField?

        /// Creates the description of a column.
        public init(
            name: String,
            type: String,
            isRequired: Bool,
            hasDefault: Bool,
            collation: Collation,
            written: WrittenField? = nil
        ) {
            self.name = name
            self.type = type
            underlyingType = type
            self.isRequired = isRequired
            self.hasDefault = hasDefault
            self.collation = collation
            self.written = written
        }
    }

    /// How a database makes values that it takes from no statement.
    public enum Generation: Sendable {
        /// By an expression of other columns of the row.
        case expression
        /// By a sequence, as `GENERATED ALWAYS AS IDENTITY` does.
        case identity
    }

    /// How the database compares texts of a column, as far as queries depend on it.
    public enum Collation: Sendable {
        /// They are equal and ordered as their bytes are.
        case bytes
        /// They are equal as their bytes are, and have another order.
        case ofOwnOrder
        /// Texts of different bytes may be equal.
        case ofOwnEquality
    }

    /// An index or a unique constraint.
    public struct Index: Sendable {
        /// The name of the index, not quoted.
        public var name: String
        /// The names of the columns, most significant first.
        public var columns: [String]
        /// Whether two rows with equal values, none of them null, are refused.
        public var isUnique: Bool

        /// Creates the description of an index.
        public init(name: String, columns: [String], isUnique: Bool) {
            self.name = name
            self.columns = columns
            self.isUnique = isUnique
        }
    }

    /// The columns in the order of the table.
    public var columns: [Column]
    /// The names of the columns of the primary key, in key order.
    public var primaryKey: [String]
    /// The columns by which the rows are spread over other servers, each of which keeps its own unique; empty, the
    /// default, where they are not, or a column alone does not decide.
    package var shardColumns: [String] = []
    /// Whether it is a materialised view, whose rows may have a unique index and cannot be written.
    package var isMaterialisedView = false
    /// The indexes over plain columns and every row.
    public var indexes: [Index]
    /// Whether the database makes the key of a row that is inserted without one; no by default.
    public var generatesKeys = false
    /// What else is noted of the table, for a dialect that keeps its notes there.
    public var comment: String?

    /// Creates the description of a table.
    public init(columns: [Column], primaryKey: [String], indexes: [Index]) {
        self.columns = columns
        self.primaryKey = primaryKey
        self.indexes = indexes
    }
}
