/// A request as engines see it: an entity and a closed tree of values, no model.
public struct RowQuery: Hashable, Sendable {
    /// The entity whose rows are asked for.
    public let entity: EntitySchema
    /// How the rows are put together from those of several entities; nil for rows that are stored as they are.
    public var join: RowJoin?
    /// How the rows are reached from others of their entity; nil for rows that are found by the condition alone.
    public var walk: RowWalk?
    /// The condition that a row must fulfil.
    public var condition: RowCondition
    /// The sort.
    ///
    /// It is total: `orderings` of a request end with the primary key.
    public var orderings: [RowOrdering]
    /// The greatest number of rows; nil for all.
    public var limit: Int?
    /// The number of rows to skip first.
    public var offset: Int

    /// Creates a query, by default for every row in the order of the primary key.
    public init(
        _ entity: EntitySchema,
        where condition: RowCondition = .constant(true),
        orderings: [RowOrdering] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.entity = entity
        self.condition = condition
        self.orderings = orderings
        self.limit = limit
        self.offset = offset
    }

    /// The sort followed by the fields of the primary key that it does not name: a total order.
    public var totalOrder: [RowOrdering] {
        var order: [RowOrdering] = []
        for ordering in orderings {
            order.append(ordering)
            // A unique prefix decides; what follows a complete key never matters.
            if isTotal(order) { return order }
        }
        for column in entity.primaryKey
        where !order.contains(where: { $0.isExact(column) }) {
            order.append(RowOrdering(column: column))
        }
        return order
    }

    private func isTotal(_ order: [RowOrdering]) -> Bool {
        entity.primaryKey.allSatisfy { column in
            order.contains { $0.isExact(column) }
        }
    }

    /// The query in whatever order, where the order does not decide which rows there are: what asks for no order needs
    /// no key of a sort.
    package var unorderedUnlessLimited: RowQuery {
        guard limit == nil, offset == 0, !orderings.isEmpty else { return self }
        var copy = self
        copy.orderings = []
        return copy
    }

    /// Whether the order is that of the primary key, ascending.
    public var isInKeyOrder: Bool {
        totalOrder == entity.primaryKey.map { RowOrdering(column: $0) }
    }
}

/// One key of a sort: a field, a field of a related row, or a computed value, and how it is sorted.
public struct RowOrdering: Hashable, Sendable {
    /// The position of the field; -1 where the key is computed.
    public var column: Int
    /// What the key is computed as; nil for a field.
    public var expression: RowExpression?
    /// The way to the row that has the fields, by primary keys; empty for fields of the row itself.
    ///
    /// Where it leads nowhere its fields are nil.
    public var path: [RelatedRows]
    /// Whether greater values come first; where nil comes, ``nilsFirst`` says.
    public var isDescending: Bool
    /// Whether nil comes before every value.
    public var nilsFirst: Bool
    /// How text is compared when sorting by the field.
    public var text: TextOrder

    /// Creates a key; nil comes first ascending and last descending unless said otherwise.
    public init(
        column: Int,
        isDescending: Bool = false,
        nilsFirst: Bool? = nil,
        text: TextOrder = .binary,
        path: [RelatedRows] = []
    ) {
        self.column = column
        self.path = path
        self.isDescending = isDescending
        self.nilsFirst = nilsFirst ?? !isDescending
        self.text = text
    }

    /// Creates a key that is computed from fields, by default of the row itself; nil comes first ascending and last
    /// descending unless said otherwise.
    ///
    /// Where the path leads nowhere, the key is computed from fields that are nil.
    public init(
        _ expression: RowExpression,
        isDescending: Bool = false,
        nilsFirst: Bool? = nil,
        text: TextOrder = .binary,
        path: [RelatedRows] = []
    ) {
        self.init(
            column: -1,
            isDescending: isDescending,
            nilsFirst: nilsFirst,
            text: text,
            path: path
        )
        self.expression = expression
    }

    /// Whether the key is a field of the row itself, compared byte by byte.
    public func isExact(_ column: Int) -> Bool {
        self.column == column && path.isEmpty && text == .binary
    }

    /// Whether the key is a field of the row itself.
    public var isOwnField: Bool { path.isEmpty && expression == nil }

    /// Returns the field, of an entity's rows or of those that they lead to.
    ///
    /// A computed key has a field that no entity has.
    public func field(of entity: EntitySchema) -> FieldSchema {
        let owner = owner(entity)
        guard let expression else { return owner.fields[column] }
        return expression.field(of: owner)
    }

    /// Returns the entity that has the fields, given that of the rows.
    func owner(_ entity: EntitySchema) -> EntitySchema { path.last?.entity ?? entity }

    /// Returns the type of the key, of an entity's rows or of those that they lead to.
    public func type(of entity: EntitySchema) -> FieldType {
        let owner = owner(entity)
        return expression?.type(in: owner) ?? owner.fields[column].type
    }

    /// Returns whether the key may be absent, of an entity's rows or of those that they lead to.
    public func isOptional(of entity: EntitySchema) -> Bool {
        if !path.isEmpty { return true }
        return expression?.isOptional(in: entity) ?? entity.fields[column].isOptional
    }
}

/// How the text of two rows is compared, and put in order.
public enum TextOrder: UInt8, Hashable, Sendable {
    /// By the bytes of UTF-8, which is the order of Unicode scalars.
    case binary
    /// By the bytes with A to Z lowered; ties are equal.
    case caseInsensitive
    /// As people sort names: see ``NaturalOrder``; ties are equal.
    case natural
}

/// What is computed over a field of the rows of a query.
///
/// Absent values are left out.
public enum AggregateFunction: Hashable, Sendable {
    case minimum
    case maximum
    /// Null of no rows; `.invalidValue` when an integer sum leaves `Int64`.
    case sum
    /// A double; null of no rows.
    case average
}
