import DBClientCore

/// A table or a view of a database.
struct CatalogTable: Hashable, Sendable {
    /// What a table is to the database.
    enum Kind: Hashable, Sendable {
        case table
        case view
        /// One whose rows another server or program keeps.
        case foreignTable
        /// One that can be no model, with what it is.
        case other(String)
    }

    var name: String
    var kind = Kind.table
    var comment: String?
    /// In the order of the table.
    var columns: [CatalogColumn] = []
    /// The columns of the primary key, in key order.
    var primaryKey: [String] = []
    /// In the order of the bytes of their names.
    var indexes: [CatalogIndex] = []
    /// In the order of their first columns.
    var foreignKeys: [CatalogForeignKey] = []

    func column(named name: String) -> CatalogColumn? {
        columns.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

/// A column of a table.
struct CatalogColumn: Hashable, Sendable {
    /// Where the value of a column comes from, when a row leaves it out.
    enum Source: Hashable, Sendable {
        case row
        /// A sequence, an identity or a row number of the database.
        case sequence
        /// An expression of the other columns: a row cannot give the value.
        case computed
        /// An identity whose value a row cannot give.
        case identityAlways
    }

    var name: String
    /// The declared type, as the database says it.
    var declaredType: String
    var meaning: ColumnMeaning
    /// How the column keeps the values, where the declared type does not say it.
    var format: ColumnFormat?
    var isRequired = false
    /// The expression of the default.
    var defaultValue: String?
    var source = Source.row
    var comment: String?
    /// Whether a row has 0 in the column; asked for keys alone.
    var holdsZero = false
    /// Whether a row has null in the column; asked for keys alone.
    var holdsNull = false

    /// Whether a row can leave the column out.
    var canBeLeftOut: Bool { !isRequired || defaultValue != nil || source != .row }
}

/// An index of a table.
struct CatalogIndex: Hashable, Sendable {
    var name: String
    /// The most significant first; empty for an index over an expression.
    var columns: [String]
    var isUnique: Bool
    /// Whether it is over plain columns and every row, in an order that the library counts on.
    var isPlain: Bool
}

/// A foreign key of a table.
struct CatalogForeignKey: Hashable, Sendable {
    /// What the database does to a row when the one that it refers to is deleted.
    enum Rule: Hashable, Sendable {
        case noAction
        case cascade
        case setNull
        case setDefault
    }

    var columns: [String]
    /// The table that is referred to; nil for one of another schema.
    var table: String?
    /// The columns that are referred to; empty for the primary key.
    var targets: [String]
    var onDelete: Rule
}
