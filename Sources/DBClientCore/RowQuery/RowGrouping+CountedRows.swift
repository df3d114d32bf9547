extension RowGrouping.Term {
    /// The condition whose rows the term counts: a sum of one for those and of zero for all others; nil for any other
    /// term.
    var countedCondition: RowCondition? {
        guard case .heldFunction(.sum, let key) = self, key.path.isEmpty,
            case .choice(let condition, .constant(let value, _), .constant(let other, _)) =
                key.expression
        else { return nil }
        switch (value, other) {
        case (.integer(1), .integer(0)): return condition
        case (.integer(0), .integer(1)): return .not(condition)
        default: return nil
        }
    }
}

extension RowGrouping {
    /// What functions are over that do nothing but count the rows that fulfil a condition.
    package var countedFields: [Key] {
        let terms = allTerms
        return derivedFields.filter { field in
            !keys.contains(field)
                && terms.allSatisfy { $0.operand != field || $0.countedCondition != nil }
        }
    }

    /// Returns what is computed for a field of ``countedFields``: one for a row that counts, and nothing for any other.
    package static func count(of field: Key) -> RowExpression? {
        guard let condition = Term.heldFunction(.sum, field).countedCondition else { return nil }
        let type = FieldType.integer(bits: 64, signed: true)
        return .choice(
            condition,
            then: .constant(.integer(1), type),
            else: .constant(.null, type)
        )
    }
}
