/// A value that is computed from the fields of one row, as engines see it.
public indirect enum RowExpression: Hashable, Sendable {
    /// A field of the row, by its position.
    case field(Int)
    /// A constant of a type; null is one of every type.
    case constant(StorageValue, FieldType)
    /// A function of its operands, which have one type: all of them are computed first, and the value is absent
    /// where one of them is. The type is that of the value.
    case function(RowFunction, FieldType, [RowExpression])
    /// The first operand that is not absent; those after it are not computed.
    case firstPresent([RowExpression])
    /// One value where a condition on the row's own fields is true, else another; the other one is not computed.
    case choice(RowCondition, then: RowExpression, else: RowExpression)
}

extension RowExpression {
    /// Returns the type of the value, given the entity of the row.
    public func type(in entity: EntitySchema) -> FieldType {
        switch self {
        case .field(let column): entity.fields[column].type
        case .constant(_, let type), .function(_, let type, _): type
        case .firstPresent(let operands): operands[0].type(in: entity)
        case .choice(_, let value, _): value.type(in: entity)
        }
    }

    /// Returns whether the value may be absent.
    public func isOptional(in entity: EntitySchema) -> Bool {
        switch self {
        case .field(let column): entity.fields[column].isOptional
        case .constant(let value, _): value.isNull
        case .function(.part, _, _): true
        case .function(.search, _, _), .function(.rank, _, _): false
        case .function(_, _, let operands): operands.contains { $0.isOptional(in: entity) }
        case .firstPresent(let operands): operands.allSatisfy { $0.isOptional(in: entity) }
        case .choice(_, let value, let other):
            value.isOptional(in: entity) || other.isOptional(in: entity)
        }
    }

    /// Returns a field that holds the value, which no entity has.
    func field(of entity: EntitySchema) -> FieldSchema {
        FieldSchema(
            name: "computed",
            type: type(in: entity),
            isOptional: isOptional(in: entity)
        )
    }

    /// Whether there are rows for which the expression has no value and ``RowPredicate/check()`` throws: a number
    /// leaves the range of its type.
    public var canFail: Bool {
        switch self {
        case .field, .constant: false
        case .function(let function, let type, let operands):
            function.canFail(returning: type) || operands.contains(where: \.canFail)
        case .firstPresent(let operands): operands.contains(where: \.canFail)
        case .choice(let condition, let value, let other):
            condition.canFail || value.canFail || other.canFail
        }
    }

    /// How many expressions are inside one another.
    package var nesting: Int {
        switch self {
        case .field, .constant: 1
        case .function(_, _, let operands), .firstPresent(let operands):
            1 + operands.reduce(0) { max($0, $1.nesting) }
        case .choice(_, let value, let other): 1 + max(value.nesting, other.nesting)
        }
    }

    /// Returns the expression over other positions of its fields.
    func mapped(
        _ column: (Int) throws -> Int,
        _ condition: (RowCondition) throws -> RowCondition
    ) rethrows -> RowExpression {
        switch self {
        case .field(let field): .field(try column(field))
        case .constant: self
        case .function(let function, let type, let operands):
            .function(function, type, try operands.map { try $0.mapped(column, condition) })
        case .firstPresent(let operands):
            .firstPresent(try operands.map { try $0.mapped(column, condition) })
        case .choice(let test, let value, let other):
            .choice(
                try condition(test),
                then: try value.mapped(column, condition),
                else: try other.mapped(column, condition)
            )
        }
    }

    /// Adds the fields that are looked at.
    func insertColumns(into columns: inout Set<Int>, of entity: EntitySchema) {
        switch self {
        case .field(let column): columns.insert(column)
        case .constant: break
        case .function(_, _, let operands), .firstPresent(let operands):
            for operand in operands { operand.insertColumns(into: &columns, of: entity) }
        case .choice(let condition, let value, let other):
            columns.formUnion(RowPredicate(condition, of: entity).columns)
            value.insertColumns(into: &columns, of: entity)
            other.insertColumns(into: &columns, of: entity)
        }
    }

    /// Returns the expression in words, for logs.
    func text(
        in entity: EntitySchema,
        showing show: (StorageValue) -> String,
        _ condition: (RowCondition) -> String
    ) -> String {
        func text(_ operand: RowExpression) -> String {
            operand.text(in: entity, showing: show, condition)
        }
        switch self {
        case .field(let column): return entity.fieldName(column)
        case .constant(let value, _): return show(value)
        case .function(let function, _, let operands):
            if let sign = function.sign, operands.count > 1 {
                return "(" + operands.map(text).joined(separator: " \(sign) ") + ")"
            }
            if function.isOfZone, let name = operands.last?.zoneName {
                return "\(function.name)(\(text(operands[0])), \(show(.text(name))))"
            }
            return "\(function.name)(\(operands.map(text).joined(separator: ", ")))"
        case .firstPresent(let operands):
            return "(" + operands.map(text).joined(separator: " ?? ") + ")"
        case .choice(let test, let value, let other):
            return "(\(condition(test)) ? \(text(value)) : \(text(other)))"
        }
    }
}

extension EntitySchema {
    func fieldName(_ column: Int) -> String {
        fields.indices.contains(column) ? fields[column].name : "?"
    }
}
