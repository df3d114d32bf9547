/// A request as engines see it: an entity and a closed tree of values, no model.
public struct RowQuery: Hashable, Sendable {
    /// The entity whose rows are asked for.
    public let entity: EntitySchema
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

    /// Whether the order is that of the primary key, ascending.
    public var isInKeyOrder: Bool {
        totalOrder == entity.primaryKey.map { RowOrdering(column: $0) }
    }
}

/// One key of a sort.
public struct RowOrdering: Hashable, Sendable {
    /// The position of the field.
    public var column: Int
    /// The way to the row that has the field, by primary keys; empty for a field of the row itself.
    ///
    /// Where it leads nowhere the field is nil.
    public var path: [RelatedRows]
    /// Whether the largest comes first.
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

    /// Whether the key is a field of the row itself, compared byte by byte.
    public func isExact(_ column: Int) -> Bool {
        self.column == column && path.isEmpty && text == .binary
    }

    /// Returns the field, of an entity's rows or of those that they lead to.
    public func field(of entity: EntitySchema) -> FieldSchema {
        (path.last?.entity ?? entity).fields[column]
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

/// The condition that a row must fulfil.
///
/// As in Swift, and unlike SQL, every condition is true or false: a comparison with an absent value
/// is false, and its negation true.
public enum RowCondition: Hashable, Sendable {
    /// Every row or none; in place, unlike the others, since every request begins with it.
    case constant(Bool)
    /// The field compares with a value, which is not null.
    indirect case compare(column: Int, Comparison, StorageValue, TextOrder)
    /// The field compares with another of a comparable type: absent ones are equal to each other, and to
    /// nothing else.
    indirect case compareFields(column: Int, Comparison, to: Int)
    /// The field is one of the values, none of which is null.
    indirect case isIn(column: Int, [StorageValue])
    /// The fields together are one of the keys, none of whose values is null.
    indirect case areIn(columns: [Int], [[StorageValue]])
    /// There are rows of another entity that belong to the row.
    indirect case related(RelatedRows)
    /// The field is absent: null in SQL.
    indirect case isNil(column: Int)
    /// The field's text matches a pattern.
    indirect case matches(column: Int, TextPattern)
    /// The field's list has an element with this canonical JSON text.
    indirect case hasElement(column: Int, json: StorageValue)
    /// The number of elements of the field's list, set or dictionary compares with a number; what is absent has none, so
    /// every comparison but `.notEqual` is false of it.
    indirect case elementCount(column: Int, Comparison, Int)
    /// The negation: the condition is false of the row.
    indirect case not(RowCondition)
    /// The conjunction: every condition is true of the row.
    indirect case all([RowCondition])
    /// At least one condition is true.
    indirect case any([RowCondition])
}

/// A comparison of two values of one field.
public enum Comparison: UInt8, Hashable, Sendable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual

    /// Returns whether it holds for two values of an order: negative, zero or positive.
    @inlinable
    public func holds(for order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    /// Returns whether it holds for two fields, of which absent ones are equal and have no order.
    @usableFromInline
    func holds(_ left: Slot, _ right: Slot) -> Bool {
        guard left.isNull || right.isNull else { return holds(for: Slot.compare(left, right)) }
        switch self {
        case .equal: return left.isNull && right.isNull
        case .notEqual: return left.isNull != right.isNull
        default: return false
        }
    }
}

/// Text to look for, always literal except for the two wildcards of `.wildcard`.
public struct TextPattern: Sendable {
    /// The part of a field's text that must match.
    public enum Kind: UInt8, Hashable, Sendable {
        case prefix
        case suffix
        case contains
        /// `*` stands for any text, `?` for any one Unicode scalar, the rest for itself.
        case wildcard
    }

    /// The part of a field's text that must match.
    public let kind: Kind
    /// The text that the pattern looks for.
    public let text: String
    /// Whether A to Z match a to z.
    public let ignoresCase: Bool

    /// Creates a pattern from its kind and its text.
    public init(_ kind: Kind, _ text: String, ignoresCase: Bool = false) {
        self.kind = kind
        self.text = text
        self.ignoresCase = ignoresCase
    }
}

extension TextPattern: Hashable {
    /// Compares the text by its bytes.
    public static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.kind == right.kind && left.ignoresCase == right.ignoresCase
            && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the text by its bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(ignoresCase)
        StorageValue.text(text).hash(into: &hasher)
    }
}

/// A function over a field of the rows of a query.
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
