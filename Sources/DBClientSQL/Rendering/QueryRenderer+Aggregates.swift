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
        text.append(
            function.addsReals(of: type)
                ? .realSum(function, isCompared: isCompared) : .aggregate(function, type),
            of: operand
        )
    }
}
