/// A condition on fields by their stored names.
///
/// ```swift
/// let early: DynamicCondition = .field("year", .less, 1970) && !.field("name", isIn: ["Hulk"])
/// ```
///
/// It has the meaning of ``Condition``. The call that uses it checks it against the schema.
public indirect enum DynamicCondition: Hashable, Sendable {
    /// True of every row, or false of every row.
    case constant(Bool)
    /// The field compares with a value; nil asks whether it is absent.
    case compare(String, Comparison, DynamicValue, TextOrder)
    /// The field compares with another field of the row; absent ones are equal and have no order.
    case compareFields(String, Comparison, String)
    /// The field is one of the values.
    case isIn(String, [DynamicValue])
    /// The field, a list, has an element.
    case hasElement(String, DynamicValue)
    /// The field's text matches a pattern.
    case matches(String, TextPattern)
    /// The field's text matches another, both of them folded.
    case folding(String, TextFolding.Match, String)
    /// The fields' texts have what is searched for.
    case search([String], SearchQuery)
    /// The negation: the condition is false of the row.
    case not(DynamicCondition)
    /// The conjunction: every condition is true of the row.
    case all([DynamicCondition])
    /// At least one condition is true.
    case any([DynamicCondition])

    /// Returns the comparison of a field with a value.
    public static func field(
        _ name: String,
        _ comparison: Comparison,
        _ value: DynamicValue,
        text: TextOrder = .binary
    ) -> DynamicCondition {
        .compare(name, comparison, value, text)
    }

    /// Returns the comparison of a field with another, of which absent ones are equal and have no order.
    public static func field(
        _ name: String,
        _ comparison: Comparison,
        field other: String
    ) -> DynamicCondition {
        .compareFields(name, comparison, other)
    }

    /// Returns whether a field is one of some values.
    public static func field(_ name: String, isIn values: [DynamicValue]) -> DynamicCondition {
        .isIn(name, values)
    }

    /// Returns whether a field, a list, has an element, as the model's own elements are kept.
    public static func field(_ name: String, hasElement element: DynamicValue) -> DynamicCondition {
        .hasElement(name, element)
    }

    /// Returns whether the text of a field matches.
    public static func field(_ name: String, matches pattern: TextPattern) -> DynamicCondition {
        .matches(name, pattern)
    }

    /// Returns whether the text of a field matches another where case, accents and the width of letters do not count.
    public static func field(
        _ name: String,
        folding match: TextFolding.Match,
        _ text: String
    ) -> DynamicCondition {
        .folding(name, match, text)
    }

    /// Returns whether the texts of some fields have what is searched for.
    ///
    /// Words of a query may be in different ones.
    public static func fields(
        _ names: [String],
        matching query: SearchQuery
    ) -> DynamicCondition {
        .search(names, query)
    }

    /// Returns a condition that is true when both operands are.
    public static func && (left: Self, right: @autoclosure () -> Self) -> Self {
        if case .all(let operands) = left { return .all(operands + [right()]) }
        return .all([left, right()])
    }

    /// Returns a condition that is true when at least one operand is.
    public static func || (left: Self, right: @autoclosure () -> Self) -> Self {
        if case .any(let operands) = left { return .any(operands + [right()]) }
        return .any([left, right()])
    }

    /// True when the other is false.
    public static prefix func ! (condition: Self) -> Self {
        .not(condition)
    }
}

extension DynamicCondition {
    /// Returns the condition as engines see it.
    ///
    /// - Throws: `.invalidRequest` for a name that is no field or a value of another kind, and for
    ///   conditions nested too deep; `.invalidValue` for a value that no engine can keep.
    func row(of entity: EntitySchema, depth: Int = 0) throws -> RowCondition {
        guard depth <= RowCondition.maximumNesting else {
            throw RowCondition.nestedTooDeep(entity)
        }
        switch self {
        case .constant(let value): return .constant(value)
        case .compare(let name, let comparison, let value, let text):
            let column = try entity.column(named: name, text: text)
            let stored = try entity.storageValue(value, at: column)
            return .comparing(column: column, comparison, stored, text)
        case .compareFields(let name, let comparison, let other):
            return try entity.comparing(name, comparison, with: other)
        case .isIn(let name, let values):
            let column = try entity.column(named: name)
            return .member(
                column: column,
                of: try values.map { try entity.storageValue($0, at: column) }
            )
        case .hasElement(let name, let element):
            return try entity.containing(name, try element.json())
        case .matches(let name, let pattern):
            let column = try entity.searchedColumn(name, for: pattern.text)
            return .matches(column: column, pattern)
        case .folding(let name, let match, let text):
            let column = try entity.searchedColumn(name, for: text)
            return .folding(.field(column), match, .text(text))
        case .search(let names, let query):
            let fields = try names.map {
                RowExpression.field(try entity.searchedColumn($0, for: ""))
            }
            let weights = names.map { _ in 1.0 }
            let plan = try query.plan(searching: names, weights: weights, of: entity.name)
            return try .searching(plan, in: fields)
        case .not(let operand): return .not(try operand.row(of: entity, depth: depth + 1))
        case .all(let operands):
            return try operands.reduce(.constant(true)) {
                .conjunction($0, try $1.row(of: entity, depth: depth + 1))
            }
        case .any(let operands):
            return try operands.reduce(.constant(false)) {
                .disjunction($0, try $1.row(of: entity, depth: depth + 1))
            }
        }
    }
}

extension EntitySchema {
    /// Returns the position of a field that is searched for text.
    fileprivate func searchedColumn(_ name: String, for text: String) throws -> Int {
        let column = try column(named: name)
        guard fields[column].type.slotKind == .text else {
            throw DBClientError(
                .invalidRequest,
                "A field that is searched must hold text; it holds \(fields[column].type.name).",
                entity: self.name,
                field: name
            )
        }
        _ = try naming(column) { try StorageValue(storing: text) }
        return column
    }
}
