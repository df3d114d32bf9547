import DBClientCore

/// A table on its way to a model.
struct TableDraft {
    /// A column of a foreign key that becomes a relationship.
    struct Relationship {
        /// The position of the draft of the other table.
        var target: Int
        /// The columns, in the order of the other table's key.
        var columns: [String]
        /// The delete rule, where it is not the default one.
        var rule: DeleteRule?
        var index: FieldPlan.Index?
        var remarks: [String] = []
        /// The stored name of a relationship of several columns, which begins the name of each.
        var prefix: String?
        /// Whether the property holds the related value itself.
        var isHeld = false
    }

    let table: CatalogTable
    /// The columns that make the model's key, in key order.
    var key: [String] = []
    /// The columns that are fields, by the kinds of their values.
    var kinds: [String: FieldKind] = [:]
    /// Why the other columns are no fields.
    var reasons: [String: String] = [:]
    /// What is to be known of a column.
    var remarks: [String: [String]] = [:]
    var typeName = ""
    /// The words of the type's name.
    var words: [String] = []
    var properties: [String: String] = [:]
    var relationships: [Relationship] = []
    var names = UniqueNames(taken: SwiftIdentifier.reservedProperties)

    init(_ table: CatalogTable) {
        self.table = table
    }

    func relationship(of column: String) -> Relationship? {
        relationships.first { $0.columns.contains(column) }
    }

    /// Whether null may stand in a column.
    func isOptional(_ column: String) -> Bool {
        guard let found = table.column(named: column), !key.contains(column) else { return false }
        // A value that is not stored yet has none.
        let isMade = found.source == .computed || found.source == .identityAlways
        return isMade || !found.isRequired
    }

    /// The plain index over exactly some columns.
    func index(over columns: [String]) -> FieldPlan.Index? {
        let found = table.indexes.filter { $0.isPlain && $0.columns == columns }
        if found.contains(where: { !$0.isUnique }) { return .plain }
        return found.isEmpty ? nil : .unique
    }
}
