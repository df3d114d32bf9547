import DBClientCore

// The walk over computed values.
extension StatementSink {
    /// Writes the comparison of computed values.
    mutating func write(
        _ left: RowExpression,
        _ comparison: Comparison,
        _ right: RowExpression
    ) throws {
        if let operand = left.isNull ? right : right.isNull ? left : nil {
            let isNegated = comparison == .notEqual
            begin(.absence(isNegated: isNegated))
            try write(operand)
            return words(isNegated ? " IS NOT NULL" : " IS NULL")
        }
        beginComparison(left, comparison, right)
        try write(left)
        separateComparison(left, comparison, right)
        try write(right)
        endComparison(left, comparison, right)
    }

    /// Writes a condition that may have no answer, and the one that keeps it from rows.
    ///
    /// Only `CASE` says in what order conditions are asked. What has an answer for every row stands before it as well,
    /// where an index serves it.
    mutating func write(_ guarded: RowCondition, guardedBy guarding: RowCondition) throws {
        let isRepeated = !guarding.canFail
        begin(.guarded(isRepeated: isRepeated))
        if isRepeated {
            words("(")
            try write(guarding)
            words(" AND ")
        }
        words("CASE WHEN ")
        try write(guarding)
        words(" THEN ")
        try write(guarded)
        words(isRepeated ? " ELSE FALSE END)" : " ELSE FALSE END")
    }

    /// Writes an expression, which may be an operand of a function of numbers: then it is computed with.
    mutating func write(_ expression: RowExpression, isComputedWith: Bool = false) throws {
        nest()
        defer { unnest() }
        switch expression {
        case .field(let column): field(column, isComputedWith: isComputedWith)
        case .constant(let value, let type): constant(value, type)
        case .function(let function, let type, let operands):
            if function.isOfLibrary, dialect.traits.naturalOrderFunction == nil {
                throw DBClientError(
                    .unsupported,
                    "The database must call the library for what only the library computes: \(function.name)."
                )
            }
            // The rules of a zone are constants of the dialect's own.
            let count = function.isOfZone ? 1 : operands.count
            for (index, operand) in operands.prefix(count).enumerated() {
                call(function, type, operands, before: index)
                try write(operand, isComputedWith: isComputedWith || function.computes)
            }
            call(function, type, operands, before: count)
        case .firstPresent(let operands):
            begin(.firstPresent(count: operands.count))
            words("coalesce(")
            for (index, operand) in operands.enumerated() {
                if index > 0 { words(", ") }
                try write(operand, isComputedWith: isComputedWith)
            }
            words(")")
        case .choice(let condition, let value, let other):
            begin(.choice)
            words("CASE WHEN ")
            try write(condition)
            words(" THEN ")
            try write(value, isComputedWith: isComputedWith)
            words(" ELSE ")
            try write(other, isComputedWith: isComputedWith)
            words(" END")
        }
    }
}

extension RowExpression {
    /// Whether it is the constant null.
    fileprivate var isNull: Bool {
        if case .constant(.null, _) = self { true } else { false }
    }
}

extension RowFunction {
    /// Whether the function is one of numbers, so that its operands must be written as such.
    fileprivate var computes: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder, .negate, .magnitude, .least,
            .greatest, .convert, .quotient:
            true
        case .join, .lowercased, .uppercased, .count: false
        case .folded, .hasPrefix, .hasSuffix, .contains, .part, .search, .rank: false
        case .year, .month, .day, .weekday, .hour, .startOfDay, .startOfWeek, .startOfMonth: false
        case .localTime, .firstMoment: false
        }
    }
}
