import Foundation

/// The context in which a predicate is translated: the model and the meaning of its variables.
struct PredicateContext {
    let entity: EntitySchema
    /// The variable that stands for the model in the predicate's closure.
    let model: PredicateExpressions.VariableID
    /// Returns the position of a property of the model.
    let position: (AnyKeyPath) -> Int?
    /// The variables of `flatMap`, `?.` and `if let`.
    var bindings: [PredicateExpressions.VariableID: PredicateOperand] = [:]

    init(
        entity: EntitySchema,
        model: PredicateExpressions.VariableID,
        position: @escaping (AnyKeyPath) -> Int?
    ) {
        self.entity = entity
        self.model = model
        self.position = position
    }

    /// Returns what an expression stands for.
    func operand(_ expression: any PredicateExpression) throws -> PredicateOperand {
        guard let expression = expression as? any TranslatableExpression else {
            throw unsupported(words(for: type(of: expression)))
        }
        return try expression.operand(in: self)
    }

    /// Returns the condition that a Boolean expression stands for.
    func condition(_ expression: any PredicateExpression) throws -> RowCondition {
        switch try operand(expression) {
        case .condition(let condition, let isPresent): return .conjunction(isPresent, condition)
        case .constant(let value as Bool): return .constant(value)
        case let operand: return try compare(operand, .equal, .constant(true))
        }
    }

    func unsupported(_ what: String) -> DBClientError {
        DBClientError(
            .unsupported,
            "A predicate must not contain \(what): a store cannot evaluate it.",
            entity: entity.name,
            hint: "Fetch by the rest of the predicate and filter the result in Swift."
        )
    }

    /// Returns the name of an expression's type as words: `StringContainsRegex` as "string contains
    /// regex".
    private func words(for type: Any.Type) -> String {
        let name = String(describing: type).prefix { $0 != "<" }
        var words = ""
        for character in name.split(separator: ".").last ?? name {
            if character.isUppercase && !words.isEmpty { words += " " }
            words += character.lowercased()
        }
        return "“\(words)”"
    }
}

/// An expression of Foundation's that has a meaning in a store.
protocol TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand
}

/// The meaning of a part of a predicate.
enum PredicateOperand {
    /// The predicate's variable, which stands for the model.
    case model
    /// A stored field of the model.
    case field(PredicateField)
    /// A stored field, or a constant where it is absent.
    case coalesced(PredicateField, default: Any)
    /// The number of elements of a stored list; nil, or a number, where that is absent.
    case count(PredicateField, default: Int?)
    /// A value from outside, nil included.
    case constant(Any?)
    /// A Boolean, or nil where it is not present.
    case condition(RowCondition, isPresent: RowCondition = .constant(true))

    /// The condition that a comparison demands of the row beside what it compares.
    var demand: RowCondition {
        switch self {
        case .field(let field), .coalesced(let field, _), .count(let field, _): field.demand
        default: .constant(true)
        }
    }
}

/// A stored field, or an embedded struct of several.
struct PredicateField {
    /// The position of the first column, which is null where the value is absent.
    let column: Int
    /// The Swift type of the property.
    let type: Any.Type
    /// The condition that the value is absent where it is not that the column is null.
    var absence: RowCondition?
    /// The condition that the owners are there that `!` reaches through; a comparison is false otherwise.
    var demand = RowCondition.constant(true)

    var isPresent: RowCondition { .not(absence ?? .isNil(column: column)) }

    /// Whether the field is one column that no relationship has.
    func isSingle(of entity: EntitySchema) -> Bool {
        let wrapped = (type as? any OptionalType.Type)?.wrapped ?? type
        return !(wrapped is any EmbeddedValue.Type)
            && !entity.relationships.contains { $0.link == nil && $0.columns.contains(column) }
    }

    /// The field as it is where it is there.
    var unwrapped: PredicateField {
        guard let wrapped = (type as? any OptionalType.Type)?.wrapped else { return self }
        // The first column of an optional struct says whether it is there.
        let isStruct = wrapped is any EmbeddedValue.Type
        return PredicateField(
            column: isStruct ? column + 1 : column,
            type: wrapped,
            demand: demand
        )
    }

    /// The field as it is where it is there, which is demanded.
    var forced: PredicateField {
        var field = unwrapped
        field.demand = .conjunction(demand, isPresent)
        return field
    }

    /// Whether another field is this one or inside it, and so absent where this one is.
    func contains(_ other: PredicateField) -> Bool {
        guard let type = unwrapped.type as? any EmbeddedValue.Type else {
            return other.column == column
        }
        return (column..<unwrapped.column + type.columnCount).contains(other.column)
    }
}

/// An optional, when all that is known is that it is a value.
protocol OptionalType {
    static var wrapped: Any.Type { get }
    var wrappedValue: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    var wrappedValue: Any? { map { $0 } }
}
