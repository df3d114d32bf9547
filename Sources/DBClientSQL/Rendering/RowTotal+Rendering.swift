import DBClientCore

extension RowTotal {
    /// What the total is compared with, in the order of the placeholders.
    func constants(of entity: EntitySchema, _ integerSum: SQLIntegerSum) -> [StorageValue] {
        function.isExactSum(of: field(of: entity).type) ? integerSum.constants(value) : [value]
    }
}

extension QueryRenderer {
    /// Appends what is selected of the rows of a total, which are in a table with a column for the field.
    mutating func appendSelected(_ total: RowTotal, of entity: EntitySchema) {
        let append: (inout SQLText) -> Void = { $0.append("\"v\"") }
        let type = total.field(of: entity).type
        if total.function.isExactSum(of: type) {
            text.append(.comparableSum(type), of: append)
        } else if total.function == .sum {
            // A sum of no rows is zero, while NaN is null.
            text.append("CASE WHEN COUNT(\"v\") = 0 THEN 0 ELSE ")
            self.append(total.function, of: append, type, isCompared: true)
            text.append(" END")
        } else {
            self.append(total.function, of: append, type, isCompared: true)
        }
    }

    mutating func total(_ total: RowTotal, of entity: EntitySchema, _ constants: [StorageValue]) {
        let type = total.field(of: entity).type
        guard total.function.isExactSum(of: type) else {
            append(total.comparison)
            return text.appendParameter(comparedWith: .double)
        }
        // Never null, so that what differs is not equal.
        append(total.comparison, differing: "<>")
        if constants.count > 1 { text.append("(") }
        text.append(constants) { text, _ in
            text.appendParameter(
                comparedWith: type == .decimal ? type : .integer(bits: 64, signed: true)
            )
        }
        if constants.count > 1 { text.append(")") }
    }
}
