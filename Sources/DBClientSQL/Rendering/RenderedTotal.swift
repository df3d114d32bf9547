import DBClientCore

extension RowTotal {
    /// Whether it is a sum of integers, which is compared exactly.
    func isIntegerSum(of entity: EntitySchema) -> Bool {
        function == .sum && field(of: entity).type.slotKind == .integer
    }

    /// What the total is compared with, in the order of the placeholders.
    func constants(of entity: EntitySchema, _ dialect: any SQLDialect) -> [StorageValue] {
        guard isIntegerSum(of: entity), case .integer(let sum) = value else { return [value] }
        return dialect.comparableSum(sum)
    }
}

extension QueryRenderer {
    /// Appends what is selected of the rows of a total, which are in a table with a column for the field.
    mutating func appendSelected(_ total: RowTotal, of entity: EntitySchema) {
        let append: (inout SQLText) -> Void = { $0.append("\"v\"") }
        let type = total.field(of: entity).type
        if total.isIntegerSum(of: entity) {
            text.dialect.appendComparableSum(of: append, to: &text)
        } else if total.function == .sum {
            // A sum of none is zero, while one that is no number is null.
            text.append("CASE WHEN COUNT(\"v\") = 0 THEN 0 ELSE ")
            self.append(total.function, of: append, type, isWide: true, isCompared: true)
            text.append(" END")
        } else {
            self.append(total.function, of: append, type, isWide: true, isCompared: true)
        }
    }

    /// Appends how the total is compared, and with what.
    mutating func appendComparison(_ total: RowTotal, of entity: EntitySchema) {
        let constants = total.constants(of: entity, text.dialect)
        guard total.isIntegerSum(of: entity) else {
            append(total.comparison)
            return text.appendParameter(comparedWith: .double)
        }
        // Never null, so that what differs is not equal.
        if total.comparison == .notEqual { text.append(" <> ") } else { append(total.comparison) }
        if constants.count > 1 { text.append("(") }
        text.append(constants) { text, _ in
            text.appendParameter(comparedWith: .integer(bits: 64, signed: true))
        }
        if constants.count > 1 { text.append(")") }
    }
}
