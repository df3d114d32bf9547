import DBClientCore

/// A sum or an average of reals of which only the whole can leave the range, as `RealSum` is one.
struct WideSum {
    let function: AggregateFunction
    let operand: (inout SQLText) -> Void

    private static let limit = "\(0x1p960)"
    private static let scale = "\(0x1p-64)"

    /// Appends the sum; what is no number is null where it is compared.
    func append(isCompared: Bool, to text: inout SQLText) {
        let spelling = text.dialect.realSums
        text.append("CASE WHEN COUNT(")
        operand(&text)
        text.append(") = 0 THEN NULL WHEN ")
        appendLarge(to: &text)
        text.append(spelling.isNaN)
        text.append(" THEN \(isCompared ? "NULL" : spelling.nan) WHEN ")
        appendLarge(to: &text)
        text.append(" = 0 THEN COALESCE(")
        appendSmall(to: &text)
        text.append(", 0)")
        appendDivisor(to: &text)
        text.append(" WHEN ABS(")
        appendScaled(to: &text)
        text.append(") >= \(Self.limit) THEN CASE WHEN ")
        appendLarge(to: &text)
        text.append(" > 0 THEN \(spelling.infinity) ELSE -\(spelling.infinity) END ELSE ")
        appendScaled(to: &text)
        text.append(" / \(Self.scale) END")
    }

    /// Appends the scaled result: what is small beside large values would vanish, and may not be scaled.
    private func appendScaled(to text: inout SQLText) {
        text.append("(")
        appendLarge(to: &text)
        text.append(" + CASE WHEN ABS(")
        appendSmall(to: &text)
        text.append(") > 1 THEN ")
        appendSmall(to: &text)
        text.append(" * \(Self.scale) ELSE 0 END)")
        appendDivisor(to: &text)
    }

    private func appendDivisor(to text: inout SQLText) {
        guard function == .average else { return }
        text.append(" / COUNT(")
        operand(&text)
        text.append(")")
    }

    private func appendSmall(to text: inout SQLText) {
        text.append("SUM(CASE WHEN ABS(")
        appendValue(to: &text)
        text.append(") < \(Self.limit) THEN ")
        appendValue(to: &text)
        text.append(" END)")
    }

    private func appendLarge(to text: inout SQLText) {
        let spelling = text.dialect.realSums
        text.append(spelling.total.before)
        text.append("CASE WHEN ABS(")
        appendValue(to: &text)
        text.append(") >= \(Self.limit) THEN ")
        appendValue(to: &text)
        text.append(" * \(Self.scale) END")
        text.append(spelling.total.after)
    }

    private func appendValue(to text: inout SQLText) {
        let cast = text.dialect.realSums.cast
        if !cast.isEmpty { text.append("(") }
        operand(&text)
        if !cast.isEmpty { text.append(")\(cast)") }
    }
}

extension QueryRenderer {
    /// Appends a function over an operand of a type, but for an exact sum.
    ///
    /// A sum of reals that is wide cannot leave the range on its way; one that is compared is null where it
    /// is no number.
    mutating func append(
        _ function: AggregateFunction,
        of operand: @escaping (inout SQLText) -> Void,
        _ type: FieldType,
        isWide: Bool,
        isCompared: Bool = false
    ) {
        guard function.addsReals(of: type) else {
            return text.dialect.append(function, of: operand, type, to: &text)
        }
        if isWide {
            let sum = WideSum(function: function, operand: operand)
            return sum.append(isCompared: isCompared, to: &text)
        }
        text.append("CASE WHEN COUNT(")
        operand(&text)
        text.append(") > 0 THEN COALESCE(")
        text.dialect.append(function, of: operand, type, to: &text)
        text.append(", \(text.dialect.realSums.nan)) END")
    }
}
