import DBClientCore

extension QueryRenderer {
    /// Appends a function over an operand of a type, but for an exact sum of integers or decimals.
    ///
    /// A function of reals that is compared is null where it is NaN.
    mutating func append(
        _ function: AggregateFunction,
        of operand: (inout SQLText) -> Void,
        _ type: FieldType,
        isCompared: Bool = false
    ) {
        let dialect = text.dialect
        if function.addsReals(of: type) {
            dialect.appendRealSum(function, of: operand, isCompared: isCompared, to: &text)
        } else {
            dialect.append(function, of: operand, type, to: &text)
        }
    }
}
