import DBClientCore

/// A model before it is written as Swift.
struct ModelPlan: Hashable, Sendable {
    /// An index over several properties.
    struct Index: Hashable, Sendable {
        var properties: [String]
        var isUnique: Bool
    }

    /// The other direction of a relationship: the values of a model that refer to this one.
    struct Inverse: Hashable, Sendable {
        var name: String
        var model: String
        var property: String
    }

    /// A line of the struct.
    enum Member: Hashable, Sendable {
        case field(FieldPlan)
        /// A column that is no field, with the reason.
        case remark(String)
    }

    var table: String
    var typeName: String
    var comment: String?
    var kind = CatalogTable.Kind.table
    var members: [Member] = []
    var indexes: [Index] = []
    var inverses: [Inverse] = []

    var fields: [FieldPlan] {
        members.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}

/// A property of a model before it is written as Swift.
struct FieldPlan: Hashable, Sendable {
    /// Whether the caller or the store makes a key.
    enum Key: Hashable, Sendable {
        case given
        case generated
    }

    /// The index of one property.
    enum Index: Hashable, Sendable {
        case plain
        case unique
    }

    var property: String
    /// The stored name.
    var column: String
    /// The Swift type, without what makes it optional.
    var type: String
    var isOptional: Bool
    var key: Key?
    var index: Index?
    /// How the column keeps the values, where the declared type does not say it.
    var format: ColumnFormat?
    /// The delete rule, where it is not the default one.
    var rule: DeleteRule?
    /// What the property begins with, as Swift.
    var initialValue: String?
    var comment: String?
    var remarks: [String] = []
    /// Whether Foundation declares the type.
    var needsFoundation = false
}
