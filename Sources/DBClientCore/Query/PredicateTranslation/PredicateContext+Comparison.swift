extension PredicateContext {
    /// Returns the comparison of two operands, false where an operand's owner is absent that `!` demands.
    func compare(
        _ left: PredicateOperand,
        _ comparison: Comparison,
        _ right: PredicateOperand
    ) throws -> RowCondition {
        let condition = try compareThere(left, comparison, right)
        switch condition {
        case .compare(_, let comparison, _, _) where comparison != .notEqual: return condition
        case .compareFields(_, let comparison, _)
        where comparison != .equal && comparison != .notEqual:
            return condition
        default:
            // Fulfilled by nil.
            return .conjunction(.conjunction(left.demand, right.demand), condition)
        }
    }

    private func compareThere(
        _ left: PredicateOperand,
        _ comparison: Comparison,
        _ right: PredicateOperand
    ) throws -> RowCondition {
        switch (left, right) {
        case (.constant, .constant): throw unsupported("a comparison of two constants")
        case (.constant, _): return try compareThere(right, comparison.flipped, left)
        case (.field(let field), .constant(let value)):
            if flattened(value) == nil, field.absence != nil {
                return comparison == .equal ? .not(field.isPresent) : field.isPresent
            }
            return .comparing(
                column: field.column,
                comparison,
                try storageValue(of: value, for: field)
            )
        case (.coalesced(let field, let substitute), .constant(let value)):
            return try compare(
                field,
                comparison,
                try storageValue(of: value, for: field),
                orElse: try storageValue(of: substitute, for: field)
            )
        case (.condition(let condition, let isPresent), .constant(let value)):
            return try compare(condition, isPresent, comparison, value)
        case (.count(let field, let substitute), .constant(let value)):
            return compare(
                countOf: field,
                comparison,
                flattened(value) as? Int,
                orElse: substitute
            )
        case (.field(let left), .field(let right))
        where left.isSingle(of: entity) && right.isSingle(of: entity):
            return try entity.comparing(
                entity.fields[left.column].name,
                comparison,
                with: entity.fields[right.column].name
            )
        case (.model, _), (_, .model): throw unsupported("a comparison of whole values")
        default: throw unsupported("a comparison of two such operands")
        }
    }

    private func compare(
        _ field: PredicateField,
        _ comparison: Comparison,
        _ value: StorageValue,
        orElse substitute: StorageValue
    ) throws -> RowCondition {
        // What is substituted is never nil, so neither is the whole.
        if value.isNull { return .constant(comparison == .notEqual) }
        let order = substitute.withSlot { left in value.withSlot { Slot.compare(left, $0) } }
        let compared = RowCondition.comparing(column: field.column, comparison, value)
        return comparison.holds(for: order)
            ? .disjunction(.not(field.isPresent), compared)
            : .conjunction(field.isPresent, compared)
    }

    private func compare(
        countOf field: PredicateField,
        _ comparison: Comparison,
        _ number: Int?,
        orElse substitute: Int?
    ) -> RowCondition {
        let isAbsent = RowCondition.isNil(column: field.column)
        guard let number else {
            let isNil = substitute == nil ? isAbsent : .constant(false)
            return switch comparison {
            case .equal: isNil
            case .notEqual: .not(isNil)
            default: .constant(false)
            }
        }
        let compared = RowCondition.elementCount(column: field.column, comparison, number)
        guard let substitute else { return compared }
        return comparison.holds(substitute, number)
            ? .disjunction(isAbsent, compared) : .conjunction(.not(isAbsent), compared)
    }

    private func compare(
        _ condition: RowCondition,
        _ isPresent: RowCondition,
        _ comparison: Comparison,
        _ value: Any?
    ) throws -> RowCondition {
        let equal: RowCondition
        switch flattened(value) {
        case nil: equal = .not(isPresent)
        case true as Bool: equal = .conjunction(isPresent, condition)
        case false as Bool: equal = .conjunction(isPresent, .not(condition))
        default: throw unsupported("a comparison of a condition with a value")
        }
        switch comparison {
        case .equal: return equal
        case .notEqual: return .not(equal)
        default: throw unsupported("an order of conditions")
        }
    }

    /// Returns the stored form of a constant that is compared with a field.
    func storageValue(of value: Any?, for field: PredicateField) throws -> StorageValue {
        guard let value = flattened(value) else { return .null }
        let storable =
            (value as? any StorableValue)
            ?? (value as? any RawRepresentable).flatMap { $0.rawValue as? any StorableValue }
        guard let storable else {
            throw unsupported("a constant of type \(Swift.type(of: value))")
        }
        return try entity.storageValue(of: storable, for: field.column)
    }
}

/// Returns a value out of the optionals round it.
func flattened(_ value: Any?) -> Any? {
    guard let value else { return nil }
    // An `Any` may itself hold an optional.
    guard let optional = value as? any OptionalType else { return value }
    return flattened(optional.wrappedValue)
}
